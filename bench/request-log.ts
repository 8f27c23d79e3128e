/**
 * How long the pages of the request log take with 200,000 requests of a project and as many of forty others, each kind of
 * filter at its worst; and what a request costs that is written down. In a service of its own, over HTTP.
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
import { setImmediate } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createVault } from '../db/engine/vault.ts'
import { openDatabase } from '../db/engine/open.ts'
import { createSqliteStore } from '../db/engine/sqlite-store.ts'
import { createAccounts } from '../db/people/accounts.ts'
import { createMemberships } from '../db/people/memberships.ts'
import { createSessions } from '../db/people/sessions.ts'
import { createKeys } from '../db/projects/keys.ts'
import { createProjects } from '../db/projects/projects.ts'
import { openRequestLog } from '../db/requests/request-log.ts'
import { openRequestStore } from '../db/requests/request-store.ts'
import { createLog } from '../lib/log.ts'
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
const bounds = { keptMs: 7 * 86_400_000, rowsPerProject: 1e6, rowsInAll: 1e7 }

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
  const { id: keyId, key } = await createKeys(store).create({ projectId })
  const accounts = createAccounts(store, createVault({ tokenKey: null, dataDir: folder }))
  const { id: accountId } = await accounts.create({ name: 'Ada' })
  await createMemberships(store).set(projectId, accountId, 'owner')
  const session = await createSessions(store).open({ accountId, address: '127.0.0.1', userAgent: 'bench' })
  db.close()
  return { projectId, keyId, key, session }
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
    const other = String(i % OTHER_PROJECTS).padStart(20, '0')
    yield {
      id: firstIdAt(beginMs + Math.floor((i / total) * 6 * 86_400_000)) + (i % 2048),
      projectId: isOwn ? projectId : `prj_${other}`,
      keyId: isOwn ? keyId : `key_${other}`,
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

function fill(seed: Seed): void {
  const store = openRequestStore(join(folder, 'requests.db'), bounds)
  let batch: LoggedRequest[] = []
  for (const request of week(seed)) {
    batch.push(request)
    if (batch.length < 5000) continue
    store.add(batch)
    batch = []
  }
  store.add(batch)
  store.close()
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

/** What the main thread does for a request, and for handing it to the thread that writes. The best of 25. */
async function measureRecording(seed: Seed): Promise<void> {
  const projects = { list: async () => [{ id: seed.projectId }] }
  const config = { dataDir: mkdtempSync(join(folder, 'recording-')), requestLog: { isOn: true, bounds } }
  const log = openRequestLog(config, { projects, log: createLog('silent') })
  const [example] = week(seed)
  if (!example) return
  const perRequest: number[] = []
  for (let round = 0; round < 25; round++) {
    const startedMs = performance.now()
    for (let i = 0; i < 2000; i++) {
      if (log.admits(seed.projectId, 200)) log.add({ ...example, id: log.nextId() })
    }
    const reading = log.list({ projectId: seed.projectId, limit: 1 })
    await setImmediate()
    perRequest.push((performance.now() - startedMs) / 2)
    await reading
  }
  await log.close()
  const what = 'time of the main thread for a request that is written down'
  report({ what, own: Math.min(...perRequest), unit: ' µs', beside: null, goal: null })
}

let child: ChildProcess | null = null
try {
  const seed = await seedDatabase()
  await measureRecording(seed)
  fill(seed)
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
