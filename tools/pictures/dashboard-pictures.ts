// Takes docs/dashboard/*.webp of a service with a DATA_DIR of its own that was just started with SANDBOX=on and
// EGRESS_ALLOW_HOSTS=127.0.0.1:18099, where this script has pages and receivers: npm run dashboard-pictures -- DATA_DIR
// It plays, renders, invites and sends first, so that there is something to see. Prints when the largest thing of each page was painted.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright'
import sharp from 'sharp'
import {
  changeThings,
  failOnce,
  inviteSomebody,
  makeKey,
  makePool,
  playAndAsk,
  render,
  sendWebhooks,
  type Demo,
  type Webhooks,
} from './dashboard-scenes.ts'
import { startSampleSite } from './sample-site.ts'

const FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'dashboard')
const WIDTHS = { wide: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const
const SIZES = ['wide', 'phone'] as const
const COLOURS = ['light', 'dark'] as const
/** Options of every tab: no colour transition is under way. */
const STILL = { locale: 'en-GB', reducedMotion: 'reduce' } as const
const SITE = 'http://127.0.0.1:18099'

/** Longer pages are cut: the rest looks the same. */
const MOST_HEIGHT = 1700

function pagesOf(
  { projectId, botId, guildId }: Demo,
  { hook, hanging, delivery, key, request, pool }: Made,
): Readonly<Record<string, string>> {
  const base = `/dashboard/projects/${projectId}`
  return {
    'sign-in': '/dashboard/sign-in',
    overview: base,
    keys: `${base}/keys`,
    key,
    'key-revoke': `${key}/revoke`,
    'new-key': `${base}/keys/new`,
    bots: `${base}/bots`,
    bot: `${base}/bots/${botId}`,
    'new-bot': `${base}/bots/new`,
    players: `${base}/players`,
    player: `${base}/players/${botId}/${guildId}`,
    pool,
    'add-track': `${base}/players/${botId}/${guildId}/add?q=lights`,
    sound: `${base}/players/${botId}/${guildId}/sound`,
    sources: `${base}/sources`,
    usage: `${base}/usage?range=hour`,
    'usage-routes': `${base}/usage?range=hour&by=route`,
    requests: `${base}/requests`,
    request,
    jobs: `${base}/jobs`,
    events: `${base}/events`,
    webhooks: `${base}/webhooks`,
    webhook: hook,
    'webhook-hanging': hanging,
    'webhook-delivery': delivery,
    'new-webhook': `${base}/webhooks/new`,
    members: `${base}/members`,
    audit: `${base}/audit`,
    'audit-controls': `${base}/audit?kind=control`,
    settings: `${base}/settings`,
    account: '/dashboard/account',
    projects: '/dashboard/projects',
    'new-project': '/dashboard/projects/new',
    nowhere: `${base}/nowhere`,
  }
}

interface Made extends Webhooks {
  readonly key: string
  readonly request: string
  readonly pool: string
}

async function takeAll(
  browser: Browser,
  { demo, made }: { readonly demo: Demo; readonly made: Made },
  size: keyof typeof WIDTHS,
  colours: 'light' | 'dark',
): Promise<void> {
  const looks = { ...STILL, viewport: WIDTHS[size], colorScheme: colours, baseURL: demo.baseUrl }
  const context = await browser.newContext(looks)
  const page = await context.newPage()
  for (const [name, path] of Object.entries(pagesOf(demo, made))) {
    if (name === 'overview') await page.goto(demo.dashboardUrl)
    await page.goto(path, { waitUntil: 'load' })
    if (name === 'try-call') await callOnce(page, demo.keys.linked)
    await page.waitForTimeout(300)
    const paintedMs = Math.round(await largestPaint(page))
    process.stdout.write(`${name.padEnd(10)} ${size} ${colours}  largest paint ${paintedMs} ms\n`)
    await take(page, `${name}-${size}-${colours}.webp`, WIDTHS[size].width)
  }
  await context.close()
}

async function callOnce(page: Page, key: string): Promise<void> {
  await page.fill('[name="query.q"]', 'lanterns')
  await page.fill('#key', key)
  await page.click('[data-key-paste] button')
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

/** Takes a page that cannot be loaded again in all sizes and colours. Leaves it wide. */
async function takeLooks(page: Page, name: string): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(WIDTHS[size])
    for (const colours of COLOURS) {
      await page.emulateMedia({ colorScheme: colours })
      await take(page, `${name}-${size}-${colours}.webp`, WIDTHS[size].width)
    }
  }
  await page.setViewportSize(WIDTHS.wide)
}

const [dataDir = './data'] = process.argv.slice(2)
const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Demo
mkdirSync(FOLDER, { recursive: true })
const site = startSampleSite(Number(new URL(SITE).port))
const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path)) ?? ''
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
const newContext = () => browser.newContext({ ...STILL, viewport: WIDTHS.wide })
const page = await (await newContext()).newPage()
await page.goto(demo.dashboardUrl)
await playAndAsk(demo)
const sent = await sendWebhooks(page, { demo, site: SITE, shoot: takeLooks }, () => render(demo, SITE))
await inviteSomebody(page, { demo, newContext, shoot: takeLooks })
const key = await makeKey(page, demo, takeLooks)
const pool = await makePool(page, demo)
await changeThings(page, demo)
const request = await failOnce(demo)
for (const size of SIZES) {
  for (const colours of COLOURS) await takeAll(browser, { demo, made: { ...sent, key, pool, request } }, size, colours)
}
await browser.close()
site.close()
site.closeAllConnections()
