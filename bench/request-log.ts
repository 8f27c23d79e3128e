/**
 * How long the pages of the request log take with 200,000 requests of a project and as many of forty others, each kind of
 * filter at its worst; and how long writes hold the main thread. In a service of its own, over HTTP.
 *
 *     npm run bench:request-log [-- --requests 200000 --rounds 15]
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import { createVault } from '../db/engine/vault.ts'
import { openDatabase } from '../db/engine/open.ts'
import { createSqliteStore } from '../db/engine/sqlite-store.ts'
import { createAccounts } from '../db/people/accounts.ts'
import { createMemberships } from '../db/people/memberships.ts'
import { createSessions } from '../db/people/sessions.ts'
import { createKeys } from '../db/projects/keys.ts'
import { createProjects } from '../db/projects/projects.ts'
import { createLoggedRequests } from '../db/requests/logged-requests.ts'
import { firstIdAt, type LoggedRequest } from '../lib/request-log/request-log.ts'
import { median, ownAtMost, report } from './report.ts'

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '200000' }, rounds: { type: 'string', default: '15' } },
})
const requests = Number(values.requests)
const rounds = Number(values.rounds)
const OTHER_PROJECTS = 40
const LIMIT_MS = 50
const folder = mkdtempSync(join(tmpdir(), 'bandstand-bench-'))
/** Older ones make room for those of the bench. */
const OLD = 'request-20000'

interface Seed {
  readonly projectId: string
  readonly keyId: string
  readonly key: string
  readonly session: string
}

/** A project with a key and an owner who is signed in. */
async function seedDatabase(): Promise<Seed> {
  const db = openDatabase({ dataDir: folder })
  const store = createSqliteStore(db)
  const { id: projectId } = await createProjects(store).create({ name: 'Bench', plan: 'scale' })
  const insert = db.prepare(`INSERT INTO project (id, name, plan, created_at_ms) VALUES (?, 'Other', 'scale', 0)`)
  for (let i = 0; i < OTHER_PROJECTS; i++) insert.run(otherId(i))
  const { id: keyId, key } = await createKeys(store).create({ projectId })
  const accounts = createAccounts(store, createVault({ tokenKey: null, dataDir: folder }))
  const { id: accountId } = await accounts.create({ name: 'Ada' })
  await createMemberships(store).set(projectId, accountId, 'owner')
  const session = await createSessions(store).open({ accountId, address: '127.0.0.1', userAgent: 'bench' })
  db.close()
  return { projectId, keyId, key, session }
}

function otherId(i: number): string {
  return `prj_${String(i).padStart(20, '0')}`
}

const ROUTES = [
  ['encodeBinary', '/v1/tools/binary/encode'],
  ['play', '/v1/music/guilds/{guildId}/play'],
  ['getPlayer', '/v1/music/guilds/{guildId}/player'],
  ['listJobs', '/v1/jobs'],
] as const

/** A week of requests, one in fifty of them refused, among those of other projects. */
function* week({ projectId, keyId }: Seed): Generator<LoggedRequest> {
  const total = requests * 2
  const beginMs = Date.now() - 6 * 86_400_000
  for (let i = 0; i < total; i++) {
    const isOwn = i % 2 === 0
    const [operation, route] = ROUTES[(i >> 1) % ROUTES.length] ?? ROUTES[0]
    const isRefused = i % 100 === 0
    const other = otherId(i % OTHER_PROJECTS)
    yield {
      id: firstIdAt(beginMs + Math.floor((i / total) * 6 * 86_400_000)) + (i % 2048),
      projectId: isOwn ? projectId : other,
      keyId: isOwn ? keyId : `key of ${other}`,
      requestId: `request-${i}`,
      method: operation === 'play' ? 'POST' : 'GET',
      operation,
      route,
      path: route.includes('{') ? route.replace('{guildId}', '81384788765712384') : null,
      status: isRefused ? 422 : 200,
      code: isRefused ? 'validation_error' : null,
      reason: null,
      message: isRefused ? 'body.channelId: Must be a Discord ID of 17 to 20 digits.' : null,
      durationMs: (i % 200) / 10,
      address: '192.0.2.7',
      limitClass: 'cheap',
      limitPerMinute: 6000,
      limitRemaining: 5999,
      limitSpent: null,
      traceId: null,
    }
  }
}

