// Takes docs/dashboard/*.webp of a service that runs in the sandbox: npm run dashboard-pictures -- DATA_DIR
// It plays a few tracks first, so that there is something to see. Prints when the largest thing of each page was painted.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import sharp from 'sharp'

const FOLDER = join(import.meta.dirname, '..', 'docs', 'dashboard')
const WIDTHS = { wide: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const
/** Something for the plots. */
const REQUESTS = [
  'tools/binary/encode?text=hi',
  'translation/languages',
  'holidays/countries',
  'tools/binary/decode?text=2',
]

/** Longer pages are cut: what is below looks the same. */
const MOST_HEIGHT = 1700

interface Demo {
  readonly baseUrl: string
  readonly dashboardUrl: string
  readonly projectId: string
  readonly botId: string
  readonly guildId: string
  readonly voiceChannelId: string
  readonly keys: { readonly linked: string }
  readonly queries: readonly string[]
}

function pagesOf({ projectId, botId, guildId }: Demo): Readonly<Record<string, string>> {
  const base = `/dashboard/projects/${projectId}`
  return {
    'sign-in': '/dashboard/sign-in',
    overview: base,
    keys: `${base}/keys`,
    'new-key': `${base}/keys/new`,
    bots: `${base}/bots`,
    bot: `${base}/bots/${botId}`,
    players: `${base}/players`,
    sound: `${base}/players/${botId}/${guildId}/sound`,
    usage: `${base}/usage?range=hour`,
    jobs: `${base}/jobs`,
    events: `${base}/events`,
    webhooks: `${base}/webhooks`,
    'new-webhook': `${base}/webhooks/new`,
    try: `${base}/try`,
    'try-call': `${base}/try/searchTracks`,
    members: `${base}/members`,
    audit: `${base}/audit`,
    settings: `${base}/settings`,
    account: '/dashboard/account',
    projects: '/dashboard/projects',
  }
}

async function play({ baseUrl, guildId, voiceChannelId, keys, queries }: Demo): Promise<void> {
  const authorization = `Bearer ${keys.linked}`
  for (const query of queries.slice(0, 5)) {
    await fetch(`${baseUrl}/v1/music/guilds/${guildId}/play`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ query, channelId: voiceChannelId }),
      signal: AbortSignal.timeout(20_000),
    })
  }
  for (let i = 0; i < 120; i += 1) {
    const path = REQUESTS[Math.floor(Math.sqrt(i)) % REQUESTS.length] ?? ''
    await fetch(`${baseUrl}/v1/${path}`, { headers: { authorization }, signal: AbortSignal.timeout(20_000) })
  }
}

async function takeAll(
  browser: Browser,
  demo: Demo,
  size: keyof typeof WIDTHS,
  colours: 'light' | 'dark',
): Promise<void> {
  const looks = { viewport: WIDTHS[size], colorScheme: colours, baseURL: demo.baseUrl, locale: 'en-GB' }
  const context = await browser.newContext(looks)
  const page = await context.newPage()
  for (const [name, path] of Object.entries(pagesOf(demo))) {
    if (name === 'overview') await page.goto(demo.dashboardUrl)
    await page.goto(path, { waitUntil: 'load' })
    if (name === 'try-call') await callOnce(page)
    await page.waitForTimeout(300)
    const paintedMs = Math.round(await largestPaint(page))
    process.stdout.write(`${name.padEnd(10)} ${size} ${colours}  largest paint ${paintedMs} ms\n`)
    await take(page, `${name}-${size}-${colours}.webp`, WIDTHS[size].width)
  }
  await context.close()
}

/** With a key that the page makes, as somebody would. */
async function callOnce(page: Page): Promise<void> {
  await page.fill('[name="query.q"]', 'lanterns')
  await page.click('[data-mint] button:visible')
  await page.waitForSelector('[data-key-now]:visible')
  await page.click('[data-send]')
  await page.waitForSelector('[data-state]:has-text(" ms")')
  await page.evaluate('scrollTo(0, 0)')
}

async function largestPaint(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
      .observe({ type: 'largest-contentful-paint', buffered: true })
    setTimeout(() => resolve(-1), 1000)
  })`)
}

async function take(page: Page, name: string, width: number): Promise<void> {
  const shot = sharp(await page.screenshot({ fullPage: true }))
  const { height } = await shot.metadata()
  const area = { left: 0, top: 0, width, height: Math.min(height, MOST_HEIGHT) }
  await shot.extract(area).webp({ quality: 70, effort: 6 }).toFile(join(FOLDER, name))
}

const [dataDir = './data'] = process.argv.slice(2)
const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Demo
mkdirSync(FOLDER, { recursive: true })
await play(demo)
const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path)) ?? ''
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
for (const size of ['wide', 'phone'] as const) {
  for (const colours of ['light', 'dark'] as const) await takeAll(browser, demo, size, colours)
}
await browser.close()
