import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import { LONGEST_QUEUE } from '../../player/inputs.ts'
import type { FoundList, ListRequest } from '../source.ts'

/** A song on a site whose audio cannot be played elsewhere. */
export interface LinkedSong {
  /** The site's own. */
  readonly id: string
  readonly title: string
  readonly artist: string
  readonly lengthMs: number
  readonly url: string
  readonly artworkUrl: string | null
  readonly isrc: string | null
}

export interface Linked {
  readonly songs: readonly LinkedSong[]
  /** The name of the album or playlist; null for a single song. */
  readonly list: string | null
  /** Number of entries that the list has at its site; left out or null where the site does not say. */
  readonly total?: number | null
}

/** A site whose links say which songs are meant. */
export interface LinkSite {
  /** Name in `MUSIC_SOURCES`. */
  readonly name: 'spotify' | 'deezer' | 'apple'
  /** Name in tokens. */
  readonly sourceName: 'spotify' | 'deezer' | 'applemusic'
  claims(url: URL): boolean
  /** The songs behind a link; null when it leads to none. */
  read(url: URL, signal: AbortSignal): Promise<Linked | null>
  /** Songs of its catalogue by words, best first, where it lets everybody search that. */
  search?(text: string, limit: number): Promise<readonly LinkedSong[]>
  /** Lists of its catalogue by words; `read` takes their addresses. */
  lists?(request: ListRequest): Promise<readonly FoundList[]>
}

/** Maximum songs of an album, artist or playlist: as many as fit into a queue. */
export const LIST_MAX = LONGEST_QUEUE

/** The page that a short link leads to. */
export async function behind(url: URL, egress: Egress, signal: AbortSignal): Promise<URL> {
  const answer = await egress.open(url.href, { signal })
  answer.body.destroy()
  return answer.url
}
