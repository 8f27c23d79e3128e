import { startStandIn, type Received, type Reply, type StandIn } from './stand-in.ts'

// Stand-ins for those who know about songs without playing any. They know one: "Night Ferry" by The Harbour Lights.

const record = (more: Record<string, unknown> = {}) => ({
  id: 1,
  name: 'Night Ferry',
  trackName: 'Night Ferry',
  artistName: 'The Harbour Lights',
  albumName: 'Tides',
  duration: 214,
  instrumental: false,
  plainLyrics: 'First line\n\nSecond line',
  syncedLyrics: '[00:12.34] First line\n[00:15.90]\n[00:20.00] Second line',
  ...more,
})

export interface LyricsStandIn extends StandIn {
  /** Result for the exact name; null for nothing. */
  exact: unknown
  /** Result of a search. */
  found: unknown
}

export async function startLyrics(): Promise<LyricsStandIn> {
  const stand: { exact: unknown; found: unknown } = { exact: record(), found: [] }
  const service = await startStandIn(({ path, query }) => {
    const seconds = Number(query.get('duration') ?? 1)
    if (seconds < 1 || seconds > 3600) return { status: 400, json: { name: 'ValidationError', statusCode: 400 } }
    if (path === '/api/get' && stand.exact !== null) return { json: stand.exact }
    if (path === '/api/get') return { status: 404, json: { name: 'TrackNotFound', statusCode: 404 } }
    return path === '/api/search' ? { json: stand.found } : undefined
  })
  return Object.assign(stand, service)
}

export { record as lyricsRecord }

const summary = (lang: string, title: string, more: Record<string, unknown> = {}) => ({
  type: 'standard',
  title,
  lang,
  description: lang === 'en' ? '2020 single by The Harbour Lights' : 'Lied',
  extract: `„${title}“ (${lang}) is a song by The Harbour Lights.\nIt tells of a ferry.`,
  content_urls: { desktop: { page: `https://${lang}.wikipedia.example/wiki/${encodeURIComponent(title)}` } },
  ...more,
})

/** Knows the song under a title with a bracket, and a town and a disambiguation page of the same name before it. */
export function startWikipedia(lang: string): Promise<StandIn> {
  return startStandIn(({ path, query, rawUrl }) => {
    if (path === '/w/api.php') {
      const isKnown = query.get('srsearch')?.includes('Night Ferry') || query.get('srsearch')?.includes('AC/DC?')
      const titles = ['Night Ferry', 'Night Ferry (town)', 'Ferry', 'Night Ferry (song)', 'AC/DC? (song)']
      return { json: { query: { search: isKnown ? titles.map((title) => ({ title })) : [] } } }
    }
    if (path === '/api/rest_v1/page/summary/Night_Ferry')
      return { json: summary(lang, 'Night Ferry', { type: 'disambiguation' }) }
    if (path === '/api/rest_v1/page/summary/Night_Ferry_(town)') {
      return { json: summary(lang, 'Night Ferry', { description: 'Town', extract: 'A town with harbour lights.' }) }
    }
    if (path === '/api/rest_v1/page/summary/Night_Ferry_(song)') return { json: summary(lang, 'Night Ferry (song)') }
    if (rawUrl === '/api/rest_v1/page/summary/AC%2FDC%3F_(song)') return { json: summary(lang, 'AC/DC? (song)') }
  })
}

export interface GeniusStandIn extends StandIn {
  description: string
}

export async function startGenius(): Promise<GeniusStandIn> {
  const stand = { description: 'A description.\n\nSecond paragraph.' }
  const service = await startStandIn(({ path, headers }) => {
    if (headers.authorization !== 'Bearer genius-token') return { status: 401, json: { meta: { status: 401 } } }
    const song = { id: 9, title: 'Night Ferry', artist_names: 'The Harbour Lights', url: 'https://genius.example/9' }
    if (path === '/search') {
      return { json: { response: { hits: [{ result: { ...song, id: 8, title: 'Other' } }, {}, { result: song }] } } }
    }
    if (path === '/songs/9')
      return { json: { response: { song: { ...song, description: { plain: stand.description } } } } }
  })
  return Object.assign(stand, service)
}

