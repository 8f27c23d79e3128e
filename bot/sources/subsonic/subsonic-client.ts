import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { Fault } from '../../../lib/errors.ts'
import { createCache } from '../../../upstream/http/cache.ts'
import { createUpstream, notFoundInJson, type UpstreamContext } from '../../../upstream/http/client.ts'
import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import { fetchPicture } from '../../covers/fetch-picture.ts'
import { hostOf } from '../http/host.ts'
import { usable } from '../../../upstream/music/schemas.ts'

// The API is that of Subsonic 1.16.1, which Navidrome, gonic, Airsonic and others speak, with the extensions of
// OpenSubsonic where the server has them (https://opensubsonic.netlify.app).

const VERSION = '1.16.1'
const CLIENT = 'bandstand'
/** Some servers send thousands of songs for a playlist and ignore limits. */
const MAX_BYTES = 8 * 1024 * 1024
/** The largest that we serve. */
const COVER_EDGE = '640'
/** Maximum albums when a whole artist is played: each costs a call. */
const ALBUMS_MAX = 20
const EXTENSIONS_MS = 3_600_000

const Song = z.object({
  id: z.union([z.string().min(1), z.int()]).transform(String),
  title: z.string(),
  artist: z.string().nullish(),
  /** OpenSubsonic: all artists as the file has them. */
  displayArtist: z.string().nullish(),
  /** ID of its cover. */
  coverArt: z.string().nullish(),
  /** Seconds. */
  duration: z.number().nonnegative().nullish(),
  suffix: z.string().nullish(),
  albumId: z.union([z.string(), z.int()]).transform(String).nullish(),
  discNumber: z.int().nullish(),
  track: z.int().nullish(),
  isrc: z.array(z.string()).nullish(),
  isDir: z.boolean().nullish(),
  isVideo: z.boolean().nullish(),
})
export type SubsonicSong = z.output<typeof Song>

const Songs = z.array(z.unknown()).default([])
const Failed = z.object({ error: z.object({ code: z.coerce.number() }) })

export type SubsonicListKind = 'album' | 'artist' | 'playlist'

/** An album, an artist or a playlist, without its songs. */
const Listed = z
  .object({
    id: z.union([z.string().min(1), z.int()]).transform(String),
    name: z.string(),
    artist: z.string().nullish(),
    owner: z.string().nullish(),
    songCount: z.int().nullish(),
    coverArt: z.string().nullish(),
  })
  .transform(({ id, name, artist, owner, songCount, coverArt }) => ({
    id,
    title: name,
    author: artist ?? owner ?? null,
    songCount: songCount ?? null,
    coverArt: coverArt ?? null,
  }))
type SubsonicListed = z.output<typeof Listed>

interface SubsonicList {
  readonly title: string
  readonly songs: readonly SubsonicSong[]
}

/** Stream for the audio thread alone: its URL lets the holder use the server as our user. */
interface SubsonicStream {
  readonly url: string
  /** `host:port` of the server. */
  readonly host: string
  /** See `Playable`; null if the server cannot begin later. */
  readonly offsetParameter: string | null
}

/** A music server of the operator. Everything but a failure of the server's own is `service_unavailable` with words for it. */
export type Subsonic = ReturnType<typeof createSubsonic>

interface SubsonicOptions {
  readonly baseUrl: string
  readonly user: string
  readonly password: string
  readonly timeoutMs: number
  readonly egress: Egress
}

export function createSubsonic(context: UpstreamContext, options: SubsonicOptions) {
  const { baseUrl } = options
  const { metrics, now } = context
  const ask = createAsk(context, options)
  const extensions = createCache<boolean>({ name: 'subsonic', max: 1, ttlMs: EXTENSIONS_MS, metrics, now })

  /** Whether a song can be had from its middle while the server encodes it. */
  async function canBeginLater(): Promise<boolean> {
    const shape = z.object({ openSubsonicExtensions: z.array(z.object({ name: z.string() })) })
    // Servers of Subsonic itself refuse the question, each in its own way.
    const found = await ask('getOpenSubsonicExtensions', {}, shape).catch(() => null)
    return found?.openSubsonicExtensions.some(({ name }) => name === 'transcodeOffset') === true
  }

  return {
    baseUrl: new URL(baseUrl),
    async search(text: string, limit: number): Promise<readonly SubsonicSong[]> {
      const shape = z.object({ searchResult3: z.object({ song: Songs }) })
      const query = { query: text, songCount: limit, albumCount: 0, artistCount: 0 }
      return songsIn((await ask('search3', query, shape))?.searchResult3.song)
    },
    /** Null if the server has none, or does not show it to our user. */
    async song(id: string): Promise<SubsonicSong | null> {
      const song = (await ask('getSong', { id }, z.object({ song: Song })))?.song
      return song && isSound(song) ? song : null
    },
    list: (kind: SubsonicListKind, id: string) => readList(ask, kind, id),
    /** Finds lists by words of their names, or all without words, in the order of their names. */
    lists: (kind: SubsonicListKind, page: { text: string; limit: number; offset: number }) =>
      findLists(ask, kind, page),
    async stream(id: string): Promise<SubsonicStream> {
      // The original file: encoding it twice would cost the server time, and sound.
      const query = new URLSearchParams({ id, format: 'raw', ...credentials(options) })
      const offsetParameter = (await extensions.get('', canBeginLater)) ? 'timeOffset' : null
      return { url: `${baseUrl}/rest/stream.view?${query.toString()}`, host: hostOf(baseUrl), offsetParameter }
    },
    /** Null if the server has none. */
    cover: (id: string, signal: AbortSignal): Promise<Buffer | null> => {
      const query = new URLSearchParams({ id, size: COVER_EDGE, ...credentials(options) })
      const egress = options.egress.allowing(hostOf(baseUrl))
      return fetchPicture(egress, `${baseUrl}/rest/getCoverArt.view?${query.toString()}`, signal)
    },
  }
}

