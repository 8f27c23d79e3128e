// Draws docs/images/screenshots.webp, three pages of our own as the two devices see them, each in view and whole, and
// docs/images/screenshot-options.webp, what the options do to a fourth; taken by the job that the service uses. Run it after a
// change: `npm run page-sheet`. Needs Chromium, and pdftoppm (poppler-utils) for the PDF.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp, { type OverlayOptions } from 'sharp'
import { openBrowser } from '../../jobs/browser/browser.ts'
import { findBrowser } from '../../jobs/browser/browser-profile.ts'
import { openEgressProxy } from '../../jobs/browser/egress-proxy.ts'
import { createAdBlocking } from '../../jobs/screenshots/ads/ad-filter.ts'
import { BUILT_IN_LIST } from '../../jobs/screenshots/ads/built-in-list.ts'
import { createJobSecrets } from '../../jobs/screenshots/job-secrets.ts'
import { ScreenshotRequest, type OwnHeaders, type ScreenshotOptions } from '../../jobs/screenshots/page-requests.ts'
import { screenshot } from '../../jobs/screenshots/screenshot.ts'
import { createLog } from '../../lib/log.ts'
import { createEgress } from '../../upstream/egress/egress-guard.ts'
import { OPTIONS_PAGE, SAMPLE_PAGES } from './sample-pages.ts'

const TILE = { width: 300, height: 420 }
const LABEL = 40
const GAP = 20
const DEVICES_TO = new URL('../../docs/images/screenshots.webp', import.meta.url).pathname
const OPTIONS_TO = new URL('../../docs/images/screenshot-options.webp', import.meta.url).pathname

const executablePath = findBrowser(process.env['PATH'] ?? '')
if (!executablePath) throw new Error('No Chromium is installed; `node tools/install.mjs` installs one.')
const server = createServer((asked, reply) => {
  reply.setHeader('content-type', 'text/html; charset=utf-8')
  const name = asked.url?.slice(1) ?? ''
  const { cookie, authorization } = asked.headers
  const reader = cookie && authorization ? 'Signed in as the harbour master' : 'Not signed in'
  reply.end(name === 'options' ? OPTIONS_PAGE.replace('READER', reader) : (SAMPLE_PAGES[name] ?? ''))
})
await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`

const log = createLog('warn')
const egress = createEgress({ allowHosts: [host] })
const proxy = await openEgressProxy({ egress, log })
const browser = await openBrowser({ executablePath, proxy, log })

const secrets = createJobSecrets([randomBytes(32)])
const tools = { secrets, adBlocking: createAdBlocking({ text: () => Promise.resolve(BUILT_IN_LIST) }) }

const whole: Buffer[][] = []
for (const name of Object.keys(SAMPLE_PAGES)) {
  const row: Buffer[] = []
  for (const device of ['desktop', 'mobile'] as const) {
    for (const fullpage of [false, true]) {
      const label = `${name} · ${device}${fullpage ? ' · whole' : ''}`
      row.push(await tile(label, { url: name, device, fullpage }))
    }
  }
  whole.push(row)
}
await sheet(whole, DEVICES_TO)

const SIGNED_IN: OwnHeaders = {
  headers: { authorization: 'Bearer of-the-site' },
  cookies: [{ name: 'session', value: 'abc', path: '/' }],
}

/** Options, each beside its effect. */
const OPTIONS: readonly (readonly (readonly [string, Partial<ScreenshotOptions>, OwnHeaders?])[])[] = [
  [
    ['as it is', { hideBanners: false }],
    ['hideBanners (default)', {}],
    ['blockAds', { blockAds: true }],
    ['dark', { dark: true }],
  ],
  [
    ['selector=figure', { selector: 'figure' }],
    ['clip=0,0,640,400', { clip: { x: 0, y: 0, width: 640, height: 400 } }],
    ['width=600, height=800', { width: 600, height: 800 }],
    ['waitFor=.late', { waitFor: '.late' }],
  ],
  [
    ['delay=3000', { delayMs: 3000 }],
    ['scale=2, clip=230,0,320,200', { scale: 2, clip: { x: 230, y: 0, width: 320, height: 200 } }],
    ['headers, cookies', { clip: { x: 230, y: 0, width: 480, height: 300 } }, SIGNED_IN],
    ['format=pdf', { format: 'pdf' }],
  ],
]
const options: Buffer[][] = []
for (const asked of OPTIONS) {
  const row: Buffer[] = []
  for (const [label, wished, own] of asked) {
    row.push(await tile(label, { url: 'options', device: 'desktop', ...wished }, own))
  }
  options.push(row)
}
await sheet(options, OPTIONS_TO)

await browser.close()
await proxy.close()
await egress.close()
server.close()

async function tile(label: string, wished: ScreenshotOptions, own?: OwnHeaders): Promise<Buffer> {
  const sealed = own ? secrets.seal(own) : null
  const asked = ScreenshotRequest.parse({ ...wished, sealed, url: `http://${host}/${wished.url}` })
  const signal = AbortSignal.timeout(screenshot.timeoutMs)
  const taken = await screenshot.run(asked, { ...tools, browser, egress, log, signal, progress: () => undefined })
  console.log(`${label}: ${taken.width} × ${taken.height}`)
  const picture = await sharp(asked.format === 'pdf' ? firstSheet(taken.bytes) : taken.bytes)
    .resize({ ...TILE, fit: 'inside' })
    .png()
    .toBuffer()
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${TILE.width}" height="${LABEL}">
    <text x="${TILE.width / 2}" y="26" font-family="DejaVu Sans, sans-serif" font-size="17" fill="#d9dbe3" text-anchor="middle">${label}</text></svg>`
  const { width, height } = await sharp(picture).metadata()
  return sharp({
    create: { width: TILE.width, height: TILE.height + LABEL, channels: 4, background: '#1c1d22' },
  })
    .composite([
      { input: picture, left: Math.round((TILE.width - width) / 2), top: Math.round((TILE.height - height) / 2) },
      { input: Buffer.from(text), left: 0, top: TILE.height },
    ])
    .png()
    .toBuffer()
}

/** The first page of a PDF, as a picture. */
function firstSheet(pdf: Buffer): Buffer {
  return execFileSync('pdftoppm', ['-png', '-singlefile', '-r', '100', '-'], { input: pdf })
}

async function sheet(rows: readonly (readonly Buffer[])[], to: string): Promise<void> {
  const columns = rows[0]?.length ?? 0
  const placed: OverlayOptions[] = rows.flatMap((row, y) =>
    row.map((input, x) => ({
      input,
      left: GAP + x * (TILE.width + GAP),
      top: GAP + y * (TILE.height + LABEL + GAP),
    })),
  )
  const create = {
    width: GAP + columns * (TILE.width + GAP),
    height: GAP + rows.length * (TILE.height + LABEL + GAP),
    channels: 3,
    background: '#1c1d22',
  } as const
  await sharp({ create }).composite(placed).webp({ quality: 88 }).toFile(to)
}
