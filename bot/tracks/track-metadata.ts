import { createDeezer } from '../../upstream/music/deezer.ts'
import { createLyrics, type Lyrics, type LyricsOf } from '../../upstream/music/lyrics.ts'
import { createMeaning, type Meaning, type MeaningOf } from '../../upstream/music/meaning.ts'
import { createSimilar, type Similar } from '../../upstream/music/recommendations.ts'
import type { Outside } from '../sources/remote-sources.ts'
import { createLru } from '../../lib/sharing/lru.ts'
import { Fault } from '../../lib/errors.ts'
import { createFairShare } from '../../lib/sharing/fair-share.ts'
import type { Logger } from '../../lib/log.ts'
import { currentProjectId } from '../../lib/request-context.ts'
import { failingAs } from '../../upstream/http/failure.ts'
import { folded, songNames } from '../../upstream/music/title-matching.ts'
import type { FoundEncodedTrack } from '../find-tracks.ts'
import type { PlayerScope, PlayerService } from '../player-service.ts'
import type { FoundTrack, Sources } from '../sources/source.ts'
import { createRecommenders } from './recommenders.ts'
import { decodeToken, encodeToken } from './track-token.ts'
import { toTrack, type TrackInfo } from './track.ts'

type TrackSelector = { readonly encoded: string } | { readonly guildId: string }

/** Metadata of tracks. Every method throws `Fault`s as `PlayerService` does. */
export type TrackMetadata = Omit<ReturnType<typeof createTrackMetadata>, 'recommenders'>

export interface TrackMetadataOptions {
  readonly music: Pick<PlayerService, 'info'>
  readonly sources: Pick<Sources, 'related' | 'mirror'>
  readonly findLyrics: Lyrics
  readonly findMeaning: Meaning
  readonly similar: readonly Similar[]
  readonly log: Logger
}

/** All of what a list of recommendations may take. */
const RECOMMEND_MS = 14_000
const RECOMMENDED_MS = 600_000
const RECOMMENDED_MAX = 500
/** Each song that is known by name costs a search or several. */
const SEARCHES_AT_ONCE = 4
/** No plan meters these routes, and one look-up asks several services. */
const LOOKUPS = {
  what: 'lookups of lyrics, meanings and recommendations',
  total: 48,
  share: 12,
  maxWaiting: 24,
  maxWaitMs: 5000,
}

function createTrackMetadata(options: TrackMetadataOptions) {
  const { music, findLyrics, findMeaning, sources, similar, log } = options
  const recommended = createLru<string, readonly FoundTrack[]>(RECOMMENDED_MAX, { ttl: RECOMMENDED_MS })

  const lookups = createFairShare(LOOKUPS)

  async function trackOf(scope: PlayerScope, meant: TrackSelector): Promise<TrackInfo> {
    if ('encoded' in meant) return decodeToken(meant.encoded)
    const { current } = await music.info(scope, meant.guildId)
    if (!current) throw new Fault('conflict', 'Nothing is playing.', { reason: 'nothing_playing' })
    return decodeToken(current.encoded)
  }

  const lookUp = <T>(projectId: string, work: () => Promise<T>): Promise<T> =>
    lookups.run(projectId, () => failingAs('service_unavailable', work))

  return {
    recommenders: createRecommenders({ sources, similar, log, lookUp: (work) => lookUp(currentProjectId(), work) }),
    /** @throws {Fault} `not_found` when there are none. */
    async lyrics(scope: PlayerScope, meant: TrackSelector): Promise<LyricsOf> {
      const track = await trackOf(scope, meant)
      const found = await lookUp(scope.projectId, () => findLyrics.find(track))
      if (!found) throw new Fault('not_found', 'There are no lyrics for this track.')
      return found
    },
    /** The meaning of the song. @throws {Fault} `not_found` when there is no description. */
    async meaning(scope: PlayerScope, meant: TrackSelector, lang: string): Promise<MeaningOf> {
      const track = await trackOf(scope, meant)
      const found = await lookUp(scope.projectId, () => findMeaning.find(track, lang))
      if (!found) throw new Fault('not_found', 'There is no description of this track.')
      return found
    },
    /** Tracks that go well after a track, best first; empty if none are known. */
    async recommendations(encoded: string, limit: number): Promise<readonly FoundEncodedTrack[]> {
      const track = decodeToken(encoded)
      const key = JSON.stringify([track.sourceName, track.identifier, limit])
      const tracks = recommended.get(key) ?? (await lookUp(currentProjectId(), () => recommend(options, track, limit)))
      if (tracks.length > 0) recommended.set(key, tracks)
      return tracks.map((info) => Object.assign(toTrack(info), { encoded: encodeToken(info), source: info.source }))
    },
  }
}

