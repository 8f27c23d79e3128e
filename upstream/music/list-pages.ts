import PQueue from 'p-queue'
import { UpstreamFailure } from '../http/failure.ts'
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
    const page = await read(offset).catch(nullOnFailure)
    isBroken ||= page === null
    return page
  }
  const count = Math.max(0, Math.ceil((wanted - known) / pageSize))
  const offsets = Array.from({ length: count }, (_, at) => known + at * pageSize)
  const found = await pages.addAll(offsets.map((offset) => () => readPage(offset)))
  const end = found.indexOf(null)
  return found.slice(0, end === -1 ? found.length : end).flatMap((page) => page ?? [])
}

function nullOnFailure(error: unknown): null {
  if (error instanceof UpstreamFailure) return null
  throw error
}

/** The number of songs that a page of a list names for previews of its link; null if it names none. */
export function songCountOf(html: string): number | null {
  const tags = [...html.matchAll(/<meta[^<>]*/g)].map(([tag]) => tag)
  const contentOf = (name: string) => {
    const tag = tags.find((it) => (attributeOf(it, 'name') ?? attributeOf(it, 'property')) === name)
    return tag === undefined ? '' : (attributeOf(tag, 'content') ?? '')
  }
  const [count] = /^\d{1,6}$/.exec(contentOf('music:song_count')) ?? []
  // "Playlist · Quay · 2,503 items · 12 saves"
  const [, shown] = /(?:^|· )(\d[\d,.]{0,8}) (?:items|songs)/.exec(contentOf('og:description')) ?? []
  return count === undefined && shown === undefined ? null : Number(count ?? shown?.replaceAll(/\D/g, ''))
}

/** The JSON in a script element of a page, without the element; empty if there is none. */
export function scriptOf(html: string, id: string): string {
  const at = html.indexOf(` id="${id}"`)
  if (at === -1) return ''
  const [json = ''] = html.slice(html.indexOf('>', at) + 1).split('</script>', 1)
  return json
}
