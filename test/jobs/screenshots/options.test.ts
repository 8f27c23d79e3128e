import { expect } from 'chai'
import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import sharp from 'sharp'
import { createJobSecrets } from '../../../jobs/screenshots/job-secrets.ts'
import { createAdBlocking } from '../../../jobs/screenshots/ads/ad-filter.ts'
import { STAGE_TIMES } from '../../../jobs/screenshots/progress.ts'
import type { OwnHeaders } from '../../../jobs/screenshots/page-requests.ts'
import { colourAt, jobFailureOf, page, square } from '../../support/pages.ts'
import { openStudio, type Studio } from '../../support/studio.ts'
import { serve, type Listening } from '../../support/web.ts'

const RED = 'ff0000'
const GREEN = '00ff00'
const WHITE = 'ffffff'

/** Each says what a sheet is called within a PDF. */
function sheets(count: number): string {
  return '<h1 style="break-after:page">/Type /Page</h1>'.repeat(count - 1) + '<p>The end</p>'
}

describe('options of screenshots', () => {
  const secrets = createJobSecrets([randomBytes(32)])
  let site: Listening
  /** Another origin, on which the site's pages call too. */
  let other: Listening
  let studio: Studio
  let routes: Record<string, RequestListener> = {}
  let received: { readonly at: string; readonly headers: IncomingHttpHeaders }[] = []

  const answer =
    (name: string): RequestListener =>
    (asked, reply) => {
      received.push({ at: name + asked.url, headers: asked.headers })
      ;(routes[asked.url ?? ''] ?? ((_, gone) => gone.writeHead(404).end()))(asked, reply)
    }

  before(async () => {
    site = await serve(answer(''))
    other = await serve(answer('other'))
    const list = '||127.0.0.1^*/ad-$script,image\n127.0.0.1##.sponsored\n##.everywhere'
    studio = await openStudio({
      allowHosts: ['127.0.0.1'],
      tools: { secrets, adBlocking: createAdBlocking({ text: () => Promise.resolve(list) }) },
    })
  })
  after(async () => {
    await studio?.close()
    await site?.close()
    await other?.close()
  })
  beforeEach(() => void (received = []))

  const at = (path: string) => `${site.url}${path}`
  const confide = (own: Partial<OwnHeaders>) => secrets.seal({ headers: {}, cookies: [], ...own })
  const headersAt = (path: string) => received.filter((it) => it.at === path).map(({ headers }) => headers)

  it('choose the format, and the file is of it', async () => {
    routes = { '/': page('', '<style>body{background:#f00}</style>') }
    for (const format of ['png', 'jpeg', 'webp', 'avif'] as const) {
      const shot = await studio.shoot(at('/'), { format, quality: 90 })
      const { format: found, width, height, compression } = await sharp(shot.bytes).metadata()
      expect(compression === 'av1' ? 'avif' : found, format).to.equal(format)
      expect([shot.contentType, shot.width, shot.height]).to.deep.equal([`image/${format}`, width, height])
      expect([width, height]).to.deep.equal([1280, 800])
      const { data } = await sharp(shot.bytes)
        .removeAlpha()
        .extract({ left: 600, top: 400, width: 1, height: 1 })
        .raw()
        .toBuffer({ resolveWithObject: true })
      expect(Math.abs((data[0] ?? 0) - 255) + (data[1] ?? 0) + (data[2] ?? 0), format).to.be.below(12)
    }
  })

  it('keep a picture within what its format can hold', async () => {
    routes = { '/': page('<div style="height:14000px;background:linear-gradient(#f00,#00f)"></div>') }
    const webp = await studio.shoot(at('/'), { format: 'webp', fullpage: true, device: 'mobile' })
    const avif = await studio.shoot(at('/'), { format: 'avif', fullpage: true, width: 800 })
    expect(webp.height).to.be.within(14_000, 16_383)
    expect(avif.width * avif.height).to.be.at.most(8_010_000)
  })

  it('print a page as a PDF with its words and its backgrounds', async () => {
    routes = { '/': page('<h1>A quiet harbour</h1><div style="height:3000px;background:#0f0"></div>') }
    const { bytes, contentType, width, height } = await studio.shoot(at('/'), { format: 'pdf' })
    expect([contentType, width, height]).to.deep.equal(['application/pdf', 794, 1123])
    expect(bytes.toString('latin1', 0, 5)).to.equal('%PDF-')
    expect(bytes.toString('latin1').match(/\/Type \/Page\b/g)?.length).to.be.within(3, 4)
  })

  it('say of a PDF that was cut how much there is', async () => {
    routes = { '/100': page(sheets(100)), '/130': page(sheets(130)) }
    expect(await studio.shoot(at('/100'), { format: 'pdf' })).to.not.have.property('fullSize')
    const cut = await studio.shoot(at('/130'), { format: 'pdf' })
    expect(cut).to.deep.include({ width: 794, height: 1123, fullSize: { width: 794, height: 130 * 1123 } })
  })

  it('set the window and how sharp the picture is', async () => {
    routes = {
      '/': page(
        '',
        '<style>body{background:#f00}@media(width:700px) and (height:300px){body{background:#0f0}}</style>',
      ),
    }
    const { width, height, bytes } = await studio.shoot(at('/'), { width: 700, height: 300, scale: 2 })
    expect([width, height]).to.deep.equal([1400, 600])
    expect(await colourAt(bytes, 700, 300)).to.equal(GREEN)
  })

  it('wait for an element, and say so when it never comes', async () => {
    const late = `<script>setTimeout(() => {
      document.body.insertAdjacentHTML('beforeend', '<div class=late style="background:#0f0;height:800px"></div>')
    }, 700)</script>`
    routes = { '/': page(late), '/never': page('<p class=late hidden>no</p>') }
    const { bytes } = await studio.shoot(at('/'), { waitFor: '.late' })
    expect(await colourAt(bytes, 600, 400)).to.equal(GREEN)
    const failure = await jobFailureOf(
      studio.shoot(at('/never'), { waitFor: '.late' }, { ...STAGE_TIMES, waitMs: 300 }),
    )
    expect(failure).to.include({
      code: 'timed_out',
      message: 'No element of `waitFor` (.late) became visible in 0.3 s.',
    })
    const wrong = await jobFailureOf(studio.shoot(at('/'), { waitFor: '..' }))
    expect(wrong).to.include({ code: 'bad_request', message: ".. isn't a valid CSS selector." })
  })

  it('send headers and cookies to the requested origin alone, whatever the page fetches and wherever it redirects', async () => {
    routes = {
      '/': (asked, reply) => reply.writeHead(302, { location: '/account' }).end(),
      '/account': page(`<img src="/own.png"><img src="${other.url}/theirs.png"><img src="/away.png">`),
      '/own.png': square('blue'),
      '/theirs.png': square('blue'),
      '/away.png': (asked, reply) => reply.writeHead(302, { location: `${other.url}/theirs.png?away` }).end(),
      '/theirs.png?away': square('blue'),
    }
    const sealed = confide({
      headers: { authorization: 'Bearer open-sesame', 'X-Tenant': 'seven' },
      cookies: [{ name: 'sid', value: 'abc', path: '/' }],
    })
    await studio.shoot(at('/'), { sealed })
    for (const path of ['/', '/account', '/own.png', '/away.png']) {
      const [headers] = headersAt(path)
      expect(headers, path).to.include({ authorization: 'Bearer open-sesame', 'x-tenant': 'seven' })
      expect(headers?.cookie, path).to.equal('sid=abc')
    }
    const theirs = [...headersAt('other/theirs.png'), ...headersAt('other/theirs.png?away')]
    expect(theirs).to.have.length(2)
    for (const headers of theirs) {
      expect(headers).not.to.have.any.keys('authorization', 'x-tenant')
    }
    // The next page knows nothing of them.
    received = []
    await studio.shoot(at('/own.png'), {})
    expect(headersAt('/own.png')[0]).not.to.have.any.keys('authorization', 'x-tenant', 'cookie')
  })

  it('do not send headers on when the page itself redirects to another origin', async () => {
    routes = {
      '/': (asked, reply) => reply.writeHead(302, { location: `${other.url}/landing` }).end(),
      '/landing': page('gone over'),
    }
    await studio.shoot(at('/'), { sealed: confide({ headers: { authorization: 'Bearer open-sesame', 'x-key': '1' } }) })
    expect(headersAt('/')[0]).to.include({ authorization: 'Bearer open-sesame' })
    expect(headersAt('other/landing')[0]).not.to.have.any.keys('authorization', 'x-key')
  })

  it('refuse headers that another key has sealed', async () => {
    routes = { '/': page('') }
    const sealed = createJobSecrets([randomBytes(32)]).seal({ headers: {}, cookies: [] })
    const failure = await jobFailureOf(studio.shoot(at('/'), { sealed }))
    expect(failure.code).to.equal('service_unavailable')
    expect(failure.message).to.include('Set the same JOBS_KEY')
    expect(received).to.deep.equal([])
  })

  it('block ads by lists, and close the room they leave', async () => {
    routes = {
      '/': page(`<div class="sponsored" style="height:200px;background:#f00"></div>
        <div class="everywhere" style="height:200px;background:#f00"></div>
        <img src="/ad-banner.png"><div id=made></div><script src="/ad-script.js"></script>`),
      '/ad-banner.png': square('blue'),
      '/ad-script.js': (_, reply) => reply.end("document.body.style.background = '#f00'"),
    }
    const blocked = await studio.shoot(at('/'), { blockAds: true })
    expect(received.map((it) => it.at).filter((path) => path.startsWith('/ad-'))).to.deep.equal([])
    for (const y of [100, 300]) expect(await colourAt(blocked.bytes, 600, y)).to.equal(WHITE)
    const whole = await studio.shoot(at('/'))
    expect(await colourAt(whole.bytes, 600, 100)).to.equal(RED)
    expect(headersAt('/ad-script.js')).to.have.length(1)
  })

  it('leave cookie banners where they are wanted', async () => {
    const banner = '<div id="onetrust-banner-sdk" style="position:fixed;inset:0;background:#f00">We value</div>'
    routes = { '/': page(banner) }
    const without = await studio.shoot(at('/'))
    const withIt = await studio.shoot(at('/'), { hideBanners: false })
    expect(await colourAt(without.bytes, 600, 400)).to.equal(WHITE)
    expect(await colourAt(withIt.bytes, 600, 400)).to.equal(RED)
  })
})