type AskServer = ReturnType<typeof createAsk>

async function readList(ask: AskServer, kind: SubsonicListKind, id: string): Promise<SubsonicList | null> {
  const name = z.string().default('')
  switch (kind) {
    case 'album': {
      const album = (await ask('getAlbum', { id }, z.object({ album: z.object({ name, song: Songs }) })))?.album
      return album ? { title: album.name, songs: songsIn(album.song) } : null
    }
    case 'artist': {
      const shape = z.object({ artist: z.object({ name, album: z.array(z.unknown()).default([]) }) })
      const artist = (await ask('getArtist', { id }, shape))?.artist
      if (!artist) return null
      const albums = usable(Listed, artist.album).slice(0, ALBUMS_MAX)
      const all = await Promise.all(albums.map((album) => readList(ask, 'album', album.id)))
      return { title: artist.name, songs: all.flatMap((album) => album?.songs ?? []) }
    }
    case 'playlist': {
      const shape = z.object({ playlist: z.object({ name, entry: Songs }) })
      const playlist = (await ask('getPlaylist', { id }, shape))?.playlist
      return playlist ? { title: playlist.name, songs: songsIn(playlist.entry) } : null
    }
  }
}

async function findLists(
  ask: AskServer,
  kind: SubsonicListKind,
  { text, limit, offset }: { text: string; limit: number; offset: number },
): Promise<readonly SubsonicListed[]> {
  if (kind === 'playlist') {
    // The protocol has no search of playlists: there are few.
    const shape = z.object({ playlists: z.object({ playlist: Songs }) })
    const all = usable(Listed, (await ask('getPlaylists', {}, shape))?.playlists.playlist ?? [])
    const words = text.toLowerCase()
    return all.filter(({ title }) => title.toLowerCase().includes(words)).slice(offset, offset + limit)
  }
  if (kind === 'album' && text === '') {
    const shape = z.object({ albumList2: z.object({ album: Songs }) })
    const query = { type: 'alphabeticalByName', size: limit, offset }
    return usable(Listed, (await ask('getAlbumList2', query, shape))?.albumList2.album ?? [])
  }
  if (kind === 'artist' && text === '') {
    const shape = z.object({ artists: z.object({ index: z.array(z.object({ artist: Songs })).default([]) }) })
    const indexes = (await ask('getArtists', {}, shape))?.artists.index ?? []
    return usable(Listed, indexes.flatMap(({ artist }) => artist).slice(offset, offset + limit))
  }
  const shape = z.object({ searchResult3: z.object({ album: Songs, artist: Songs }) })
  const none = { songCount: 0, albumCount: 0, artistCount: 0 }
  const query = { ...none, query: text, [`${kind}Count`]: limit, [`${kind}Offset`]: offset }
  return usable(Listed, (await ask('search3', query, shape))?.searchResult3[kind] ?? [])
}

function createAsk(context: UpstreamContext, options: SubsonicOptions) {
  const { baseUrl, timeoutMs } = options
  const spec = { id: 'subsonic', name: 'The Subsonic server', baseUrl, timeoutMs, maxBytes: MAX_BYTES }
  const api = createUpstream(context, spec)

  /** The server's response; null if it does not have the item. @throws {Fault} with the reason of any other error. */
  return async <S extends z.ZodType>(method: string, query: Readonly<Record<string, string | number>>, shape: S) => {
    // Errors have status 200, too.
    const either: z.ZodType<z.output<typeof Failed> | z.output<S>> = z.union([Failed, shape])
    const found = await api.find({
      path: `/rest/${method}.view`,
      query: { ...query, ...credentials(options), f: 'json' },
      shape: z.object({ 'subsonic-response': either }),
      absent: notFoundInJson,
    })
    const response = found?.['subsonic-response'] ?? null
    const code = Failed.safeParse(response).data?.error.code
    if (code === undefined) return response as z.output<S> | null
    if (code === NOT_FOUND) return null
    throw refusal(code)
  }
}

/** The password is never sent: the token is its hash with a salt that is used once. */
function credentials({ user, password }: Pick<SubsonicOptions, 'user' | 'password'>) {
  const salt = randomBytes(12).toString('hex')
  const token = createHash('md5')
    .update(password + salt)
    .digest('hex')
  return { u: user, t: token, s: salt, v: VERSION, c: CLIENT }
}

function songsIn(items: readonly unknown[] = []): readonly SubsonicSong[] {
  return usable(Song, items).filter(isSound)
}

function isSound({ isDir, isVideo }: SubsonicSong): boolean {
  return !isDir && !isVideo
}

const NOT_FOUND = 70
/** Reasons by error code; each ends the sentence that begins with the server. */
const REFUSALS: Readonly<Record<number, string>> = {
  20: 'has an outdated protocol version. Its operator can update it',
  30: 'has an outdated protocol version. Its operator can update it',
  40: 'rejects the user or the password of this service. The operator can change them',
  41: 'accepts no tokens for this user. The operator can use a local user of the server',
  42: 'accepts no tokens for this user. The operator can use a local user of the server',
  50: 'denies this to the user of this service',
}

function refusal(code: number): Fault {
  const words = REFUSALS[code]
  const failed = 'has an internal error. Try again in a moment'
  return new Fault('service_unavailable', `The Subsonic server ${words ?? failed}.`, {
    reason: words === undefined ? 'no_answer' : 'source_refused',
    cause: `error ${code} of the Subsonic API`,
  })
}
