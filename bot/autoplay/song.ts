import { createLru } from '../../lib/sharing/lru.ts'
import { folded, leadArtist, songNames, type TrackName } from '../../upstream/music/title-matching.ts'
import { UNKNOWN_AUTHOR } from '../sources/library/scan.ts'

/** A song as it is compared, however its uploads are called. */
export interface Song {
  readonly song: string
  /** The first of its artists; empty if none is known. */
  readonly artist: string
}

/** The provider of a recommended track, and the reason. */
export interface Recommendation {
  /** A service, a source, or `library`, `history` and `favourites` of our own. */
  readonly provider: string
  /**
   * The relation of the track: it goes with a track, has the same artist or genre, was heard after a track, is a member's
   * favourite, or is just in the library.
   */
  readonly because: 'similar' | 'artist' | 'genre' | 'history' | 'favourite' | 'library'
  /** The title, artist or genre that it goes with; null for a favourite and for what is just there. */
  readonly of: string | null
}

/** Names cost regular expressions, and the same ones come again with every decision. */
const KNOWN_MAX = 5000
const known = createLru<string, Song>(KNOWN_MAX)

export function songOf({ title, author }: TrackName): Song {
  const key = `${author}\n${title}`.slice(0, 1200)
  const found = known.get(key) ?? readSong(title, author === UNKNOWN_AUTHOR ? '' : author)
  known.set(key, found)
  return found
}

function readSong(title: string, author: string): Song {
  const [name] = songNames({ title, author })
  const whole = folded(`${name?.artist} ${name?.title}`)
  return { song: whole || `${author} ${title}`.slice(0, 500), artist: folded(leadArtist(name?.artist ?? '')) }
}