/** As the log does it, 50 at a time. */
async function fill(seed: Seed): Promise<void> {
  const db = openDatabase({ dataDir: folder })
  const store = createSqliteStore(db)
  const records = createLoggedRequests(store)
  const heldMs: number[] = []
  let batch: LoggedRequest[] = []
  const write = async () => {
    const startedMs = performance.now()
    await records.add(batch)
    heldMs.push(performance.now() - startedMs)
    batch = []
  }
  for (const request of week(seed)) {
    batch.push(request)
    if (batch.length === 50) await write()
  }
  await write()
  await store.close()
  const sorted = heldMs.toSorted((a, b) => a - b)
  for (const [what, share] of [
    ['the median', 0.5],
    ['99 of 100 at most', 0.99],
  ] as const) {
    const own = sorted[Math.floor(sorted.length * share)] ?? Number.NaN
    report({
      what: `a write of 50 requests holds the main thread, ${what}`,
      own,
      unit: ' ms',
      beside: null,
      goal: ownAtMost(10),
    })
  }
}

async function startService(): Promise<{ readonly child: ChildProcess; readonly baseUrl: string }> {
  const child = fork(join(import.meta.dirname, '..', 'main.ts'), [], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, PORT: '0', DATA_DIR: folder, SANDBOX: 'off', DISCORD_TOKEN: '', REDIS_URL: '' },
  })
  const lines = createInterface({ input: child.stdout as Readable })
  for await (const line of lines) {
    if (line.includes('"service started"')) {
      child.stdout?.resume()
      return { child, baseUrl: (JSON.parse(line) as { baseUrl: string }).baseUrl }
    }
  }
  throw new Error('The service did not start.')
}

/** The times until an answer is whole. */
async function timesOf(url: string, headers: Readonly<Record<string, string>>): Promise<readonly number[]> {
  const times: number[] = []
  for (let i = 0; i <= rounds; i++) {
    const startedMs = performance.now()
    const answer = await fetch(url, { headers, redirect: 'manual' })
    await answer.text()
    if (answer.status !== 200 && answer.status !== 303) throw new Error(`${url} answered ${answer.status}.`)
    // The first one opens the file and compiles what it goes through.
    if (i > 0) times.push(performance.now() - startedMs)
  }
  return times
}

async function measurePages(seed: Seed, baseUrl: string): Promise<void> {
  const authorization = { authorization: `Bearer ${seed.key}` }
  const cookie = { cookie: `bandstand_session=${seed.session}` }
  const last = `request-${requests * 2 - 2}`
  const day = `from=${new Date(Date.now() - 2 * 86_400_000).toISOString()}&to=${new Date(Date.now() - 86_400_000).toISOString()}`
  const filters = {
    'no filter': '',
    'a status that none has': 'status=503',
    'all of 4xx': 'status=4xx',
    'a route': 'route=play',
    'an error code and a key': `code=validation_error&key=${seed.keyId}`,
    'an old request by its id': `requestId=${OLD}`,
    'an id that none has': 'requestId=none',
    'errors of a day': `status=error&${day}`,
  }
  const page = `${baseUrl}/dashboard/projects/${seed.projectId}/requests`
  const calls: [what: string, url: string, headers: Readonly<Record<string, string>>][] = []
  for (const [what, query] of Object.entries(filters)) {
    calls.push([`GET /v1/requests, ${what}`, `${baseUrl}/v1/requests?limit=100&${query}`, authorization])
    calls.push([`page, ${what}`, `${page}?${query.replace('requestId', 'q')}`, cookie])
  }
  calls.push(['GET /v1/requests/{requestId}, the newest', `${baseUrl}/v1/requests/${last}`, authorization])
  calls.push(['page of one request, an old one', `${page}/${OLD}`, cookie])
  const found: number[] = []
  for (const [what, url, headers] of calls) {
    const times = await timesOf(url, headers)
    found.push(median(times))
    console.log(
      `${median(times).toFixed(1).padStart(6)} ms, at best ${Math.min(...times)
        .toFixed(1)
        .padStart(5)} ms: ${what}`,
    )
  }
  const count = requests.toLocaleString('en')
  const what = `the slowest of ${calls.length} pages and filters, ${count} requests in the log of the project`
  report({ what, own: Math.max(...found), unit: ' ms', beside: null, goal: ownAtMost(LIMIT_MS) })
}

let child: ChildProcess | null = null
try {
  const seed = await seedDatabase()
  await fill(seed)
  const service = await startService()
  ;({ child } = service)
  await measurePages(seed, service.baseUrl)
} finally {
  if (child && child.exitCode === null) {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
}
