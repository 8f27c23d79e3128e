import { LRUCache } from 'lru-cache'
import type { Logger } from '../../../lib/log.ts'
import { isSameSong, leadArtist, songNames, type Wanted } from '../../../upstream/music/title-matching.ts'
import type { TrackInfo } from '../../tracks/track.ts'
import { searchInOrder } from '../fallback-search.ts'
import type { FoundTrack, Source } from '../source.ts'

/** Finds a song that is known by name, where it can be played; null where nobody has it. */
export type Mirror = (wanted: Wanted, signal: AbortSignal) => Promise<FoundTrack | null>

export interface MirrorOptions {
  /** Those that play what they find. */
  readonly sources: () => readonly Source[]
  readonly log: Logger
}

/** Of one source. The song is among the first or not there. */
const CANDIDATES = 6
const MEMORY_MS = 600_000
const MEMORY_MAX = 2000

/** By title, artist and length, or by the number of the recording: the wrong song is worse than none. */
export function createMirror({ sources, log }: MirrorOptions): Mirror {
  const memory = new LRUCache<string, FoundTrack>({ max: MEMORY_MAX, ttl: MEMORY_MS })

  return async (wanted, signal) => {
    const key = JSON.stringify([wanted.title, wanted.author, wanted.lengthMs, wanted.isrc])
    const known = memory.get(key)
    if (known) return known
    const [name] = songNames(wanted)
    if (!name || name.title === '') return null
    const text = `${leadArtist(name.artist)} ${name.title}`.trim()
    const failures: unknown[] = []
    for (const source of sources()) {
      const found = await searchInOrder([source], text, { limit: CANDIDATES, signal, log }).catch((error: unknown) => {
        signal.throwIfAborted()
        failures.push(error)
        return []
      })
      const best = nearest(wanted, found)
      if (!best) continue
      memory.set(key, best)
      return best
    }
    // Who could not be asked may have had it.
    if (failures.length > 0) await Promise.reject(failures[0])
    return null
  }
}

function nearest<T extends TrackInfo>(wanted: Wanted, found: readonly T[]): T | null {
  const same = found.filter((track) => isSameSong(wanted, track))
  const apart = ({ lengthMs, isrc }: TrackInfo) => {
    if (isrc !== null && isrc === wanted.isrc) return -1
    return lengthMs === 0 || wanted.lengthMs === 0 ? 5000 : Math.abs(lengthMs - wanted.lengthMs)
  }
  return same.toSorted((one, other) => apart(one) - apart(other))[0] ?? null
}
