import { fold } from '../../../lib/text.ts'
import type { QueuedTrack } from '../player-parts.ts'
import type { QueueItems } from './queue-items.ts'

/** The number of rows in one answer. */
export const ROWS_PER_PAGE = 100
const LONGEST_SEARCH = 100

interface QueueRange {
  /** The first row, from 0: of the queue, or of the hits of a search. */
  readonly from: number
  /** Words to look for; left out: the whole queue. */
  readonly find?: string | undefined
  /** The shown name of a requester. */
  readonly nameOf?: (userId: string) => string | null
}

/** A page of a queue or of a search in it: the places, from 0, of its rows. `hits` are place and number of all that were found. */
export function rangeOf({ version, ids, tracks }: QueueItems, { from, find, nameOf = () => null }: QueueRange) {
  const found = find === undefined ? null : placesWith(find, tracks, nameOf)
  const places = found
    ? found.slice(from, from + ROWS_PER_PAGE)
    : ids.slice(from, from + ROWS_PER_PAGE).map((_, at) => from + at)
  const page = { version, total: ids.length, from }
  return { places, page: found ? { ...page, hits: found.map((at) => [at, ids[at] ?? 0] as const) } : page }
}

/** Places of the tracks that have each word in their title, artist or requester's name. */
function placesWith(
  text: string,
  tracks: readonly QueuedTrack[],
  nameOf: (userId: string) => string | null,
): readonly number[] {
  const words = fold(text.slice(0, LONGEST_SEARCH)).split(/\s+/)
  const requesters = [...new Set(tracks.map(({ requesterId }) => requesterId))]
  const names = new Map(requesters.map((id) => [id, id === null ? '' : fold(nameOf(id) ?? '')]))
  return tracks.flatMap((track, at) => {
    const searched = `${foldedOf(track)}\n${names.get(track.requesterId)}`
    return words.every((word) => searched.includes(word)) ? [at] : []
  })
}

const folded = new WeakMap<QueuedTrack, string>()

/** Made once a track, since each pressed key searches thousands. */
function foldedOf(track: QueuedTrack): string {
  const known = folded.get(track) ?? fold(`${track.info.title}\n${track.info.author}`)
  folded.set(track, known)
  return known
}
