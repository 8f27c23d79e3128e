import { createLru } from '../../lib/sharing/lru.ts'
import { abortable } from '../../lib/deadline.ts'
import type { Logger } from '../../lib/log.ts'
import { createBreaker } from '../../lib/sharing/breaker.ts'
import type { Similar } from '../../upstream/music/recommendations.ts'
import { songNames, type WantedTrack } from '../../upstream/music/title-matching.ts'
import type { FoundTrack, Sources } from '../sources/source.ts'
import type { TrackInfo } from './track.ts'

interface RecommendedSong {
  readonly wanted: WantedTrack
  /** The source track; null if only its name is known. */
  readonly track: FoundTrack | null
}

/** One service or source that may know what goes well after a track. */
export type Recommender = ReturnType<typeof createRecommender>

/** All of them, each with a memory and a health of its own. */
export type Recommenders = ReturnType<typeof createRecommenders>

interface RecommendersOptions {
  readonly sources: Pick<Sources, 'related' | 'mirror'>
  readonly similar: readonly Similar[]
  /** Gives each project its share of look-ups. */
  readonly lookUp: <T>(work: () => Promise<T>) => Promise<T>
  readonly log: Logger
}

const MOST_SONGS = 25
const FIND_MS = 6000
const MIRROR_MS = 6000
const MEMORY_MS = 600_000
const MEMORY_MAX = 300
/** Failures in a row after which a recommender is not called for a minute. */
const FAILURES = 3
const REST_MS = 60_000

export function createRecommenders(options: RecommendersOptions) {
  const { sources, similar, lookUp } = options
  const related = async (seed: TrackInfo, signal: AbortSignal) =>
    (await sources.related(seed, MOST_SONGS, signal)).map((track) => ({ wanted: track, track }))
  const asked = [{ name: 'related', ask: related }, ...similar.map(byName)]
  return {
    all: asked.map(({ name, ask }) => createRecommender(name, ask, options)),
    /** Resolves a song name to a source track; null if no source has it. */
    mirror: (wanted: WantedTrack): Promise<FoundTrack | null> => {
      const signal = AbortSignal.timeout(MIRROR_MS)
      return abortable(
        lookUp(() => sources.mirror(wanted, signal)),
        signal,
      )
    },
  }
}

type Ask = (seed: TrackInfo, signal: AbortSignal) => Promise<readonly RecommendedSong[]>

/** Needs song names: skips streams and tracks without an artist. */
function byName(service: Similar): { readonly name: string; readonly ask: Ask } {
  return {
    name: service.name,
    async ask(seed) {
      const [song] = songNames(seed)
      if (!song || song.artist === '' || seed.isStream) return []
      const songs = await service.find(song.artist, song.title)
      return songs.slice(0, MOST_SONGS).map((wanted) => ({ wanted, track: null }))
    },
  }
}

function createRecommender(name: string, ask: Ask, { lookUp, log }: RecommendersOptions) {
  const memory = createLru<string, readonly RecommendedSong[]>(MEMORY_MAX, { ttl: MEMORY_MS })
  const breaker = createBreaker({ now: () => performance.now(), failures: FAILURES, openMs: REST_MS })
  let isFailing = false

  async function askOnce(seed: TrackInfo): Promise<readonly RecommendedSong[]> {
    if (!breaker.admits()) return []
    const signal = AbortSignal.timeout(FIND_MS)
    try {
      const songs = await abortable(ask(seed, signal), signal)
      breaker.succeeded()
      isFailing = false
      return songs
    } catch (error) {
      breaker.failed()
      throw error
    }
  }

  return {
    /** `related` is the source of the track itself. */
    name,
    /** Best first. Empty without results, and while its circuit breaker is open. Never rejects. */
    async find(seed: TrackInfo): Promise<readonly RecommendedSong[]> {
      const key = `${seed.sourceName} ${seed.identifier}`
      const known = memory.get(key)
      if (known) return known
      try {
        const songs = await lookUp(() => askOnce(seed))
        if (songs.length > 0) memory.set(key, songs)
        return songs
      } catch (err) {
        // The first of a row of failures says it all.
        log[isFailing ? 'debug' : 'warn']({ err, recommender: name }, 'recommender failed')
        isFailing = true
        return []
      }
    },
  }
}
