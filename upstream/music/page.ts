import { addAbortSignal } from 'node:stream'
import { Fault, type SourceReason } from '../../lib/errors.ts'
import type { Egress } from '../egress/egress-guard.ts'
import { readBounded } from '../../lib/buffers.ts'
import { isChallenge } from '../http/challenge.ts'

interface PageOptions {
  readonly egress: Egress
  /** Begins a sentence in a message to a caller: `Bandcamp`. */
  readonly name: string
  readonly signal?: AbortSignal | undefined
  readonly maxBytes: number
}

export interface FetchedPage {
  /** After redirects. */
  readonly url: URL
  readonly status: number
  readonly text: string
}

/** For everything of one page, its body included. */
const PAGE_MS = 8000
const REFUSALS = new Set([401, 403, 429])
/** Some sites answer other clients with a page that holds nothing. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/**
 * A page of a website that has no API, as a browser gets it, through the egress guard.
 * @throws {Fault} `service_unavailable` when it cannot be had in time, is longer than the bound, or the site wants a
 *   browser or a person instead.
 */
export async function readPage(url: string, { egress, name, signal, maxBytes }: PageOptions): Promise<FetchedPage> {
  const late = AbortSignal.timeout(PAGE_MS)
  const either = signal ? AbortSignal.any([signal, late]) : late
  const headers = { 'user-agent': BROWSER, accept: 'text/html,*/*;q=0.5', 'accept-language': 'en' }
  const answer = await egress.open(url, { headers, signal: either }).catch((error: unknown) => {
    throw error instanceof Fault ? error : unavailable(name, "didn't respond in time", 'unreachable', error)
  })
  addAbortSignal(either, answer.body)
  try {
    const body = await readBounded(answer.body, maxBytes, () => new Error(`more than ${maxBytes} bytes`))
    const text = body.toString('utf8')
    if (REFUSALS.has(answer.status) || isChallenge(answer.headers, text)) {
      throw unavailable(name, 'blocks this service for now', 'source_refused')
    }
    if (answer.status >= 500) throw new Error(`status ${answer.status}`)
    return { url: answer.url, status: answer.status, text }
  } catch (error) {
    throw error instanceof Fault ? error : unavailable(name, 'was unreadable', 'unreachable', error)
  } finally {
    answer.body.destroy()
  }
}

function unavailable(name: string, what: string, ...[reason, cause]: [SourceReason, unknown?]): Fault {
  return new Fault('service_unavailable', `${name} ${what}. Try again in a moment.`, { reason, cause })
}

/** The value of an attribute in double quotes of one tag, still escaped; null if the tag has none of that name. */
export function attributeOf(tag: string, name: string): string | null {
  for (const [, key, value] of tag.matchAll(/\s([\w-]+)="([^"]*)"/g)) if (key === name) return value ?? null
  return null
}
