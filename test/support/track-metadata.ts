import { openTrackMetadata, type TrackMetadata } from '../../bot/tracks/track-metadata.ts'
import type { FoundTrack } from '../../bot/sources/source.ts'
import { encodeToken } from '../../bot/tracks/track-token.ts'
import type { TrackInfo } from '../../bot/tracks/track.ts'
import { readConfig } from '../../config.ts'
import { startApi, type Called, type TestApi } from './api.ts'
import type { closing } from './closing.ts'
import { trackNamed } from './stage.ts'
import { createTestContext, type TestContext } from './upstreams/context.ts'

const NIGHT_FERRY: TrackInfo = { ...trackNamed('Night Ferry'), author: 'The Harbour Lights', lengthMs: 214_000 }

export interface TrackMetadataApi {
  readonly api: TestApi
  readonly context: TestContext
  /** Asks about the song "Night Ferry", or one that differs from it. */
  get(path: string, track?: Partial<TrackInfo>): Promise<Called>
}

/** The API with real lookups of track metadata, and sources that have every song but "Nowhere". */
export async function startTrackMetadata(
  own: ReturnType<typeof closing>,
  env: Readonly<Record<string, string>>,
  related: readonly FoundTrack[] = [],
): Promise<TrackMetadataApi> {
  const context = own(createTestContext())
  const { music, utilities } = readConfig({ UPSTREAM_TIMEOUT_MS: '500', ...env })
  const { timeoutMs, cacheMaxEntries: cacheMax } = utilities
  const built = Promise.withResolvers<TrackMetadata>()
  const trackMetadata: TrackMetadata = {
    lyrics: async (...of) => (await built.promise).lyrics(...of),
    meaning: async (...of) => (await built.promise).meaning(...of),
    recommendations: async (...of) => (await built.promise).recommendations(...of),
  }
  const api = own(await startApi({ app: { trackMetadata } }))
  built.resolve(
    openTrackMetadata({
      music: {
        // Tokens of the fake player are none.
        info: async (scope, guild) => {
          const info = await api.music.info(scope, guild)
          return { ...info, current: info.current && { ...info.current, encoded: encodeToken(NIGHT_FERRY) } }
        },
      },
      sources: {
        related: async () => related,
        mirror: async ({ title, author }) =>
          title === 'Nowhere' ? null : { ...trackNamed(title), author, source: 'library' },
      },
      outside: { context, places: music.places, timeoutMs, cacheMax },
      log: context.log,
    }),
  )
  return {
    api,
    context,
    get: (path, track = {}) => {
      const encoded = encodeURIComponent(encodeToken({ ...NIGHT_FERRY, ...track }))
      return api.call('GET', `${path}${path.includes('?') ? '&' : '?'}encoded=${encoded}`)
    },
  }
}
