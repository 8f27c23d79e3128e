/**
 * Every page of the dashboard, with a year of usage, 25 keys, 100 players, one with a queue of 200 tracks, 200,000 requests in the
 * log and 20,000 entries in the audit log: how long the service takes for each, and in Chromium when its largest thing is painted and
 * how much moves. `npm run bench:pages -- [--rounds 15] [--players 100] [--only usage]`
 */
import { parseArgs } from 'node:util'
import type { BrowserContext, Page } from 'playwright'
import { PAGES } from '../dashboard/pages/index.ts'
import { launchBrowser } from '../test/support/browser.ts'
import { launchService, makeDataDir, startService, type Demo, type RunningService } from '../test/support/service.ts'
import { demoTracks } from '../test/support/made-once.ts'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serve } from '../test/support/web.ts'
import { play, startConcert, withTone } from './places.ts'
import { seed, type Seeded } from './pages/seed.ts'
import { ownAtMost, report } from './report.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    players: { type: 'string', default: '100' },
    only: { type: 'string', default: '' },
  },
})
const ROUNDS = Number(values.rounds)
const PLAYERS = Number(values.players)
const AMOUNTS = { days: 365, requests: 200_000, auditEntries: 20_000 }
const QUEUED = 200
const CONCERT_SECONDS = 1200
const SERVER_MS = 50
const LCP_MS = 1500
const CLS = 0.05

/** Streams, files, and what is shown once or to those who are not in yet. */
const NO_PAGE = /\/(?:live|listen|artwork|picture|shown|invited|enter|back|code|sign-in|discord|export\.\w+)$/
/** The same page for another view of it. */
const VIEWS: Readonly<Record<string, readonly string[]>> = {
  usage: ['?range=hour', '?range=week&by=route', '?range=year&by=key', '?range=year&by=route'],
  audit: ['?kind=control', '?q=nothing', '?who=mara&kind=all'],
  requests: ['?status=error', '?route=play&status=5xx'],
}

interface Timed {
  readonly path: string
  readonly p50: number
  readonly max: number
  readonly bytes: number
  lcp: number
  cls: number
}

/** LRCLIB, which is on the internet: how long that takes is not the page's. */
function serveLyrics() {
  const syncedLyrics = Array.from({ length: 60 }, (_, i) => `[00:${String(i).padStart(2, '0')}.00] line ${i}`).join(
    '\n',
  )
  const song = { trackName: 'Benchmark Tone', artistName: '', duration: CONCERT_SECONDS, syncedLyrics }
  return serve((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify([song]))
  })
}

/** A service that knows the project already, with its data filled while it does not run. */
async function startFilled(
  libraryDir: string,
  lyricsUrl: string,
): Promise<{ readonly service: RunningService; readonly seeded: Seeded }> {
  const dataDir = makeDataDir()
  cpSync(await demoTracks(), join(dataDir, 'demo'), { recursive: true })
  const first = await launchService(dataDir, { RENDER_CONCURRENCY: '0' })
  await first.kill('SIGTERM')
  const { projectId } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as Demo
  const startedMs = performance.now()
  const seeded = await seed(dataDir, projectId, AMOUNTS)
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  console.log(`${seeded.usageRows} rows of usage, ${seeded.requests} requests, written in ${seconds} s`)
  const own = { LIBRARY_DIR: libraryDir, PLAYER_ALONE_SECONDS: '86400' }
  const env = { ...own, EGRESS_ALLOW_HOSTS: '127.0.0.1', LRCLIB_URL: lyricsUrl }
  return { service: await startService({ dataDir, env }), seeded }
}

