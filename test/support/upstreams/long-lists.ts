import { shapeOf } from '../../../tools/sources/shapes.ts'
import { startStandIn, type Received, type Reply, type StandIn } from './stand-in.ts'

// A stand-in for all sites at one address. A list is as long as its id says, and its songs are called by their place.

export const SPOTIFY_APP = { SPOTIFY_CLIENT_ID: 'app-of-the-operator', SPOTIFY_CLIENT_SECRET: 'secret-5b1f90' }

export interface LongLists extends StandIn {
  /** Tokens that Spotify's API accepts. */
  readonly tokens: Set<string>
  /** Place of the first song that the site does not give any more; null for all. */
  brokenFrom: number | null
  /** Where a page names the length of its list. */
  countForm: 'number' | 'words'
}

export const spotifyId = (length: number): string => String(length).padStart(22, 'L')

export async function startLongLists(): Promise<LongLists> {
  const stand = { tokens: new Set<string>(), brokenFrom: null, countForm: 'number' as const }
  const service: StandIn = await startStandIn((request) => {
    const { path } = request
    const site = SITES.find(([prefix]) => path.startsWith(prefix))
    return site?.[1](request, Object.assign(stand, service))
  })
  return Object.assign(stand, service)
}

type Answer = (request: Received, stand: LongLists) => Reply | undefined

const SITES: readonly (readonly [prefix: string, answer: Answer])[] = [
  ['/embed/', ({ path }) => embedded(path)],
  ['/api/token', signIn],
  ['/v1/', spotifyApi],
  ['/us/playlist/', ({ path }) => applePage(lengthIn(path))],
  ['/lookup', ({ query }) => itunes(Number(query.get('id')))],
  ['/resolve', ({ query }) => soundCloudList(lengthIn(query.get('url') ?? ''))],
  ['/tracks', soundCloudTracks],
  ['/youtubei/v1/browse', youTubeList],
  ['/youtubei/v1/search', () => ({ json: NOTHING_FOUND })],
  ['/track/', () => ({ json: shapeOf('deezer', 'track') })],
  ['/search/tracks', () => ({ json: { collection: [] } })],
  ['/@', ({ path }) => ({ text: `<link rel="canonical" href="https://www.youtube.com/channel/${path.slice(2)}">` })],
  ['/search', () => ({ json: shapeOf('deezer', 'search') })],
  ['/playlist/', listPage],
  ['/album/', deezer],
  ['/artist/', deezer],
]

const lengthIn = (text: string): number => Number(/(\d+)(?:\/tracks)?$/.exec(text)?.[1])
const places = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i + 1)
/** An entry in the recorded shape, with some values of its own. */
const like = (entry: object | undefined, own: object): object => ({ ...entry, ...own })
const uriOf = (place: number): string => `spotify:track:${spotifyId(place)}`
const refused = (status: number, message: string): Reply => ({ status, json: { error: { status, message } } })
const titleOf = (place: number): string => `Song ${place}`
const script = (id: string, json: unknown) =>
  `<script type="application/json" id="${id}">${JSON.stringify(json)}</script>`
const countOf = (length: number) =>
  `<meta name="description" content="x"><meta property="music:song_count" content="${length}"/>`

function embedded(path: string): Reply {
  const page = shapeOf('spotify', 'embedded playlist') as SpotifyPage
  const { entity } = page.props.pageProps.state.data
  const [entry] = entity.trackList
  const length = path.includes('/artist/') ? 10 : Math.min(100, lengthIn(path))
  entity.trackList = places(0, length).map((place) => like(entry, { uri: uriOf(place), title: titleOf(place) }))
  return { text: script('__NEXT_DATA__', page) }
}

interface SpotifyPage {
  readonly props: {
    readonly pageProps: { readonly state: { readonly data: { readonly entity: { trackList: object[] } } } }
  }
}

