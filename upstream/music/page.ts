import { Fault } from '../../lib/errors.ts'
import type { Egress } from '../egress/egress.ts'

export interface PageOptions {
  readonly egress: Egress
  /** Begins a sentence in a message to a caller: `Bandcamp`. */
  readonly name: string
  readonly signal?: AbortSignal | undefined
  readonly maxBytes: number
}

export interface Page {
  /** After redirects. */
  readonly url: URL
  readonly status: number
  readonly text: string
}

/** For everything of one page, its body included. */
const PAGE_MS = 8000
/** Some sites answer other clients with a page that holds nothing. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/**
 * A page of a website that has no API, as a browser gets it, through the egress guard.
 * @throws {Fault} `service_unavailable` when it cannot be had in time or is longer than the bound.
 */
export async function readPage(url: string, { egress, name, signal, maxBytes }: PageOptions): Promise<Page> {
  const late = AbortSignal.timeout(PAGE_MS)
  const either = signal ? AbortSignal.any([signal, late]) : late
  const headers = { 'user-agent': BROWSER, accept: 'text/html,*/*;q=0.5', 'accept-language': 'en' }
  const answer = await egress.open(url, { headers, signal: either }).catch((error: unknown) => {
    throw error instanceof Fault ? error : unavailable(name, 'did not answer in time', error)
  })
  const stop = () => answer.body.destroy(either.reason)
  either.addEventListener('abort', stop, { once: true })
  try {
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of answer.body) {
      chunks.push(chunk as Buffer)
      bytes += (chunk as Buffer).length
      if (bytes > maxBytes) throw new Error(`more than ${maxBytes} bytes`)
    }
    if (answer.status === 429 || answer.status >= 500) throw new Error(`status ${answer.status}`)
    return { url: answer.url, status: answer.status, text: Buffer.concat(chunks, bytes).toString('utf8') }
  } catch (error) {
    throw unavailable(name, 'could not be read', error)
  } finally {
    either.removeEventListener('abort', stop)
    answer.body.destroy()
  }
}

function unavailable(name: string, what: string, cause: unknown): Fault {
  return new Fault('service_unavailable', `${name} ${what}; try again in a moment.`, { cause })
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
])

/** Text as it stood in HTML, an attribute's included. What is no character reference stays as it is. */
export function fromHtml(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,5}));/gi, (whole, decimal, hex, name) => {
    if (name) return NAMED.get(String(name).toLowerCase()) ?? whole
    const point = decimal ? Number(decimal) : Number.parseInt(String(hex), 16)
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })
}

/** The value of an attribute in double quotes of one tag, still escaped; null where the tag has none of that name. */
export function attributeOf(tag: string, name: string): string | null {
  for (const [, key, value] of tag.matchAll(/\s([\w-]+)="([^"]*)"/g)) if (key === name) return value ?? null
  return null
}