/** Recommendations of the track's own source, completed by services that know songs by name. */
async function recommend(options: TrackMetadataOptions, seed: TrackInfo, limit: number) {
  const { sources, similar, log } = options
  const signal = AbortSignal.timeout(RECOMMEND_MS)
  const chosen = new Map<string, FoundTrack>()
  const seedName = nameOf(seed)
  const add = (tracks: readonly FoundTrack[]) => {
    // The same song is there many times over.
    for (const track of tracks) {
      const name = nameOf(track)
      const isNew = name !== seedName && track.identifier !== seed.identifier && !chosen.has(name)
      if (isNew && chosen.size < limit) chosen.set(name, track)
    }
  }
  let failure: unknown = null
  const [name] = songNames(seed)
  const steps = [
    () => sources.related(seed, limit + 1, signal),
    ...(name && !seed.isStream && name.artist !== '' ? similar : []).map(
      (service) => async () =>
        playable(sources, await service.find(name?.artist ?? '', name?.title ?? ''), limit - chosen.size, signal),
    ),
  ]
  for (const step of steps) {
    if (chosen.size >= limit || signal.aborted) break
    try {
      add(await step())
    } catch (error) {
      failure = error
      log.warn({ source: seed.sourceName, err: error }, 'recommendations failed')
    }
  }
  if (chosen.size > 0 || failure === null) return [...chosen.values()]
  return failingAs('service_unavailable', () => Promise.reject(failure))
}

/** Song names resolved to source tracks. */
async function playable(
  sources: TrackMetadataOptions['sources'],
  songs: Awaited<ReturnType<Similar['find']>>,
  limit: number,
  signal: AbortSignal,
): Promise<readonly FoundTrack[]> {
  const found: FoundTrack[] = []
  const left = [...songs]
  while (left.length > 0 && found.length < limit && !signal.aborted) {
    const some = left.splice(0, SEARCHES_AT_ONCE)
    const tracks = await Promise.allSettled(some.map((song) => sources.mirror(song, signal)))
    for (const track of tracks) if (track.status === 'fulfilled' && track.value) found.push(track.value)
    // No source is available: the other songs would fare no better.
    if (tracks.every(({ status }) => status === 'rejected')) break
  }
  return found
}

function nameOf(track: TrackInfo): string {
  const [name] = songNames(track)
  return folded(`${name?.artist} ${name?.title}`)
}

interface OpenTrackMetadataOptions extends Pick<TrackMetadataOptions, 'music' | 'sources' | 'log'> {
  readonly outside: Omit<Outside, 'egress'>
}

/** Creates the track metadata from the providers that are configured. */
export function openTrackMetadata({ outside, ...own }: OpenTrackMetadataOptions) {
  const { context, places, timeoutMs, cacheMax } = outside
  const deezer = createDeezer(context, { ...places.deezer, timeoutMs })
  return createTrackMetadata({
    ...own,
    findLyrics: createLyrics(context, { ...places.lyrics, cacheMax }),
    findMeaning: createMeaning(context, { ...places, timeoutMs, cacheMax }),
    similar: createSimilar(context, { ...places, deezer, timeoutMs }),
  })
}
