import { z } from 'zod'
import {
  createUpstream,
  notFound,
  urlPath,
  type FailedAnswer,
  type UpstreamContext,
} from '../../../upstream/http/client.ts'
import { UpstreamFailure } from '../../../upstream/http/failure.ts'
import { readPages } from '../../../upstream/music/list-pages.ts'
import { usable } from '../../../upstream/music/schemas.ts'
import { LIST_MAX, type Linked, type LinkedSong } from './link-site.ts'

/** Spotify's Web API, with the operator's own app. */
export interface SpotifyApi {
  /** Null where Spotify has no such list, or does not give it to this app. */
  list(kind: 'album' | 'playlist', id: string): Promise<Linked | null>
  /** Null for an unknown song. */
  song(id: string): Promise<LinkedSong | null>
}

interface SpotifyApiOptions {
  readonly apiUrl: string
  readonly accountsUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly timeoutMs: number
}

const Image = z.object({ url: z.string(), width: z.number().nullish() })
const Track = z.object({
  type: z.literal('track'),
  id: z.string().regex(/^[A-Za-z0-9]{22}$/),
  name: z.string(),
  artists: z.array(z.object({ name: z.string() })),
  duration_ms: z.number().nonnegative(),
  external_ids: z.object({ isrc: z.string().nullish() }).nullish(),
  album: z.object({ images: z.array(Image).nullish() }).nullish(),
})
/** The entry of a playlist is in `item`, and in `track` for apps from before 2026. Episodes are entries, too. */
const Entry = z.object({ item: z.unknown(), track: z.unknown() }).partial()
const Page = z.object({ items: z.array(z.unknown()), total: z.int().nonnegative() })
const List = z.object({ name: z.string(), images: z.array(Image).nullish() })
const Token = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })

/** Largest page that Spotify gives of either kind. */
const PAGE_SIZE = 50
/** A token is renewed this long before its end. */
const RENEW_MS = 60_000

/** Apps in development mode are given the lists of their owner alone, and are refused all others. */
const notGiven = (answer: FailedAnswer): boolean => notFound(answer) || answer.status === 403

export function createSpotifyApi(context: UpstreamContext, options: SpotifyApiOptions): SpotifyApi {
  const { apiUrl: baseUrl, timeoutMs } = options
  const api = createUpstream(context, { id: 'spotify-api', name: "Spotify's API", baseUrl, timeoutMs })
  const tokens = createTokens(context, options)

  async function find<S extends z.ZodType>(
    path: string,
    shape: S,
    query: Readonly<Record<string, number>> = {},
  ): Promise<z.output<S> | null> {
    const ask = async (token: string) =>
      api.find({ path, query, shape, headers: { authorization: `Bearer ${token}` }, absent: notGiven })
    const token = await tokens.get()
    try {
      return await ask(token)
    } catch (error) {
      if (!(error instanceof UpstreamFailure) || error.facts.status !== 401) throw error
      tokens.forget(token)
      return ask(await tokens.get())
    }
  }

  return {
    async list(kind, id) {
      const path = kind === 'album' ? urlPath`/v1/albums/${id}` : urlPath`/v1/playlists/${id}`
      const itemsPath = `${path}/${kind === 'album' ? 'tracks' : 'items'}`
      const page = (offset: number) => find(itemsPath, Page, { limit: PAGE_SIZE, offset })
      const [about, first] = await Promise.all([find(path, List), page(0)])
      if (!about || !first) return null
      const { total } = first
      const read = async (offset: number) => (await page(offset))?.items ?? []
      const wanted = Math.min(total, LIST_MAX)
      const rest = await readPages({ known: PAGE_SIZE, wanted, pageSize: PAGE_SIZE, read })
      const cover = largest(about.images)
      const songs = [...first.items, ...rest].flatMap((item) => toSong(kind === 'album' ? item : entryOf(item), cover))
      return { songs, list: about.name, total }
    },
    song: async (id) => toSong(await find(urlPath`/v1/tracks/${id}`, z.unknown()), null)[0] ?? null,
  }
}

/** The operator's app signs in by its own secret, and for no user. */
export function createTokens(context: UpstreamContext, options: SpotifyApiOptions) {
  const { accountsUrl: baseUrl, clientId, clientSecret, timeoutMs } = options
  const accounts = createUpstream(context, { id: 'spotify-accounts', name: "Spotify's sign-in", baseUrl, timeoutMs })
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  let current: { readonly token: string; readonly endsAtMs: number } | null = null
  let pending: Promise<string> | null = null

  async function signIn(): Promise<string> {
    const form = { grant_type: 'client_credentials' }
    const answer = await accounts.get({ path: '/api/token', form, headers: { authorization }, shape: Token })
    current = { token: answer.access_token, endsAtMs: context.now() + answer.expires_in * 1000 - RENEW_MS }
    return current.token
  }

  return {
    async get(): Promise<string> {
      if (current && current.endsAtMs > context.now()) return current.token
      pending ??= signIn().finally(() => {
        pending = null
      })
      return pending
    },
    /** Spotify no longer accepts this one. */
    forget(token: string): void {
      if (current?.token === token) current = null
    },
  }
}

function entryOf(entry: unknown): unknown {
  const { item, track } = Entry.safeParse(entry).data ?? {}
  return item ?? track
}

/** Nothing for what is no song: episodes, files of the owner's computer, and songs that are gone. */
function toSong(item: unknown, cover: string | null): LinkedSong[] {
  return usable(Track, [item]).map(({ id, name, artists, duration_ms: lengthMs, external_ids: ids, album }) => ({
    id,
    title: name,
    artist: artists.map((artist) => artist.name).join(', '),
    lengthMs,
    url: `https://open.spotify.com/track/${id}`,
    artworkUrl: largest(album?.images) ?? cover,
    isrc: ids?.isrc ?? null,
  }))
}

function largest(images: readonly z.output<typeof Image>[] | null | undefined): string | null {
  return (images ?? []).toSorted((one, other) => (other.width ?? 0) - (one.width ?? 0))[0]?.url ?? null
}
