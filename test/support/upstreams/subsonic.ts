import { createHash } from 'node:crypto'
import { startStandIn, type Received, type Reply, type StandIn } from './stand-in.ts'

const SUBSONIC_USER = 'listener'
export const SUBSONIC_PASSWORD = 'sesame-open-5b7e'

export interface SubsonicSongFile {
  readonly id: string
  readonly title: string
  readonly artist: string
  readonly seconds: number
  readonly suffix: string
  /** The file from that second on, for a server that encodes as it sends; without it the bytes are sent as they are. */
  readonly encodedFrom?: (seconds: number) => Buffer
  readonly bytes: Buffer
}

export interface SubsonicStandIn extends StandIn {
  readonly songs: SubsonicSongFile[]
  /** Song IDs in the order of the playlist. */
  playlist: string[]
  /** The pictures that it has, by what songs name them with. */
  readonly covers: Map<string, Buffer>
  extensions: string[]
  /** Error code of all requests; null: none is refused. */
  refusal: number | null
  /** Environment of a service that uses it. */
  readonly env: Readonly<Record<string, string>>
}

/** A server that speaks the JSON of Subsonic's API as Navidrome does: errors have status 200 and a code. */
export async function startSubsonic(songs: readonly SubsonicSongFile[] = []): Promise<SubsonicStandIn> {
  const state = {
    songs: [...songs],
    playlist: [] as string[],
    covers: new Map<string, Buffer>(),
    extensions: ['transcodeOffset'],
    refusal: null as number | null,
  }
  const service = await startStandIn((request) => {
    const method = /^\/rest\/(\w+)\.view$/.exec(request.path)?.[1]
    if (method === undefined) return { status: 404, text: '<html>not found</html>' }
    if (method === 'getOpenSubsonicExtensions') {
      return ok({ openSubsonicExtensions: state.extensions.map((name) => ({ name, versions: [1] })) })
    }
    const missing = ['u', 't', 's', 'v', 'c'].find((name) => !request.query.get(name))
    if (missing) return failed(10, `missing parameter: '${missing}'`)
    if (!isKnown(request.query)) return failed(40, 'Wrong username or password')
    if (state.refusal !== null) return failed(state.refusal, 'Internal words that no caller should see')
    return answer(method, request, state)
  })
  const env = { SUBSONIC_URL: service.url, SUBSONIC_USER, SUBSONIC_PASSWORD }
  return Object.assign(state, service, { env })
}

interface State {
  readonly songs: readonly SubsonicSongFile[]
  readonly playlist: readonly string[]
  readonly covers: ReadonlyMap<string, Buffer>
}

