import { startStandIn, type StandIn } from './stand-in.ts'

const escaped = (value: unknown) => JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;')

const song = (title: string, path: string, more: Record<string, unknown> = {}) => ({
  title,
  artist: null,
  duration: 213.4,
  title_link: path,
  file: { 'mp3-128': `//t4.bcbits.example/stream${path}?p=0&amp;ts=1` },
  ...more,
})

const page = (album: unknown) =>
  `<html><head><meta property="og:image" content="https://img.example/a.jpg?x=1&amp;y=2"></head>` +
  `<body><script src="x.js" data-tralbum="${escaped(album)}"></script></body></html>`

const TRACK = song('Salt & “Rope”', '/track/salt')
const PAGES = new Map<string, unknown>([
  ['/track/salt', { artist: 'The Quays', current: { title: TRACK.title }, trackinfo: [TRACK] }],
  [
    '/track/bought',
    { artist: 'The Quays', current: { title: 'B' }, trackinfo: [song('B', '/track/bought', { file: null })] },
  ],
  [
    '/album/tides',
    {
      artist: 'The Quays',
      current: { title: 'Tides' },
      trackinfo: [
        TRACK,
        song('Bought', '/track/bought', { file: null }),
        song('Reef', '/track/reef', { artist: 'Guest' }),
      ],
    },
  ],
  ['/album/strange', { surprise: true }],
])

const MEDIA_HOST = 't4.bcbits.example'

/** A stand-in for Bandcamp, whose artists live on the same host here. */
export async function startBandcamp(mediaHost = MEDIA_HOST): Promise<StandIn> {
  const service: StandIn = await startStandIn(({ path, method, body }) => {
    if (path === '/search') return { text: CHALLENGE, headers: { 'content-type': 'text/html' } }
    if (path === '/api/bcsearch_public_api/1/autocomplete_elastic' && method === 'POST') {
      const asked = JSON.parse(body) as { search_text: string; search_filter: string }
      const results = asked.search_filter !== 't' || asked.search_text === 'nothing' ? [] : hits(service.url)
      return { json: { auto: { results, stat_params_for_tag: '', time_ms: 21 }, tag: { matches: [] }, genre: {} } }
    }
    const album = PAGES.get(path)
    if (album) return { text: page(album).replaceAll(MEDIA_HOST, mediaHost), headers: { 'content-type': 'text/html' } }
    if (path === '/about') return { text: '<html><body>About</body></html>' }
    if (path === '/track/guarded') return { text: CHALLENGE, headers: { 'content-type': 'text/html' } }
  })
  return service
}

/** The page that programs get instead, with the status of a success. */
const CHALLENGE =
  '<!DOCTYPE html><html lang="en"><head><title>Client Challenge</title><script src="/_fs-ch-1T1wmsGaOgGaSxcX/script.js">' +
  '</script></head><body><noscript>JavaScript is disabled in your browser.</noscript></body></html>'

const hit = (name: string, more: Record<string, unknown>) => ({
  type: 't',
  id: 3_932_432_663,
  art_id: 1_344_170_711,
  img_id: null,
  name,
  band_id: 1_146_411_180,
  band_name: 'The Quays & Friends',
  album_name: 'Tides',
  img: 'https://img.example/b.jpg',
  album_id: 495_553_959,
  stat_params: 'search_item_id=3932432663&search_item_type=t',
  ...more,
})

const hits = (base: string) => [
  hit('Salt & Rope', { item_url_root: base, item_url_path: `${base}/track/salt?from=search&x=1` }),
  { type: 'b', name: 'The Quays', item_url_root: base },
  hit('No link', { item_url_path: 'javascript:0' }),
]
