import { startStandIn, type Received, type Reply, type StandIn } from './stand-in.ts'

export const JELLYFIN_KEY = 'b1946ac92492d2347c6235b4d2611184'
export const JELLYFIN_PASSWORD = 'open-sesame-81c2'
const USER_ID = '11111111111111111111111111111111'

/** Item ID in the format of Jellyfin. */
export const guid = (n: number): string => n.toString(16).padStart(32, '0')

export interface JellyfinSongFile {
  readonly id: string
  readonly name: string
  readonly artist: string
  readonly seconds: number
  readonly container: string
  readonly bytes: Buffer
}

export interface JellyfinStandIn extends StandIn {
  readonly songs: JellyfinSongFile[]
  /** Song IDs in the order of the playlist. */
  playlist: string[]
  readonly covers: Map<string, Buffer>
  /** The sessions that it knows. */
  readonly tokens: Set<string>
  readonly env: Readonly<Record<string, string>>
}

export const ALBUM = guid(100)
export const ARTIST = guid(200)
export const PLAYLIST = guid(300)

/** A server that speaks Jellyfin's API (10.10): names in Pascal case, GUIDs without dashes, problem details as errors. */
export async function startJellyfin(songs: readonly JellyfinSongFile[] = []): Promise<JellyfinStandIn> {
  const state = {
    songs: [...songs],
    playlist: [] as string[],
    covers: new Map<string, Buffer>(),
    tokens: new Set<string>(),
  }
  const service = await startStandIn((request) => {
    const image = /^\/Items\/(\w+)\/Images\/Primary$/.exec(request.path)?.[1]
    // Pictures are for everybody.
    if (image !== undefined) return pictureOf(state.covers.get(image))
    if (request.path === '/Users/AuthenticateByName') return signIn(request, state.tokens)
    const token = /Token="([^"]+)"/.exec(request.headers.authorization ?? '')?.[1] ?? request.query.get('ApiKey') ?? ''
    if (token !== JELLYFIN_KEY && !state.tokens.has(token)) return { status: 401, text: '' }
    return answer(request, state)
  })
  const env = { JELLYFIN_URL: service.url, JELLYFIN_API_KEY: JELLYFIN_KEY }
  return Object.assign(state, service, { env })
}

function signIn({ body, headers }: Received, tokens: Set<string>): Reply {
  const { Username, Pw } = JSON.parse(body) as { Username?: string; Pw?: string }
  // Jellyfin requires the ID of the device that signs in.
  if (!/^MediaBrowser .*DeviceId="/.test(headers.authorization ?? '')) return problem(400)
  if (Username !== 'listener' || Pw !== JELLYFIN_PASSWORD) return { status: 401, text: 'Error processing request.' }
  const token = `session-${tokens.size + 1}-7f3d`
  tokens.add(token)
  return { json: { AccessToken: token, ServerId: guid(1), User: { Id: USER_ID, Name: 'listener' }, SessionInfo: {} } }
}

type State = Pick<JellyfinStandIn, 'songs' | 'playlist' | 'covers'>

function answer(request: Received, state: State): Reply {
  const { path, query } = request
  if (path === '/Users') return { json: [{ Id: USER_ID, Name: 'Listener', ServerId: guid(1) }] }
  if (path === '/Items') return itemsFor(query, state)
  if (path === '/Artists') return found([artist()], query)
  if (path === `/Playlists/${PLAYLIST}/Items`) {
    // Playlists are of users.
    if (query.get('userId') !== USER_ID) return problem(403)
    const inside = state.playlist.flatMap((id) => state.songs.filter((song) => song.id === id)).map(toItem)
    const film = { Id: guid(9), Name: 'Film', Type: 'Movie' }
    return found([...inside, film], query)
  }
  const [, id] = /^\/Audio\/(\w+)\/stream$/.exec(path) ?? []
  const song = state.songs.find((it) => it.id === id)
  return song && query.get('static') === 'true' ? fileOf(song.bytes, request) : problem(404)
}

function itemsFor(query: URLSearchParams, { songs, playlist }: State): Reply {
  const album = {
    Id: ALBUM,
    Name: 'Harbour',
    Type: 'MusicAlbum',
    AlbumArtist: 'The Quays',
    ImageTags: { Primary: 'aa1' },
  }
  const lists = [
    { ...album, ChildCount: songs.length },
    { Id: PLAYLIST, Name: 'Evening', Type: 'Playlist', MediaType: 'Audio', ImageTags: {}, ChildCount: playlist.length },
    artist(),
  ]
  const all = [...songs.map(toItem), ...lists]
  const ids = query.get('ids')
  if (ids !== null)
    return found(
      all.filter(({ Id }) => Id === ids.toLowerCase()),
      query,
    )
  const types = query.get('includeItemTypes')?.split(',') ?? []
  const parent = query.get('parentId')
  const inside = parent === ALBUM || query.get('artistIds') === ARTIST || (parent === null && !query.has('artistIds'))
  const names = query.get('artists')
  const matching = all.filter(({ Type }) => types.includes(Type) && inside && (names === null || names === 'The Quays'))
  return found(matching, query)
}

function artist() {
  return { Id: ARTIST, Name: 'The Quays', Type: 'MusicArtist', ImageTags: { Primary: 'ar1' } }
}

function found(items: readonly { readonly Name: string }[], query: URLSearchParams): Reply {
  const words = (query.get('searchTerm') ?? '').toLowerCase()
  const matching = items.filter((item) => item.Name.toLowerCase().includes(words))
  const from = Number(query.get('startIndex') ?? 0)
  const page = matching.slice(from, from + Number(query.get('limit') ?? 100))
  return { json: { Items: page, TotalRecordCount: 0, StartIndex: from } }
}

function toItem({ id, name, artist: by, seconds, container }: JellyfinSongFile) {
  const facts = { Type: 'Audio', MediaType: 'Audio', IsFolder: false, ServerId: guid(1), ImageTags: {} }
  const album = { Album: 'Harbour', AlbumId: ALBUM, AlbumPrimaryImageTag: 'aa1', AlbumArtist: 'The Quays' }
  return {
    Id: id,
    Name: name,
    Artists: [by],
    RunTimeTicks: seconds * 10_000_000,
    Container: container,
    ...album,
    ...facts,
  }
}

function pictureOf(bytes: Buffer | undefined): Reply {
  return bytes ? { bytes, headers: { 'content-type': 'image/jpeg' } } : problem(404)
}

function fileOf(bytes: Buffer, { headers }: Received): Reply {
  const common = { 'content-type': 'audio/mpeg', 'accept-ranges': 'bytes' }
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? Number.NaN)
  if (Number.isNaN(from)) return { bytes, headers: { ...common, 'content-length': String(bytes.length) } }
  const part = bytes.subarray(from)
  const range = { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }
  return { status: 206, bytes: part, headers: { ...common, ...range, 'content-length': String(part.length) } }
}

/** RFC 7807, as ASP.NET writes it. */
function problem(status: number): Reply {
  return { status, json: { type: 'about:blank', title: 'Not so', status, traceId: '00-1' } }
}
