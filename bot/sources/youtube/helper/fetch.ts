import { request } from 'undici'
import type { Egress } from '../../../../upstream/egress/egress-guard.ts'
import { readBounded } from '../../../../lib/buffers.ts'

/** Hosts that the libraries may ask; a stand-in serves both at one address. */
const HOSTS: ReadonlySet<string> = new Set(['www.youtube.com', 'music.youtube.com'])
/** YouTube's player, the largest of what is read, has 3 MB. */
const ANSWER_BYTES = 12 * 1024 * 1024
const ANSWER_MS = 8000

/** The address that a library's request really goes to. @throws when it is none that it may ask. */
export function youtubeUrl(url: URL, baseUrl: string): URL {
  if (url.protocol !== 'https:' || !HOSTS.has(url.hostname) || url.port !== '')
    throw new Error(`${url.host} isn't allowed`)
  const isElsewhere = new URL(baseUrl).host !== 'www.youtube.com'
  return isElsewhere ? new URL(url.pathname + url.search, baseUrl) : url
}

/** `fetch` for a library: to YouTube alone, through the egress guard, within bounds of time and size. */
export function createGuardedFetch(egress: Egress, baseUrl: string): typeof fetch {
  return async (input, init) => {
    const asked = new Request(input, init)
    const late = AbortSignal.timeout(ANSWER_MS)
    const answer = await request(youtubeUrl(new URL(asked.url), baseUrl), {
      dispatcher: egress.dispatcher,
      method: asked.method as 'GET' | 'POST',
      headers: [...asked.headers].concat([['accept-encoding', 'identity']]).flat(),
      body: asked.body === null ? null : await asked.text(),
      signal: late,
    })
    const body = await readBounded(answer.body, ANSWER_BYTES, () => new Error('the response is too long'))
    return new Response(body, { status: answer.statusCode })
  }
}
