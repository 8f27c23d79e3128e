import PQueue from 'p-queue'
import { attributeOf } from './page.ts'

interface ListPages<T> {
  /** Entries known from the first answer. */
  readonly known: number
  /** Number of entries to know at the end. */
  readonly wanted: number
  readonly pageSize: number
  /** Reads the entries from `offset` on. */
  readonly read: (offset: number) => Promise<readonly T[]>
}

/** Requests for one list at once: a site may refuse more. */
const PAGES_AT_ONCE = 4
/** Time in which pages are requested, so that a slow site gives a part of its list rather than nothing. */
const PAGES_MS = 6000

/**
 * Reads the rest of a list in its order. Ends before the first page that fails or comes too late, since a hole would break
 * the order.
 */
export async function readPages<T>({ known, wanted, pageSize, read }: ListPages<T>): Promise<readonly T[]> {
  const deadline = AbortSignal.timeout(PAGES_MS)
  const pages = new PQueue({ concurrency: PAGES_AT_ONCE })
  let isBroken = false
  const readPage = async (offset: number) => {
    if (isBroken || deadline.aborted) return null
    const page = await read(offset).catch(() => null)
    isBroken ||= page === null
    return page
  }
  const count = Math.max(0, Math.ceil((wanted - known) / pageSize))
  const offsets = Array.from({ length: count }, (_, at) => known + at * pageSize)
  const found = await pages.addAll(offsets.map((offset) => () => readPage(offset)))
  const end = found.indexOf(null)
  return found.slice(0, end === -1 ? found.length : end).flatMap((page) => page ?? [])
}

/** The number of songs that a page of a list names for previews of its link; null if it names none. */
export function songCountOf(html: string): number | null {
  for (const [tag] of html.matchAll(/<meta[^<>]*/g)) {
    const isCount = (attributeOf(tag, 'name') ?? attributeOf(tag, 'property')) === 'music:song_count'
    const count = isCount ? attributeOf(tag, 'content') : null
    if (count !== null && /^\d{1,6}$/.test(count)) return Number(count)
  }
  return null
}

/** The JSON in a script element of a page, without the element; empty if there is none. */
export function scriptOf(html: string, id: string): string {
  const at = html.indexOf(` id="${id}"`)
  if (at === -1) return ''
  const [json = ''] = html.slice(html.indexOf('>', at) + 1).split('</script>', 1)
  return json
}
