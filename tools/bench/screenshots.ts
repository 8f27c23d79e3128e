/**
 * Screenshots through the whole service (HTTP, queue, worker, egress proxy, result) against bare scripts on the same
 * machine and in turn with them: a fresh browser for each, and Playwright's own screenshot in a warm browser with a new
 * context for each. A small page, and the full length of one with pictures.
 *
 * The script gives all of them the low priority that the service's renderer has. What they do is not quite equal:
 * - The service checks addresses, keeps pictures and hides cookie banners, and its browser has a sandbox unless root
 *   starts it; the scripts do none of that.
 * - Its pictures have the same pixels as the scripts', but are packed faster and so are larger; the bench tells both.
 * - It closes a page when the picture is made already, and has the next one ready. A turn is several pictures long, so that
 *   little of this falls outside the time that is measured.
 *
 *     npm run bench:screenshots [-- --rounds 4] [--at 1,2,4]
 */
import type { RequestListener } from 'node:http'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { chromium, type Browser } from 'playwright'
import sharp from 'sharp'
import { createKeys } from '../../db/projects/keys.ts'
import { openDatabase } from '../../db/engine/open.ts'
import { createSqliteStore } from '../../db/engine/sqlite-store.ts'
import { createProjects } from '../../db/projects/projects.ts'
import { type Listening, serve } from '../../test/support/web.ts'
import { type RunningService, startService } from '../../test/support/service.ts'
import { findBrowser } from '../../jobs/browser/browser-profile.ts'
import { ownShareMs } from './own-share.ts'
import { median, ownAtMost, ratioAtLeast, report } from './report.ts'

const PICTURES = 24
/** Pictures by each of the parallel callers, in each turn. */
const IN_A_TURN = 5
/** Pictures by each way with lasting processes, before the first turn: V8 has then compiled as much as in a service of an hour. */
const WARM_UP = 400
/** Pictures for our own share of the CPU, one after the other. */
const SHARED = 40
/** Each project may make 300 a minute. */
const PROJECTS = 6
const VIEWPORT = { width: 1280, height: 800 }

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '4' }, at: { type: 'string', default: '1,2,4' } },
})
const rounds = Number(values.rounds)
const browserPath = findBrowser(process.env['PATH'] ?? '') ?? 'chromium'

/** @returns the picture's size in bytes. */
type Take = (url: string, fullPage: boolean) => Promise<number>

const site = await openSite()
const warm = await chromium.launch({ executablePath: browserPath })
try {
  for (const atOnce of values.at.split(',').map(Number)) await compare(atOnce)
} finally {
  await warm.close()
  await site.close()
}

async function compare(atOnce: number): Promise<void> {
  const service = await startService({
    env: { EGRESS_ALLOW_HOSTS: `127.0.0.1:${site.port}`, RENDER_CONCURRENCY: String(atOnce), LOG_LEVEL: 'error' },
  })
  try {
    const keys = await makeKeys(service)
    let taken = 0
    const ways: Record<string, Take> = {
      service: (url, fullPage) => throughService(service, keys[taken++ % keys.length] ?? '', { url, fullPage }),
      'fresh browser': freshly,
      'warm browser': (url, fullPage) => inContext(warm, url, fullPage),
    }
    for (const name of ['service', 'warm browser']) await warmUp(again(ways[name]!), atOnce)
    for (const [name, path, fullPage] of [
      ['small page', '/small', false],
      ['full page of pictures', '/pictures', true],
    ] as const) {
      await inTurn(`${name}, ${atOnce} at once`, ways, { path, fullPage, atOnce })
    }
    const one = () => again(ways['service']!)(`${site.url}/small?own-${taken}`, false)
    const own = await ownShareMs(service.process.pid ?? 0, SHARED, one)
    const what = 'CPU of a small page in the service, the renderer and Redis, without the browser'
    report({ what, own, unit: ' ms', beside: null, goal: ownAtMost(20) })
  } finally {
    await service.stop()
  }
}

async function warmUp(take: Take, atOnce: number): Promise<void> {
  let taken = 0
  const takeMore = async () => {
    while (taken++ < WARM_UP) await take(`${site.url}/small?warm-up-${taken}`, false)
  }
  await Promise.all(Array.from({ length: atOnce }, takeMore))
}

interface Cell {
  readonly path: string
  readonly fullPage: boolean
  readonly atOnce: number
}

