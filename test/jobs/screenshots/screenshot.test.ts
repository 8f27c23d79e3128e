import { expect } from 'chai'
import type { RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { generate } from 'selfsigned'
import { MAX_PICTURE_BYTES } from '../../../jobs/queue/job.ts'
import { colourAt, jobFailureOf, page, square } from '../../support/pages.ts'
import { openStudio, type Studio } from '../../support/studio.ts'
import { listen, serve, type Listening } from '../../support/web.ts'

const RED = 'ff0000'
const GREEN = '00ff00'
const BLUE = '0000ff'
const WHITE = 'ffffff'

/** The name servers give no answer for one name, and know no other. */
async function lookup(host: string): Promise<[]> {
  if (host === 'away.test') throw Object.assign(new Error('queryA ETIMEOUT'), { code: 'ETIMEOUT' })
  return []
}

describe('screenshots', () => {
  let site: Listening
  let studio: Studio
  let routes: Record<string, RequestListener>

  before(async () => {
    site = await serve((asked, reply) => (routes[asked.url ?? ''] ?? gone)(asked, reply))
    studio = await openStudio({ allowHosts: ['127.0.0.1', 'gone.test'], lookup })
  })
  after(async () => {
    await studio?.close()
    await site?.close()
  })

  const at = (path: string) => `${site.url}${path}`

  it('shows a page as a desktop and as a phone see it', async () => {
    const agents: (string | undefined)[] = []
    routes = {
      '/': (asked, reply) => {
        agents.push(asked.headers['user-agent'])
        page('', '<style>body{background:#00f}@media(max-width:600px){body{background:#f00}}</style>')(asked, reply)
      },
    }
    const desktop = await studio.shoot(at('/'))
    const mobile = await studio.shoot(at('/'), { device: 'mobile' })
    expect(desktop).to.include({ contentType: 'image/png', width: 1280, height: 800 })
    expect(mobile).to.include({ contentType: 'image/png', width: 1082, height: 2402 })
    expect(await colourAt(desktop.bytes, 640, 400)).to.equal(BLUE)
    expect(await colourAt(mobile.bytes, 500, 1200)).to.equal(RED)
    expect(agents[0]).to.match(/Linux x86_64.* Chrome\/\d{3}\.0\.0\.0 Safari/)
    expect(agents[1]).to.match(/Android.* Chrome\/\d{3}\.0\.0\.0 Mobile Safari/)
  })

  it('fits a page that was not made for phones into the width of one', async () => {
    routes = {
      '/': (_, reply) => {
        reply.setHeader('content-type', 'text/html')
        reply.end('<body style="margin:0"><div style="width:980px;height:3000px;background:#f00">')
      },
    }
    const { width, height, bytes } = await studio.shoot(at('/'), { device: 'mobile', fullpage: true })
    expect(width).to.be.within(1080, 1084)
    expect(height).to.be.within(3300, 3330)
    expect(await colourAt(bytes, width - 4, height - 4)).to.equal(RED)
    // The page takes the width it is given, and no more.
    routes['/'] = (_, reply) => {
      reply.setHeader('content-type', 'text/html')
      reply.end('<!doctype html><body style="margin:0"><div style="height:100vh;background:#00f">')
    }
    for (const fullpage of [false, true]) {
      const shot = await studio.shoot(at('/'), { device: 'mobile', fullpage })
      expect(await colourAt(shot.bytes, shot.width - 8, 200), `fullpage: ${fullpage}`).to.equal(BLUE)
      expect(await colourAt(shot.bytes, 8, shot.height - 200)).to.equal(BLUE)
    }
  })

  it('shows the whole page with the pictures that load late, and what scrolling brings', async () => {
    routes = {
      '/': page(
        `<div style="height:3000px"></div><img loading=lazy src="/late" style="display:block">
         <div id=seen style="height:50px"></div>
         <script>new IntersectionObserver(([it]) => it.isIntersecting && (seen.style.background = '#0f0')).observe(seen)</script>`,
      ),
      '/late': (asked, reply) => void setTimeout(() => square('blue')(asked, reply), 150),
    }
    const part = await studio.shoot(at('/'))
    const { width, height, bytes } = await studio.shoot(at('/'), { fullpage: true })
    expect(part.height).to.equal(800)
    expect([width, height]).to.deep.equal([1280, 3100])
    expect(await colourAt(bytes, 25, 3025)).to.equal(BLUE)
    expect(await colourAt(bytes, 25, 3075)).to.equal(GREEN)
  })

  it('cuts a page that is too long, and lowers the sharpness of one that would be too large', async () => {
    routes = { '/': page('<div style="height:30000px;background:linear-gradient(#f00,#00f)"></div>') }
    const desktop = await studio.shoot(at('/'), { fullpage: true })
    const mobile = await studio.shoot(at('/'), { fullpage: true, device: 'mobile' })
    expect([desktop.width, desktop.height]).to.deep.equal([1280, 15_000])
    expect(mobile.width * mobile.height).to.be.within(24_000_000, 25_100_000)
    expect(mobile.height / mobile.width).to.be.closeTo(15_000 / 412, 0.1)
    // Half way down, in the middle of the gradient's first half.
    expect(await colourAt(mobile.bytes, 400, Math.round(mobile.height / 2))).to.match(/^bf00(3f|40)$/)
  })

  it('keeps to what a picture may weigh, no matter what it shows', async () => {
    // Nothing makes noise smaller: this would be 22 MB.
    const noise = `<canvas id="noise" width="1280" height="5800" style="display:block"></canvas><script>
      const brush = document.getElementById('noise').getContext('2d')
      const pixels = brush.createImageData(1280, 5800)
      for (let at = 0; at < pixels.data.length; at += 65536) crypto.getRandomValues(pixels.data.subarray(at, at + 65536))
      for (let at = 3; at < pixels.data.length; at += 4) pixels.data[at] = 255
      brush.putImageData(pixels, 0, 0)
    </script>`
    routes = { '/': page(noise) }
    const { bytes, width, height } = await studio.shoot(at('/'), { fullpage: true })
    expect(bytes.length).to.be.within(12 * 1024 * 1024, MAX_PICTURE_BYTES)
    expect(height / width).to.be.closeTo(5800 / 1280, 0.01)
  })

  it('waits for what scripts fetch, but not for streams that never end', async () => {
    routes = {
      '/': page(
        `<body><script>
          fetch('/slow').then(() => fetch('/slow')).then(() => { document.body.style.background = '#0f0' })
          new EventSource('/stream')
          fetch('/hang')
        </script>`,
      ),
      '/slow': (_, reply) => void setTimeout(() => reply.end('ok'), 400),
      '/stream': (_, reply) => {
        reply.setHeader('content-type', 'text/event-stream')
        reply.write(': here\n\n')
      },
      '/hang': (_, reply) => void reply.write('x'),
    }
    const { bytes } = await studio.shoot(at('/'))
    expect(await colourAt(bytes, 640, 400)).to.equal(GREEN)
  })

  it('shows what a page leads itself to, while it loads and afterwards', async () => {
    const reloads =
      'sessionStorage.seen ? (document.body.style.background = "#0f0") : (sessionStorage.seen = 1, location.reload())'
    routes = {
      '/at-once': page(`<script>${reloads}</script>`),
      '/loaded': page(`<script>onload = () => { ${reloads} }</script>`),
    }
    for (const path of Object.keys(routes)) {
      const { bytes } = await studio.shoot(at(path))
      expect(await colourAt(bytes, 640, 400), path).to.equal(GREEN)
    }
  })

  it('tells pages that the reader likes it dark, and waits longer when asked to', async () => {
    routes = {
      '/': page(
        '<script>setTimeout(() => { late.style.background = "#f00" }, 700)</script><div id=late style="height:50px">',
        '<style>:root{color-scheme:light dark}@media(prefers-color-scheme:dark){body{background:#00f}}</style>',
      ),
    }
    const plain = await studio.shoot(at('/'))
    const dark = await studio.shoot(at('/'), { dark: true, delayMs: 800 })
    expect(await colourAt(plain.bytes, 640, 400)).to.equal(WHITE)
    expect(await colourAt(dark.bytes, 640, 400)).to.equal(BLUE)
    expect(await colourAt(dark.bytes, 640, 25)).to.equal(RED)
  })

  it('shows one element, or a part, and says when there is nothing to show', async () => {
    const box = 'position:absolute;left:100px;top:2000px;width:300px;height:200px;background:#0f0'
    routes = { '/': page(`<div id=box style="${box}"></div><p hidden></p>`) }
    const element = await studio.shoot(at('/'), { selector: '#box' })
    expect([element.width, element.height]).to.deep.equal([300, 200])
    expect(await colourAt(element.bytes, 299, 199)).to.equal(GREEN)
    const part = await studio.shoot(at('/'), { selector: '#box', clip: { x: 250, y: 10, width: 500, height: 20 } })
    expect([part.width, part.height]).to.deep.equal([50, 20])
    const phone = await studio.shoot(at('/'), { device: 'mobile', selector: '#box' })
    expect([phone.width, phone.height]).to.deep.equal([788, 525])

    const nothing = await jobFailureOf(studio.shoot(at('/'), { selector: '#none' }))
    expect(nothing).to.include({ code: 'not_found', message: 'No element of the page matches the selector #none.' })
    for (const asked of [{ selector: 'p[' }, { selector: 'p' }, { clip: { x: 9999, y: 0, width: 1, height: 1 } }]) {
      expect((await jobFailureOf(studio.shoot(at('/'), asked))).code).to.equal('bad_request')
    }
  })

  it('hides cookie banners, and lets the page scroll again that they had locked', async () => {
    const banner = 'position:fixed;inset:0;background:#f00'
    routes = {
      '/': page(
        `<div style="height:2000px;background:#0f0"></div><div id="onetrust-banner-sdk" style="${banner}"></div>
         <script>onload = () => requestAnimationFrame(() => {
           document.body.insertAdjacentHTML('beforeend', '<div id="BorlabsCookieBox" style="${banner}"></div>')
         })</script>`,
        '<style>html,body{overflow:hidden;height:100%}</style>',
      ),
      '/own': page(`<div id="cookie-bar">${'This page is about bars for cookies. '.repeat(40)}</div>`),
    }
    const { height, bytes } = await studio.shoot(at('/'), { fullpage: true })
    expect(height).to.equal(2000)
    expect(await colourAt(bytes, 640, 400)).to.equal(GREEN)
    const own = await studio.shoot(at('/own'), { selector: '#cookie-bar' })
    expect(own.height).to.be.greaterThan(10)
  })

  it('fails with the reason when there is no page to see', async () => {
    const certificate = await generate([{ name: 'commonName', value: '127.0.0.1' }])
    const secure = await listen(createSecureServer({ key: certificate.private, cert: certificate.cert }))
    const down = await serve(() => {})
    await down.close()
    routes = {
      '/500': (_, reply) => reply.writeHead(503).end('<h1>broken</h1>'),
      '/file': (_, reply) => reply.writeHead(200, { 'content-disposition': 'attachment' }).end('x'),
      '/none': (_, reply) => reply.writeHead(204).end(),
      '/reset': (_, reply) => reply.writeHead(302, { location: '/205' }).end(),
      '/205': (_, reply) => reply.writeHead(205).end(),
      '/loop': (_, reply) => reply.writeHead(302, { location: '/loop' }).end(),
      '/cut': (_, reply) => reply.destroy(),
      '/inside': (_, reply) => reply.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
      '/leads': page('<script>location = "http://10.0.0.1/"</script>'),
    }
    const host = `127.0.0.1:${site.port}`
    for (const [url, code, message] of [
      [at('/500'), 'upstream_failed', `${host} returned 503 Service Unavailable instead of a page.`],
      [at('/missing'), 'upstream_failed', `${host} returned 404 Not Found instead of a page.`],
      [at('/file'), 'bad_request', `${host} returned a file, not a page.`],
      [at('/none'), 'bad_request', `${host} returned 204 No Content, not a page.`],
      [at('/reset'), 'bad_request', `${host} returned 205 Reset Content, not a page.`],
      [at('/loop'), 'upstream_failed', `Opening ${host} failed. It redirects in a loop.`],
      [at('/cut'), 'upstream_failed', `${host} closed the connection.`],
      [at('/inside'), 'bad_request', "10.0.0.1 isn't a public address."],
      [at('/leads'), 'bad_request', "10.0.0.1 isn't a public address."],
      [down.url, 'upstream_failed', `${down.url.slice(7)} refuses connections.`],
      ['http://away.test/', 'upstream_failed', 'The DNS lookup of away.test failed. Try again in a moment.'],
      ['http://gone.test/', 'bad_request', 'gone.test has no public address.'],
      [
        secure.url.replace('http:', 'https:'),
        'upstream_failed',
        `Opening ${secure.url.slice(7)} failed. An unknown authority issued its certificate.`,
      ],
    ] as const) {
      const failure = await jobFailureOf(studio.shoot(url))
      expect(failure, url).to.include({ code, message })
    }
    await secure.close()
  })

  it('leaves nothing of one page to the next', async () => {
    routes = {
      '/': page(
        `<script>
          const known = document.cookie.includes('seen') || localStorage.seen
          document.cookie = 'seen=1'; localStorage.seen = 1
          document.documentElement.style.background = known ? '#f00' : '#0f0'
        </script>`,
      ),
    }
    for (let i = 0; i < 2; i++) {
      const { bytes } = await studio.shoot(at('/'))
      expect(await colourAt(bytes, 640, 400)).to.equal(GREEN)
    }
  })
})

const gone: RequestListener = (_, reply) => void reply.writeHead(404).end('<h1>not here</h1>')
