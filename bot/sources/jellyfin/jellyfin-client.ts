import { z } from 'zod'
import { Fault } from '../../../lib/errors.ts'
import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import { createUpstream, urlPath, type UpstreamContext } from '../../../upstream/http/client.ts'
import { UpstreamFailure } from '../../../upstream/http/failure.ts'
import { usable } from '../../../upstream/music/schemas.ts'
import { fetchPicture } from '../../covers/fetch-picture.ts'
import { hostOf } from '../http/host.ts'
import { authorization, createJellyfinSessions, type JellyfinAccess } from './jellyfin-session.ts'

// The API is that of Jellyfin 10.9 and newer (https://api.jellyfin.org).

const MAX_BYTES = 8 * 1024 * 1024
/** The largest that we serve. */
const COVER_EDGE = '640'
/** Items are numbered by GUIDs, with or without dashes; the server answers 400 to anything else. */
const GUID = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i

const Item = z.object({
  Id: z.string().min(1),
  Name: z.string().nullish(),
  Type: z.string(),
  Artists: z.array(z.string()).nullish(),
  AlbumArtist: z.string().nullish(),
  /** Ten million a second. */
  RunTimeTicks: z.number().nonnegative().nullish(),
  Container: z.string().nullish(),
  ChildCount: z.int().nullish(),
  ImageTags: z.record(z.string(), z.string().nullish()).nullish(),
  AlbumId: z.string().nullish(),
  AlbumPrimaryImageTag: z.string().nullish(),
})
export type JellyfinItem = z.output<typeof Item>

const Items = z.object({ Items: z.array(z.unknown()) })

type JellyfinListKind = 'album' | 'artist' | 'playlist'

interface JellyfinPage {
  readonly text: string
  readonly artist?: string
  readonly limit: number
  readonly offset: number
}

export type Jellyfin = ReturnType<typeof createJellyfin>

interface JellyfinOptions extends JellyfinAccess {
  readonly baseUrl: string
  readonly timeoutMs: number
  readonly egress: Egress
}

type Query = Readonly<Record<string, string | number | undefined>>

const COMMON = { enableUserData: 'false', enableTotalRecordCount: 'false' }
const SONGS = { ...COMMON, recursive: 'true', includeItemTypes: 'Audio' }
const BY_NUMBER = 'ParentIndexNumber,IndexNumber,SortName'
const LIST_TYPES = { album: 'MusicAlbum', artist: 'MusicArtist', playlist: 'Playlist' } as const

export function createJellyfin(context: UpstreamContext, options: JellyfinOptions) {
  const { baseUrl, timeoutMs } = options
  const spec = { id: 'jellyfin', name: 'The Jellyfin server', baseUrl, timeoutMs, maxBytes: MAX_BYTES }
  const api = createUpstream(context, spec)
  const sessions = createJellyfinSessions(api, options)

  /** Items of some kind of list, as the user sees them. */
  async function ask(path: string, query: Query): Promise<readonly JellyfinItem[]> {
    const found = await sessions.with(({ token, userId }) => {
      const shown = { ...query, ...(userId !== null && { userId }) }
      return api.get({ path, query: shown, shape: Items, headers: authorization(token) })
    })
    return usable(Item, found.Items)
  }

  return {
    baseUrl: new URL(baseUrl),
    search: (text: string, limit: number) => ask('/Items', { ...SONGS, searchTerm: text, limit }),
    /** A song, an album, an artist or a playlist; null if it has none, or does not show it to our user. */
    item: async (id: string): Promise<JellyfinItem | null> =>
      GUID.test(id) ? ((await ask('/Items', { ...COMMON, ids: id }))[0] ?? null) : null,
    /** Songs of an album, a playlist or an artist. */
    songs: async ({ Id: id, Type: type }: JellyfinItem, limit: number): Promise<readonly JellyfinItem[]> => {
      if (type === LIST_TYPES.playlist) {
        const query = { limit, enableUserData: 'false' }
        const inside = await ask(urlPath`/Playlists/${id}/Items`, query).catch(explainPlaylist)
        return inside.filter((item) => item.Type === 'Audio')
      }
      const of =
        type === LIST_TYPES.artist
          ? { artistIds: id, sortBy: `Album,${BY_NUMBER}` }
          : { parentId: id, sortBy: BY_NUMBER }
      return ask('/Items', { ...SONGS, ...of, limit })
    },
    lists: (kind: JellyfinListKind, page: JellyfinPage) => ask(...listsQuery(kind, page)),
    /** The URL lets its holder use the server as we do: it is for the audio thread alone. */
    stream: (id: string): Promise<{ readonly url: string; readonly host: string }> =>
      sessions.with(async ({ token }) => {
        // The file as it is. The audio thread sends no headers of ours, so that the key is in the address.
        const query = new URLSearchParams({ static: 'true', ApiKey: token })
        return { url: `${baseUrl}${urlPath`/Audio/${id}/stream`}?${query.toString()}`, host: hostOf(baseUrl) }
      }),
    /** Fetches a picture by its item and the tag that the item has for it. */
    cover: async (id: string, tag: string, signal: AbortSignal): Promise<Buffer | null> => {
      const query = new URLSearchParams({ tag, maxWidth: COVER_EDGE, quality: '90' })
      const url = `${baseUrl}${urlPath`/Items/${id}/Images/Primary`}?${query.toString()}`
      return fetchPicture(options.egress.allowing(hostOf(baseUrl)), url, signal)
    },
  }
}

/** An API key without a user sees the names of playlists, but only their users see the songs. */
function explainPlaylist(error: unknown): never {
  if (!(error instanceof UpstreamFailure) || error.facts.status !== 403) throw error
  const message = 'Only other Jellyfin users can see this playlist. The operator can set JELLYFIN_USER.'
  throw new Fault('service_unavailable', message, { reason: 'private', cause: error })
}

function listsQuery(kind: JellyfinListKind, { text, artist, limit, offset }: JellyfinPage): [path: string, Query] {
  const common = { ...COMMON, limit, startIndex: offset, sortBy: 'SortName', fields: 'ChildCount' }
  const query = { ...common, ...(text !== '' && { searchTerm: text }) }
  if (kind === 'artist') return ['/Artists', query]
  const of = { ...query, recursive: 'true', includeItemTypes: LIST_TYPES[kind] }
  if (kind === 'playlist') return ['/Items', { ...of, mediaTypes: 'Audio' }]
  return ['/Items', { ...of, ...(artist !== undefined && { artists: artist }) }]
}