const deezerTrack = (id: number, title: string, more: Record<string, unknown> = {}) => ({
  id,
  title,
  duration: 200,
  artist: { id: 27, name: 'The Harbour Lights' },
  album: { cover_xl: 'https://img.example/x.jpg' },
  type: 'track',
  ...more,
})

function deezerLists(kind: string, q: string): readonly unknown[] {
  if (!q.includes('Tides')) return []
  const album = { id: 5, title: 'Tides', nb_tracks: 2, cover_xl: 'https://img.example/album.jpg' }
  if (kind === 'album') return [{ ...album, artist: { name: 'The Harbour Lights' } }, { title: 'broken' }]
  if (kind === 'playlist') return [{ id: 5, title: 'Tides all day', nb_tracks: 30, user: { name: 'ferryman' } }]
  return [{ id: 27, name: 'Tides', picture_xl: 'https://img.example/artist.jpg' }]
}

/** Failures have status 200 here, as there. */
export function startDeezer(): Promise<StandIn> {
  return startStandIn(({ path, query }) => {
    const noData = { json: { error: { type: 'DataException', message: 'no data', code: 800 } } }
    if (path === '/search' && query.get('q')?.includes('quota')) {
      return { json: { error: { type: 'Exception', message: 'Quota limit exceeded', code: 4 } } }
    }
    if (path === '/search') {
      const known = query.get('q')?.includes('Night Ferry')
      return { json: { data: known ? [deezerTrack(1, 'Night Ferry', { duration: 214 })] : [], total: 0 } }
    }
    // Without links and recording numbers.
    if (path === '/artist/27/radio') {
      return {
        json: { data: [deezerTrack(1, 'Night Ferry'), deezerTrack(2, 'Ebb &  Flow 6'), deezerTrack(3, 'Nowhere')] },
      }
    }
    if (path === '/artist/27') return { json: { id: 27, name: 'The Harbour Lights' } }
    if (path === '/artist/27/top') return { json: { data: [deezerTrack(2, 'Low Tide'), { id: 'broken' }] } }
    if (path.startsWith('/search/')) return { json: { data: deezerLists(path.slice(8), query.get('q') ?? '') } }
    if (path === '/track/1' || path === '/track/isrc:ZZABC2600001') {
      return { json: deezerTrack(1, 'Night Ferry', { duration: 214, isrc: 'ZZABC2600001' }) }
    }
    if (path === '/album/5' || path === '/playlist/5') {
      const tracks = [deezerTrack(1, 'Night Ferry', { album: undefined }), { id: 'broken' }, deezerTrack(2, 'Low Tide')]
      return { json: { title: 'Tides', cover_xl: 'https://img.example/album.jpg', tracks: { data: tracks } } }
    }
    return noData
  })
}

export interface LastFmStandIn extends StandIn {
  tracks: unknown
}

/** One track comes as itself, none as text. */
export async function startLastFm(): Promise<LastFmStandIn> {
  const stand: { tracks: unknown } = { tracks: [] }
  const answer = ({ query }: Received): Reply => {
    if (query.get('api_key') !== 'lastfm-key') return { json: { error: 10, message: 'Invalid API key' } }
    if (query.get('track') !== 'Night Ferry')
      return { status: 404, json: { error: 6, message: 'Track not found', links: [] } }
    return { json: { similartracks: { track: stand.tracks, '@attr': { artist: 'The Harbour Lights' } } } }
  }
  const service = await startStandIn(answer)
  return Object.assign(stand, service)
}

export function startListenBrainz(): Promise<StandIn> {
  return startStandIn(({ path, query, headers }) => {
    if (headers.authorization !== 'Token lb-token') return { status: 401, json: { code: 401 } }
    if (path !== '/1/explore/lb-radio' || !query.get('prompt')?.startsWith('artist:(')) return undefined
    const track = [{ title: 'Low Tide', creator: 'The Harbour Lights', duration: 61_000, identifier: [] }, {}]
    return { json: { payload: { jspf: { playlist: { title: 'Radio', track } }, feedback: [] } } }
  })
}