function signIn({ headers, body }: Received, { tokens }: LongLists): Reply {
  const { SPOTIFY_CLIENT_ID: id, SPOTIFY_CLIENT_SECRET: secret } = SPOTIFY_APP
  const isKnown = headers.authorization === `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded'
  if (!isKnown || !isForm || body !== 'grant_type=client_credentials') {
    return { status: 400, json: { error: 'invalid_client', error_description: 'Invalid client' } }
  }
  const token = `token-${tokens.size}`
  tokens.add(token)
  return { json: { access_token: token, token_type: 'Bearer', expires_in: 3600 } }
}

function spotifyApi({ path, query, headers }: Received, { tokens, brokenFrom }: LongLists): Reply {
  if (!tokens.has(headers.authorization?.replace('Bearer ', '') ?? '')) return refused(401, 'Invalid access token')
  const [, , kind, id = '', part] = path.split('/')
  if (id.startsWith('F')) return refused(403, 'Forbidden')
  const song = shapeOf('spotify', 'API, track') as object
  const entryAt = (place: number) => like(song, { id: spotifyId(place), name: titleOf(place) })
  if (kind === 'tracks') return { json: entryAt(1) }
  const total = lengthIn(id)
  if (part === undefined) return { json: { name: 'Harbour Nights', images: [] } }
  const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))]
  if (limit > 50) return refused(400, 'Invalid limit')
  if (brokenFrom !== null && offset >= brokenFrom) return refused(500, 'Server error')
  const items = places(offset, Math.min(total, offset + limit)).map(entryAt)
  return { json: { total, limit, offset, items: kind === 'albums' ? items : items.map((item) => ({ item })) } }
}

/** The same address is a page of Spotify and of Deezer's API, whose ids are numbers. */
function listPage(request: Received, { countForm }: LongLists): Reply {
  if (!/\/L+\d+$/.test(request.path)) return deezer(request)
  const length = lengthIn(request.path)
  const words = `<meta property="og:description" content="Playlist · Quay · ${length.toLocaleString('en')} items · 12 saves"/>`
  return { text: countForm === 'words' ? words : countOf(length) }
}

function deezer({ path, query }: Received): Reply {
  const [, kind, , part] = path.split('/')
  const { data } = shapeOf('deezer', 'songs of a playlist') as { data: object[] }
  const songAt = (place: number) => ({ ...data[0], id: place, title: titleOf(place) })
  const total = kind === 'artist' ? 30 : lengthIn(path)
  const [index, limit] = [Number(query.get('index') ?? 0), Number(query.get('limit') ?? 25)]
  const page = (most: number) => places(index, Math.min(total, index + most)).map(songAt)
  if (part !== undefined) return { json: { data: page(limit), total } }
  return {
    json: { name: 'Quay', title: 'Harbour Nights', cover_xl: 'x', nb_tracks: total, tracks: { data: page(400) } },
  }
}

/** The page of a playlist has its first hundred. */
function applePage(length: number): Reply {
  const page = shapeOf('apple', 'page of a playlist') as { data: { data: { sections: { items: object[] }[] } }[] }
  const section = page.data[0]?.data.sections[1]
  if (section)
    section.items = places(0, Math.min(100, length)).map((place) => like(section.items[0], { title: titleOf(place) }))
  return { text: `${countOf(length)}${script('serialized-server-data', page)}` }
}

/** The store gives at most 200 songs. Ids from 100,000 on are artists. */
function itunes(id: number): Reply {
  const { results } = shapeOf('apple', id < 100_000 ? 'album' : 'artist') as { results: object[] }
  const [about, song] = results
  const songs = places(0, Math.min(200, id)).map((place) => like(song, { trackId: place, trackName: titleOf(place) }))
  return { json: { results: [{ ...about, trackCount: id }, ...songs] } }
}

const { collection: FOUND } = shapeOf('soundcloud', 'search') as { collection: object[] }
const soundCloudSong = (place: number) => ({
  ...FOUND[0],
  id: place,
  title: titleOf(place),
  permalink_url: `https://soundcloud.com/quay/${place}`,
})

/** The first five come whole, the others as numbers alone. */
function soundCloudList(length: number): Reply {
  const tracks = places(0, length).map((id) => (id <= 5 ? soundCloudSong(id) : { id, kind: 'track' }))
  return { json: { kind: 'playlist', id: 7, title: 'Harbour Nights', track_count: length, tracks } }
}

function soundCloudTracks({ query }: Received): Reply {
  const ids = (query.get('ids') ?? '').split(',').map(Number)
  return ids.length > 50 ? { status: 400, json: {} } : { json: ids.toReversed().map(soundCloudSong) }
}

const NOTHING_FOUND = {
  contents: { twoColumnSearchResultsRenderer: { primaryContents: { sectionListRenderer: { contents: [] } } } },
}
const run = (text: string) => ({ runs: [{ text }] })

/** A hundred videos a page, and the token of the next one. */
function youTubeList({ body }: Received): Reply {
  const { browseId, continuation } = JSON.parse(body) as { browseId?: string; continuation?: string }
  const [total = 0, from = 0] = (continuation ?? `${lengthIn(browseId ?? '')}`).split(' ').map(Number)
  const to = Math.min(total, from + 100)
  const continuationCommand = { token: `${total} ${to}`, request: 'CONTINUATION_REQUEST_TYPE_BROWSE' }
  const more = { continuationItemRenderer: { trigger: 'x', continuationEndpoint: { continuationCommand } } }
  const contents = [...places(from, to).map(youTubeEntry), ...(to < total ? [more] : [])]
  if (continuation !== undefined) {
    return { json: { onResponseReceivedActions: [{ appendContinuationItemsAction: { continuationItems: contents } }] } }
  }
  const rows = [{ itemSectionRenderer: { contents: [{ playlistVideoListRenderer: { contents } }] } }]
  const tab = { tabRenderer: { selected: true, content: { sectionListRenderer: { contents: rows } } } }
  const stats = [{ runs: [{ text: total.toLocaleString('en') }, { text: ' videos' }] }, { simpleText: '1 view' }]
  const sidebar = {
    items: [{ playlistSidebarPrimaryInfoRenderer: { stats, title: run('x'), navigationEndpoint: {} } }],
  }
  return {
    json: {
      metadata: { playlistMetadataRenderer: { title: 'Harbour Nights' } },
      contents: { twoColumnBrowseResultsRenderer: { tabs: [tab] } },
      sidebar: { playlistSidebarRenderer: sidebar },
    },
  }
}

function youTubeEntry(place: number) {
  return {
    playlistVideoRenderer: {
      videoId: String(place).padStart(11, '0'),
      title: { ...run(titleOf(place)), accessibility: { accessibilityData: { label: 'x' } } },
      shortBylineText: run('Quay'),
      lengthText: { simpleText: '3:20' },
      lengthSeconds: '200',
      isPlayable: true,
      thumbnail: { thumbnails: [] },
      navigationEndpoint: {},
    },
  }
}
