import { createLru } from '../../../lib/sharing/lru.ts'
import type { Logger } from '../../../lib/log.ts'
import {
  isSameRecording,
  isSameSong,
  leadArtist,
  songNames,
  type WantedTrack,
} from '../../../upstream/music/title-matching.ts'
import type { TrackInfo } from '../../tracks/track.ts'
import { askInTurn, searchInOrder } from '../fallback-search.ts'
import type { SourceHealth } from '../source-health.ts'
import type { FoundTrack, Source } from '../source.ts'

/** Finds a song that is known by name, where it can be played; null if it is nowhere. */
export type Mirror = (wanted: WantedTrack, signal: AbortSignal) => Promise<FoundTrack | null>

interface MirrorOptions {
  /** Sources that play the songs they find. */
  readonly sources: () => readonly Source[]
  /** Health of the sources; failing ones are asked last. */
  readonly health: Pick<SourceHealth, 'failureOf'>
  readonly log: Logger
}

/** Results to compare per source. The song is among the first or not there. */
const CANDIDATES = 6
const MEMORY_MS = 600_000
const MEMORY_MAX = 2000

/** Matches by title, artist and length, or by ISRC: the wrong song is worse than none. */
export function createMirror({ sources, health, log }: MirrorOptions): Mirror {
  const memory = createLru<string, FoundTrack>(MEMORY_MAX, { ttl: MEMORY_MS })

  const isFailing = ({ name }: Source) => health.failureOf(name) !== null

  return async (wanted, signal) => {
    const key = JSON.stringify([wanted.title, wanted.author, wanted.lengthMs, wanted.isrc])
    const known = memory.get(key)
    if (known) return known
    const [name] = songNames(wanted)
    if (!name || name.title === '') return null
    const text = `${leadArtist(name.artist)} ${name.title}`.trim()
    const failures: unknown[] = []
    const matches: FoundTrack[] = []
    const inOrder = sources().toSorted((one, other) => Number(isFailing(one)) - Number(isFailing(other)))
    const search = async (source: Source, words: string, isSame: typeof isSameSong) => {
      const searching = searchInOrder([source], words, { limit: CANDIDATES, signal, log })
      const found = (await searching.catch((error: unknown) => void failures.push(error))) ?? []
      return nearest(
        wanted,
        found.filter((track) => isSame(wanted, track)),
      )
    }
    const ask = async (source: Source) => {
      const isKnown = wanted.isrc !== null && source.findsIsrc === true
      const same = isKnown ? await search(source, `"${wanted.isrc}"`, isSameRecording) : []
      matches.push(...(same.length > 0 ? same : await search(source, text, isSameSong)))
    }
    await askInTurn(inOrder, ask, () => matches.length > 0 || signal.aborted)
    signal.throwIfAborted()
    const [best] = matches
    if (best) memory.set(key, best)
    if (best) return best
    // A source that failed may have the song.
    if (failures.length > 0) await Promise.reject(failures[0])
    return null
  }
}

/** The one that is nearest, if there is any. */
function nearest<T extends TrackInfo>(wanted: WantedTrack, same: readonly T[]): readonly T[] {
  const apart = ({ lengthMs, isrc }: TrackInfo) => {
    if (isrc !== null && isrc === wanted.isrc) return -1
    return lengthMs === 0 || wanted.lengthMs === 0 ? 5000 : Math.abs(lengthMs - wanted.lengthMs)
  }
  return same.toSorted((one, other) => apart(one) - apart(other)).slice(0, 1)
}
