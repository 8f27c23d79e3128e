import { z } from 'zod'
import { createUpstream, urlPath, type UpstreamContext } from '../http/client.ts'
import { UpstreamFailure } from '../http/failure.ts'
import type { Deezer } from './deezer.ts'
import type { WantedTrack } from './title-matching.ts'
import { usable } from './schemas.ts'

/** A service that knows songs by name, without anything playable. */
export interface Similar {
  readonly name: 'lastfm' | 'listenbrainz' | 'deezer'
  /** What goes well with a song, best first. */
  find(artist: string, title: string): Promise<readonly WantedTrack[]>
}

interface SimilarOptions {
  readonly lastFm: { readonly baseUrl: string; readonly key: string | null }
  readonly listenBrainz: { readonly baseUrl: string; readonly token: string | null }
  readonly deezer: Deezer
  readonly timeoutMs: number
}

const LastFmTrack = z.object({
  name: z.string(),
  duration: z.coerce.number().nonnegative().nullish().catch(null),
  artist: z.object({ name: z.string() }),
})
const LastFmAnswer = z.object({ error: z.number() }).or(
  z.object({
    // One track comes as itself and none as an empty text.
    similartracks: z.object({ track: z.union([z.array(z.unknown()), z.unknown().transform((one) => [one])]) }),
  }),
)
/** Unknown track. Codes 10 and 26 concern the key, 29 the rate limit. */
const NO_SUCH_TRACK = 6

const Radio = z.object({
  payload: z.object({ jspf: z.object({ playlist: z.object({ track: z.array(z.unknown()) }) }) }),
})
const RadioTrack = z.object({ title: z.string(), creator: z.string(), duration: z.number().nullish() })

const COUNT = 25

/** Those that are configured, in the order in which they are asked. Deezer needs no key. */
export function createSimilar(context: UpstreamContext, options: SimilarOptions): readonly Similar[] {
  const { deezer } = options
  return [
    ...createLastFm(context, options),
    ...createListenBrainz(context, options),
    {
      name: 'deezer',
      find: async (artist, title) =>
        (await deezer.radio(artist, title)).map((track) => ({
          title: track.title,
          author: track.artist.name,
          lengthMs: Math.round(track.duration * 1000),
          isrc: track.isrc ?? null,
        })),
    },
  ]
}

function createLastFm(context: UpstreamContext, { lastFm, timeoutMs }: SimilarOptions): readonly Similar[] {
  const { baseUrl, key } = lastFm
  if (key === null) return []
  const spec = { id: 'lastfm', name: 'Last.fm', baseUrl, timeoutMs }
  const api = createUpstream(context, spec)
  return [
    {
      name: 'lastfm',
      find: async (artist, track) => {
        const query = { method: 'track.getsimilar', artist, track, autocorrect: 1, limit: COUNT, format: 'json' }
        const answer = await api.find({
          path: '/2.0/',
          query: { ...query, api_key: key },
          shape: LastFmAnswer,
          absent: ({ body }) => LastFmAnswer.safeParse(body).data !== undefined && errorOf(body) === NO_SUCH_TRACK,
        })
        if (answer === null) return []
        if ('error' in answer)
          throw new UpstreamFailure({ kind: 'refused', name: spec.name, host: api.host, body: answer })
        return usable(LastFmTrack, answer.similartracks.track).map(({ name, artist: by, duration }) => ({
          title: name,
          author: by.name,
          lengthMs: Math.round((duration ?? 0) * 1000),
          isrc: null,
        }))
      },
    },
  ]
}

function errorOf(body: unknown): number | null {
  const parsed = z.object({ error: z.number() }).safeParse(body)
  return parsed.success ? parsed.data.error : null
}

function createListenBrainz(context: UpstreamContext, { listenBrainz, timeoutMs }: SimilarOptions): readonly Similar[] {
  const { baseUrl, token } = listenBrainz
  if (token === null) return []
  const headers = { authorization: `Token ${token}` }
  const api = createUpstream(context, { id: 'listenbrainz', name: 'ListenBrainz', baseUrl, timeoutMs, headers })
  return [
    {
      name: 'listenbrainz',
      find: async (artist) => {
        // Brackets end the name in their little language.
        const prompt = `artist:(${artist.replaceAll(/[()]/g, ' ')})`
        const answer = await api.get({
          path: urlPath`/1/explore/lb-radio`,
          query: { prompt, mode: 'easy' },
          shape: Radio,
        })
        return usable(RadioTrack, answer.payload.jspf.playlist.track).map(({ title, creator, duration }) => ({
          title,
          author: creator,
          lengthMs: duration ?? 0,
          isrc: null,
        }))
      },
    },
  ]
}