/** All ways in turn, so that anything else the machine does hits them alike. The first round warms up. */
async function inTurn(title: string, ways: Record<string, Take>, { path, fullPage, atOnce }: Cell): Promise<void> {
  const spent = new Map<string, { wholeMs: number; each: number[] }>()
  const sizes = new Map<string, number>()
  for (let round = 0; round <= rounds; round++) {
    for (const [name, take] of Object.entries(ways)) {
      const each: number[] = []
      const startedMs = performance.now()
      await Promise.all(
        Array.from({ length: atOnce }, async (_, i) => {
          for (let n = 0; n < IN_A_TURN; n++) {
            const oneMs = performance.now()
            sizes.set(name, await again(take)(`${site.url}${path}?${round}-${i}-${n}-${name.length}`, fullPage))
            each.push(performance.now() - oneMs)
          }
        }),
      )
      if (round === 0) continue
      const sum = spent.get(name) ?? { wholeMs: 0, each: [] }
      spent.set(name, { wholeMs: sum.wholeMs + performance.now() - startedMs, each: [...sum.each, ...each] })
    }
  }
  console.log(`${title} (load ${loadavg()[0]?.toFixed(1)})`)
  const perMinute = (name: string) => {
    const { wholeMs, each } = spent.get(name)!
    return (each.length * 60_000) / wholeMs
  }
  for (const [name, { each }] of spent) {
    const size = `${((sizes.get(name) ?? 0) / 1000).toFixed(0)} KB`
    const rate = `${perMinute(name).toFixed(0).padStart(5)}/min`
    console.log(`  ${name.padEnd(14)} ${rate}  median ${median(each).toFixed(0)} ms  ${size}`)
  }
  for (const [name, goal] of [
    // Half of a small picture is a process and a context of its own, which every way pays for: no goal to beat it by.
    ['fresh browser', null],
    // A small one costs Chromium nearly as much both ways. More than this would take the guard's credential and waiting for scripts.
    ['warm browser', ratioAtLeast(fullPage ? 2 : 1)],
  ] as const) {
    const beside = { whom: name, value: perMinute(name) }
    report({ what: title, own: perMinute('service'), unit: '/min', beside, goal })
  }
}

/** An overloaded browser sometimes cannot take a picture; the service retries by itself, so the script does too. */
function again(take: Take): Take {
  return (url, fullPage) => take(url, fullPage).catch(() => take(url, fullPage))
}

async function throughService(
  service: RunningService,
  key: string,
  { url, fullPage }: { readonly url: string; readonly fullPage: boolean },
): Promise<number> {
  const asked = await service.call('GET', `/v1/tools/screenshot?url=${encodeURIComponent(url)}&fullpage=${fullPage}`, {
    key,
  })
  const { jobId } = (asked.body as { data?: { jobId?: string } }).data ?? {}
  if (!jobId) throw new Error(`The service refused: ${JSON.stringify(asked.body)}`)
  const done = await service.call('GET', `/v1/jobs/${jobId}/wait?timeout=60`, { key })
  const { result } = (done.body as { data: { result: { url: string } | null } }).data
  if (!result) throw new Error(`The job failed: ${JSON.stringify(done.body)}`)
  const picture = await fetch(result.url, { headers: { authorization: `Bearer ${key}` } })
  return (await picture.arrayBuffer()).byteLength
}

async function freshly(url: string, fullPage: boolean): Promise<number> {
  const browser = await chromium.launch({ executablePath: browserPath })
  try {
    return await inContext(browser, url, fullPage)
  } finally {
    await browser.close()
  }
}

async function inContext(browser: Browser, url: string, fullPage: boolean): Promise<number> {
  const context = await browser.newContext({ viewport: VIEWPORT })
  try {
    const opened = await context.newPage()
    await opened.goto(url)
    return (await opened.screenshot({ fullPage })).length
  } finally {
    await context.close()
  }
}

async function makeKeys({ dataDir }: RunningService): Promise<readonly string[]> {
  const db = openDatabase({ dataDir, busyMs: 5000 })
  const store = createSqliteStore(db)
  const projects = createProjects(store)
  const keys: string[] = []
  for (let i = 0; i < PROJECTS; i++) {
    const { id: projectId } = await projects.create({ name: 'Bench', plan: 'scale' })
    keys.push((await createKeys(store).create({ projectId })).key)
  }
  await store.close()
  return keys
}

function page(body: string, head = ''): RequestListener {
  const html = `<!doctype html><meta name=viewport content="width=device-width">${head}<body style="margin:0">${body}</body>`
  return (_, reply) => void reply.setHeader('content-type', 'text/html; charset=utf-8').end(html)
}

/** A page with a heading, and one of 24 photographs with captions. */
async function openSite(): Promise<Listening> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const create = { width: 480, height: 320, channels: 3, background: '#888', noise } as const
  const photograph = await sharp({ create }).blur(3).jpeg({ quality: 80 }).toBuffer()
  const pictures = page(
    `<h1>News</h1>${Array.from({ length: PICTURES }, (_, at) => figureOf(at)).join('')}`,
    '<style>body{font:16px sans-serif}figure{display:inline-block;width:390px;margin:8px}img{width:100%}</style>',
  )
  const small = page('<h1>A small page</h1><p>with a line of text</p>')
  return serve((asked, reply) => {
    if (asked.url?.startsWith('/photo/')) return reply.setHeader('content-type', 'image/jpeg').end(photograph)
    return asked.url?.startsWith('/pictures') ? pictures(asked, reply) : small(asked, reply)
  })
}

function figureOf(at: number): string {
  return `<figure><img src="/photo/${at}"><figcaption>What happened on day ${at}</figcaption></figure>`
}