/** The paths of all pages, with what is there for each of their parameters. */
async function pathsOf(service: RunningService, page: Page, seeded: Seeded): Promise<readonly string[]> {
  const { projectId, botId, guildId, baseUrl } = service.demo
  const base = `${baseUrl}/dashboard/projects/${projectId}`
  await page.goto(`${base}/pools/new`)
  await page.fill('#name', 'All of ours')
  await page.click('.buttons .primary')
  const poolId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await page.goto(`${base}/webhooks/new`)
  await page.fill('#url', 'http://127.0.0.1:9/hook')
  await page.click('.buttons .primary')
  await page.waitForURL('**/shown?ticket=*')
  const webhookId = page.url().split('/').at(-2) ?? ''
  await page.goto(`${base}/webhooks/${webhookId}`)
  await page.click('form[action$="/test"] button')
  await page.waitForURL('**/deliveries/*')
  const deliveryId = page.url().split('/').at(-1) ?? ''
  await page.goto(`${base}/members`)
  const accountId = /members\/(usr_\w+)/.exec(await page.content())?.[1] ?? 'usr_sandbox'
  const { requestId, keyId } = seeded
  const ids = { projectId, botId, guildId, poolId, webhookId, deliveryId, accountId, requestId, keyId }
  const known: Readonly<Record<string, string>> = { ...ids, operationId: 'play' }
  // What has no example here, such as a session of Lavalink, has no page.
  const isKnown = (path: string) => [...path.matchAll(/:(\w+)/g)].every(([, name = '']) => known[name] !== undefined)
  const pages = PAGES.filter(({ method, path }) => method === 'GET' && !NO_PAGE.test(path) && isKnown(path))
  return pages.flatMap(({ path }) => {
    const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => known[name] ?? '')
    const views = VIEWS[path.split('/').at(-1) ?? ''] ?? []
    return ['', ...views].map((query) => filled + query)
  })
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** From the request to the last byte, over one connection that is kept. Null for what is no page. */
async function timePage(baseUrl: string, path: string, cookie: string): Promise<Timed | null> {
  const times: number[] = []
  let bytes = 0
  for (let round = 0; round <= ROUNDS; round += 1) {
    const startedMs = performance.now()
    const answer = await fetch(baseUrl + path, { headers: { cookie }, redirect: 'manual' })
    const text = await answer.text()
    // The first one warms up.
    if (round > 0) times.push(performance.now() - startedMs)
    if (answer.status >= 300 && answer.status < 400) return null
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}.`)
    bytes = Buffer.byteLength(text)
  }
  return { path, p50: percentile(times, 0.5), max: Math.max(...times), bytes, lcp: 0, cls: 0 }
}

const OBSERVE = `new Promise((resolve) => {
  let cls = 0
  let lcp = 0
  new PerformanceObserver((list) => { for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) cls += value })
    .observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => { lcp = list.getEntries().at(-1).startTime })
    .observe({ type: 'largest-contentful-paint', buffered: true })
  setTimeout(() => resolve({ lcp, cls }), 500)
})`

/** The better of two loads, since other work on the machine can only make one slower. */
async function look(context: BrowserContext, timed: readonly Timed[]): Promise<void> {
  const page = await context.newPage()
  for (const one of timed) {
    const seen: { lcp: number; cls: number }[] = []
    for (let load = 0; load < 2; load += 1) {
      await page.goto(one.path, { waitUntil: 'load' })
      seen.push(await page.evaluate(OBSERVE))
    }
    one.lcp = Math.min(...seen.map(({ lcp }) => lcp))
    one.cls = Math.max(...seen.map(({ cls }) => cls))
  }
  await page.close()
}

function print(timed: readonly Timed[]): void {
  console.log('| page | server p50 ms | max ms | KB | LCP ms | CLS |')
  console.log('|---|---|---|---|---|---|')
  for (const { path, p50, max, bytes, lcp, cls } of timed) {
    const numbers = [p50.toFixed(1), max.toFixed(1), (bytes / 1024).toFixed(0), lcp.toFixed(0), cls.toFixed(4)]
    console.log(`| ${[nameOf(path), ...numbers].join(' | ')} |`)
  }
}

async function measureAll(libraryDir: string): Promise<void> {
  const lyrics = await serveLyrics()
  const { service, seeded } = await startFilled(libraryDir, lyrics.url)
  const browser = await launchBrowser()
  try {
    const { guildId, voiceChannelId: channelId, baseUrl, dashboardUrl } = service.demo
    await startConcert(service, PLAYERS - 1)
    for (let at = 0; at <= QUEUED; at += 1) await play(service, { guildId, channelId }, 'benchmark tone')
    const context = await browser.newContext({ baseURL: baseUrl, locale: 'en-GB' })
    const page = await context.newPage()
    await page.goto(dashboardUrl)
    const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
    const paths = (await pathsOf(service, page, seeded)).filter((path) => path.includes(values.only))
    const timed: Timed[] = []
    for (const path of paths) {
      const one = await timePage(baseUrl, path, cookie)
      if (one) timed.push(one)
    }
    await page.close()
    await look(context, timed)
    print(timed)
    tell(timed)
  } finally {
    await browser.close()
    await service.stop()
    await lyrics.close()
  }
}

function nameOf(path: string): string {
  return path.replace(/^\/dashboard(?:\/projects\/prj_\w+)?/, '') || '/'
}

/** The worst page of each. */
function tell(timed: readonly Timed[]): void {
  const worst = (of: (one: Timed) => number) => timed.toSorted((a, b) => of(b) - of(a))[0]
  const tellOne = (what: string, of: (one: Timed) => number, unit: string, atMost: number) => {
    const one = worst(of)
    if (one)
      report({ what: `${what}, of ${nameOf(one.path)}`, own: of(one), unit, beside: null, goal: ownAtMost(atMost) })
  }
  tellOne('server time, p50', ({ p50 }) => p50, ' ms', SERVER_MS)
  tellOne('largest paint', ({ lcp }) => lcp, ' ms', LCP_MS)
  tellOne('layout shift', ({ cls }) => cls, '', CLS)
}

await withTone(CONCERT_SECONDS, measureAll)
