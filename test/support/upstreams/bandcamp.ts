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

/** A stand-in for Bandcamp, whose artists live on the same host here. */
export async function startBandcamp(): Promise<StandIn> {
  const service: StandIn = await startStandIn(({ path, query }) => {
    if (path === '/search' && query.get('item_type') === 't') {
      return { text: query.get('q') === 'nothing' ? '<ul></ul>' : results(service.url) }
    }
    const album = PAGES.get(path)
    if (album) return { text: page(album), headers: { 'content-type': 'text/html' } }
    if (path === '/about') return { text: '<html><body>About</body></html>' }
    if (path === '/track/guarded') return { status: 403, text: 'Just a moment' }
  })
  return service
}

const hit = (title: string, href: string) => `
  <li class="searchresult data-search" data-search="{}">
    <a class="artcont" href="${href}"><div class="art"><img src="https://img.example/b.jpg"></div></a>
    <div class="result-info"><div class="itemtype">TRACK</div>
      <div class="heading">
        <a href="${href}">
          ${title}
        </a></div>
      <div class="subhead">
        from Tides
        by The Quays &#38; Friends
      </div></div></li>`

function results(base: string): string {
  return `<ul class="result-items">${hit('Salt &amp; Rope', `${base}/track/salt?from=search&amp;x=1`)}${hit('No link', '')}</ul>`
}