function answer(method: string, request: Received, { songs, playlist, covers }: State): Reply {
  const id = request.query.get('id') ?? ''
  const song = songs.find((it) => it.id === id)
  switch (method) {
    case 'search3': {
      const words = (request.query.get('query') ?? '').toLowerCase()
      const part = <T>(name: string, all: readonly T[]) => {
        const from = Number(request.query.get(`${name}Offset`) ?? 0)
        const found = all.slice(from, from + Number(request.query.get(`${name}Count`) ?? 20))
        // Servers leave out the list where it would be empty.
        return found.length > 0 ? { [name]: found } : {}
      }
      const found = songs.filter(({ title, artist }) => `${artist} ${title}`.toLowerCase().includes(words))
      const albums = ALBUMS.filter(({ name, artist }) => `${artist} ${name}`.toLowerCase().includes(words))
      const artists = ARTISTS.filter(({ name }) => name.toLowerCase().includes(words))
      const all = { ...part('song', found.map(child)), ...part('album', albums), ...part('artist', artists) }
      return ok({ searchResult3: all })
    }
    case 'getAlbumList2': {
      const from = Number(request.query.get('offset') ?? 0)
      return ok({ albumList2: { album: ALBUMS.slice(from, from + Number(request.query.get('size') ?? 10)) } })
    }
    case 'getArtists':
      return ok({ artists: { ignoredArticles: 'The', index: [{ name: 'Q', artist: ARTISTS }] } })
    case 'getArtist': {
      const artist = ARTISTS.find((it) => it.id === id)
      const album = ALBUMS.filter((it) => it.artistId === id)
      return artist ? ok({ artist: { ...artist, album } }) : failed(70, 'artist not found')
    }
    case 'getPlaylists': {
      const entry = { id: 'pl-1', name: 'Evening', owner: 'ann', public: true, songCount: playlist.length }
      return ok({ playlists: { playlist: [entry, { ...entry, id: 'pl-2', name: 'Morning' }] } })
    }
    case 'getSong':
      return song ? ok({ song: child(song) }) : failed(70, 'data not found')
    case 'getAlbum':
      if (id !== 'al-harbour') return failed(70, 'data not found')
      return ok({ album: { id, name: 'Harbour', songCount: songs.length, song: [...songs.map(child), VIDEO, {}] } })
    case 'getPlaylist': {
      const entry = playlist.flatMap((name) => songs.filter((it) => it.id === name)).map(child)
      return id === 'pl-1' ? ok({ playlist: { id, name: 'Evening', entry } }) : failed(70, 'data not found')
    }
    case 'stream':
      return song ? stream(song, request) : failed(70, 'data not found')
    case 'getCoverArt': {
      const bytes = covers.get(id)
      return bytes ? { bytes, headers: { 'content-type': 'image/jpeg' } } : failed(70, 'Artwork not found')
    }
    default:
      // A server of this kind has no route for unsupported endpoints.
      return { status: 404, text: '404 page not found' }
  }
}

const COMMON = { coverArt: 'al-harbour', created: '2026-01-01T00:00:00Z', duration: 120, songCount: 2 }
const ALBUMS = [
  { id: 'al-harbour', name: 'Harbour', artist: 'The Quays', artistId: 'ar-1', ...COMMON },
  { id: 'al-pier', name: 'Pier', artist: 'Other Shore', artistId: 'ar-2', ...COMMON },
]
const ARTISTS = [
  { id: 'ar-1', name: 'The Quays', albumCount: 1, coverArt: 'ar-1' },
  { id: 'ar-2', name: 'Other Shore', albumCount: 1 },
]

const VIDEO = { id: 'video-1', title: 'Film', isDir: false, isVideo: true }

function child({ id, title, artist, seconds, suffix }: SubsonicSongFile) {
  const facts = { parent: 'al-harbour', isDir: false, album: 'Harbour', coverArt: 'al-harbour', type: 'music' }
  return { id, title, artist, duration: seconds, suffix, contentType: 'audio/mpeg', isrc: ['QZABC2600001'], ...facts }
}

function stream({ bytes, encodedFrom }: SubsonicSongFile, { query, headers }: Received): Reply {
  if (encodedFrom) {
    const sound = encodedFrom(Number(query.get('timeOffset') ?? 0))
    return { bytes: sound, headers: { 'content-type': 'audio/mpeg', 'accept-ranges': 'none' } }
  }
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? Number.NaN)
  const common = { 'content-type': 'audio/mpeg', 'last-modified': 'Sun, 01 Nov 2026 10:00:00 GMT' }
  if (Number.isNaN(from)) return { bytes, headers: { ...common, 'content-length': String(bytes.length) } }
  const range = { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }
  const part = bytes.subarray(from)
  return { status: 206, bytes: part, headers: { ...common, ...range, 'content-length': String(part.length) } }
}

function isKnown(query: URLSearchParams): boolean {
  const token = createHash('md5')
    .update(SUBSONIC_PASSWORD + query.get('s'))
    .digest('hex')
  return query.get('u') === SUBSONIC_USER && query.get('t') === token
}

const ENVELOPE = { version: '1.16.1', type: 'stand-in', serverVersion: '1.0', openSubsonic: true }

function ok(body: object): Reply {
  return { json: { 'subsonic-response': { status: 'ok', ...ENVELOPE, ...body } } }
}

function failed(code: number, message: string): Reply {
  return { json: { 'subsonic-response': { status: 'failed', ...ENVELOPE, error: { code, message } } } }
}
