// Takes docs/dashboard/*.webp of a service that runs in the sandbox and was started with EGRESS_ALLOW_HOSTS=127.0.0.1:18099,
// where this script has pages to make screenshots of: npm run dashboard-pictures -- DATA_DIR
// It plays a few tracks first, so that there is something to see. Prints when the largest thing of each page was painted.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import sharp from 'sharp'
import { openDatabase } from '../db/open.ts'
import { createVault } from '../db/vault.ts'
import { createDeliveries } from '../db/webhook-deliveries.ts'
import { createWebhooks, type WebhookEvent } from '../db/webhooks.ts'
import { SAMPLE_PAGES } from './sample-pages.ts'

const FOLDER = join(import.meta.dirname, '..', 'docs', 'dashboard')
const WIDTHS = { wide: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const
/** Something for the plots. */
const REQUESTS = [
  'tools/binary/encode?text=hi',
  'translation/languages',
  'holidays/countries',
  'tools/binary/decode?text=2',
]

const SITE = 'http://127.0.0.1:18099'
const SCREENSHOTS = ['article', 'records', 'timetable', 'records&device=mobile', 'article&fullpage=true', 'nowhere']

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

function pagesOf({ projectId, botId, guildId }: Demo, { hook, delivery }: Sent): Readonly<Record<string, string>> {
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
    webhook: `${base}/webhooks/${hook}`,
    'webhook-delivery': `${base}/webhooks/${hook}/deliveries/${delivery}`,
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

interface Sent {
  readonly hook: string
  readonly delivery: string
}

/** Webhooks with a past, as if two servers were there. They hear of nothing that happens while pictures are taken. */
function writeWebhooks(folder: string, { projectId, botId, guildId }: Demo): Sent {
  const db = openDatabase({ dataDir: folder, busyMs: 5000 })
  const webhooks = createWebhooks(db, createVault({ tokenKey: process.env['TOKEN_KEY'] ?? null, dataDir: folder }))
  const queue = createDeliveries(db)
  for (const { id } of webhooks.list(projectId)) webhooks.remove(projectId, id)
  const choice = { events: ['playerClosed', 'botStopped', 'jobEnded'], botIds: null } as const
  const [lobby, old] = [
    webhooks.create(projectId, { ...choice, url: 'https://lobby.example/hooks', description: 'Screen in the lobby' }),
    webhooks.create(projectId, { ...choice, url: 'https://old.example/bandstand', description: 'The old site' }),
  ]
  const tell = (type: WebhookEvent, name: string, statuses: readonly number[]) => {
    const data = type === 'jobEnded' ? { jobId: name, status: 'completed' } : { botId, guildId }
    const body = JSON.stringify({ type, timestamp: new Date().toISOString(), data })
    queue.publish({ projectId, type, botId, body, idFor: (webhookId) => `msg_${webhookId}${name}` })
    for (const [at, status] of statuses.entries()) {
      const excerpt = status === 200 ? '{"ok":true}' : '<h1>502 Bad Gateway</h1>'
      const made = { atMs: Date.now(), durationMs: 18 + 11 * at, status, error: null, excerpt }
      const again = status === 200 || at === 6 ? null : Date.now() + 90_000
      queue.attempted({ projectId, webhookId: lobby.id }, `msg_${lobby.id}${name}`, made, again)
    }
  }
  tell('playerClosed', 'a', [200])
  tell('jobEnded', 'b', [502, 502, 502, 502, 502, 502, 502])
  tell('botStopped', 'c', [502, 200])
  tell('jobEnded', 'd', [200])
  tell('jobEnded', 'e', [200])
  webhooks.disable(projectId, old.id, 'gone')
  db.close()
  return { hook: lobby.id, delivery: `msg_${lobby.id}b` }
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

/** Screenshots of pages of our own, and of one that is not there. */
async function render({ baseUrl, keys }: Demo): Promise<void> {
  const site = createServer((asked, reply) => {
    const page = SAMPLE_PAGES[asked.url?.slice(1) ?? '']
    reply.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  }).listen(Number(new URL(SITE).port), '127.0.0.1')
  const headers = { authorization: `Bearer ${keys.linked}` }
  const ask = async (path: string): Promise<{ readonly jobId: string }> => {
    const answer = await fetch(`${baseUrl}/v1/${path}`, { headers, signal: AbortSignal.timeout(60_000) })
    return ((await answer.json()) as { data: { jobId: string } }).data
  }
  for (const name of SCREENSHOTS) {
    const { jobId } = await ask(`tools/screenshot?url=${SITE}/${name}`)
    await ask(`jobs/${jobId}/wait`)
  }
  site.close()
  site.closeAllConnections()
}

async function takeAll(
  browser: Browser,
  { demo, sent }: { readonly demo: Demo; readonly sent: Sent },
  size: keyof typeof WIDTHS,
  colours: 'light' | 'dark',
): Promise<void> {
  const looks = { viewport: WIDTHS[size], colorScheme: colours, baseURL: demo.baseUrl, locale: 'en-GB' }
  const context = await browser.newContext(looks)
  const page = await context.newPage()
  for (const [name, path] of Object.entries(pagesOf(demo, sent))) {
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
await render(demo)
const sent = writeWebhooks(dataDir, demo)
const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path)) ?? ''
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
for (const size of ['wide', 'phone'] as const) {
  for (const colours of ['light', 'dark'] as const) await takeAll(browser, { demo, sent }, size, colours)
}
await browser.close()
