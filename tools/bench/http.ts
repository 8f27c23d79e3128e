import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createKeys } from '../../db/projects/keys.ts'
import { openDatabase } from '../../db/engine/open.ts'
import { createSqliteStore } from '../../db/engine/sqlite-store.ts'
import { createProjects } from '../../db/projects/projects.ts'
import type { LoadOrder, LoadReport } from './http-load.ts'
import { pssMiB } from './own-service.ts'
import { cpuSeconds, LAUNCHER } from '../stage/process.ts'
import { median, ratioAtLeast, ratioAtMost, report } from './report.ts'

/**
 * Requests per second of the service's whole way, beside a bare Koa route and Fastify with the same work, in turn in one
 * run. `--rounds 5 --seconds 4 --connections 64`. `--aged 1000000` what a request costs a service that has answered so many, beside one that has just started.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '64' },
    aged: { type: 'string' },
  },
})
const rounds = Number(values.rounds)
const forMs = Number(values.seconds) * 1000
const connections = Number(values.connections)

/** Enough projects that their plan's burst and 100 requests a second exceed every server here. */
const PROJECTS = 250
const PATH = '/v1/tools/binary/encode?text=Hello%20there'
/** `service-unlogged`: without the log of requests. */
const KINDS = ['service', 'service-unlogged', 'koa', 'fastify', 'fastify-rate-limit'] as const
type Kind = (typeof KINDS)[number]
const PEERS: Readonly<Record<Exclude<Kind, 'service'>, { readonly whom: string; readonly atLeast: number }>> = {
  'service-unlogged': { whom: 'without the log of requests', atLeast: 0.9 },
  koa: { whom: 'a bare Koa route', atLeast: 0.45 },
  fastify: { whom: 'Fastify with the same work', atLeast: 0.8 },
  'fastify-rate-limit': { whom: 'Fastify with its own limiter', atLeast: 0.8 },
}

interface Measured {
  readonly perSecond: number
  readonly cpuMicros: number
  readonly report: LoadReport
}

type Candidate = Awaited<ReturnType<typeof start>>

const root = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'bandstand-bench-'))
const children: ChildProcess[] = []

async function makeKeys(): Promise<string[]> {
  const db = openDatabase({ dataDir: join(folder, 'seed') })
  const store = createSqliteStore(db)
  // No one would miss these keys after a power cut.
  db.pragma('synchronous = OFF')
  const projects = createProjects(store)
  const keys = createKeys(store)
  const made: string[] = []
  for (let i = 0; i < PROJECTS; i++) {
    const { id: projectId } = await projects.create({ name: `Bench ${i}`, plan: 'scale' })
    made.push((await keys.create({ projectId })).key)
  }
  await store.close()
  return made
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

async function start(kind: Kind, execArgv: readonly string[] = [], name: string = kind) {
  const port = await freePort()
  const dataDir = join(folder, name)
  cpSync(join(folder, 'seed'), dataDir, { recursive: true })
  const REQUEST_LOG = kind === 'service-unlogged' ? 'off' : 'on'
  const own = { PORT: String(port), DATA_DIR: dataDir, SANDBOX: 'off', LOG_LEVEL: 'info', REDIS_URL: '', REQUEST_LOG }
  const [file, args] = isService(kind)
    ? ['main.ts', []]
    : [join('tools', 'bench', 'http-server.ts'), [kind, String(port), dataDir]]
  const child = fork(join(root, file), args, {
    cwd: root,
    ...(isService(kind) && { execPath: LAUNCHER }),
    execArgv: [...execArgv],
    // The lines of the log are written, to where no one reads them.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...own, DISCORD_TOKEN: '' },
  })
  children.push(child)
  await once(child, 'message')
  return { kind, port, child }
}

function isService(kind: Kind): boolean {
  return kind === 'service' || kind === 'service-unlogged'
}

async function startLoad() {
  const child = fork(join(root, 'tools', 'bench', 'http-load.ts'))
  children.push(child)
  return async (order: LoadOrder): Promise<LoadReport> => {
    child.send(order)
    const [report] = (await once(child, 'message')) as [LoadReport]
    return report
  }
}

type Load = Awaited<ReturnType<typeof startLoad>>

async function measure(load: Load, candidate: Candidate, perSecond: number | null, keys: readonly string[]) {
  const { child, port } = candidate
  const pid = child.pid as number
  const before = cpuSeconds(pid)
  const report = await load({ port, path: PATH, keys, connections, forMs, perSecond })
  if (report.refused > 0) throw new Error(`${candidate.kind} refused ${report.refused} requests.`)
  const cpuMicros = ((cpuSeconds(pid) - before) / report.requests) * 1e6
  return { perSecond: report.requests / report.seconds, cpuMicros, report } satisfies Measured
}

/** Each round begins with another one, so that no one always runs beside the same neighbour of the machine. */
function orderOf(candidates: readonly Candidate[], round: number): readonly Candidate[] {
  const first = round % candidates.length
  return [...candidates.slice(first), ...candidates.slice(0, first)]
}

async function compare(keys: readonly string[]): Promise<void> {
  const load = await startLoad()
  const candidates: Candidate[] = []
  for (const kind of KINDS) candidates.push(await start(kind))
  const full: Record<Kind, Measured[]> = {
    service: [],
    'service-unlogged': [],
    koa: [],
    fastify: [],
    'fastify-rate-limit': [],
  }
  for (const candidate of candidates) await measure(load, candidate, null, keys)
  for (let round = 0; round < rounds; round++) {
    for (const candidate of orderOf(candidates, round))
      full[candidate.kind].push(await measure(load, candidate, null, keys))
  }
  const rate = (kind: Kind) => median(full[kind].map(({ perSecond }) => perSecond))
  console.log('| server | requests/s | CPU µs/request | p50 ms | p99 ms | slowest and fastest round |')
  console.log('|---|---|---|---|---|---|')
  for (const kind of KINDS) {
    const rates = full[kind].map(({ perSecond }) => Math.floor(perSecond)).toSorted((a, b) => a - b)
    const cpu = median(full[kind].map(({ cpuMicros }) => cpuMicros)).toFixed(1)
    const p50 = median(full[kind].map(({ report }) => report.p50Ms)).toFixed(2)
    const p99 = median(full[kind].map(({ report }) => report.p99Ms)).toFixed(2)
    console.log(`| ${kind} | ${Math.floor(rate(kind))} | ${cpu} | ${p50} | ${p99} | ${rates[0]}, ${rates.at(-1)} |`)
  }
  for (const [other, { whom, atLeast }] of Object.entries(PEERS)) {
    const beside = { whom, value: rate(other as Kind) }
    report({ what: 'requests a second', own: rate('service'), unit: '/s', beside, goal: ratioAtLeast(atLeast) })
  }
  await compareCalm(load, candidates, Math.floor(rate('service') / 2), keys)
}

/** Candidates whose p99 is compared. */
const CALM_KINDS = ['service', 'fastify', 'koa'] as const
/** Rounds for each of the earlier ones: a few slow moments of the machine would decide the median of fewer. */
const CALM_ROUNDS = 2

/** Measures at half of the service's most; the others at the same rate show the share of the machine itself. */
async function compareCalm(load: Load, candidates: readonly Candidate[], perSecond: number, keys: readonly string[]) {
  const calm = candidates.filter(({ kind }) => CALM_KINDS.some((one) => one === kind))
  const reports = new Map<Kind, LoadReport[]>(CALM_KINDS.map((kind) => [kind, []]))
  for (let round = 0; round < rounds * CALM_ROUNDS; round++) {
    for (const candidate of orderOf(calm, round)) {
      reports.get(candidate.kind)?.push((await measure(load, candidate, perSecond, keys)).report)
    }
  }
  const p99Of = (kind: Kind) => median(reports.get(kind)?.map(({ p99Ms }) => p99Ms) ?? [])
  for (const [kind, each] of reports) {
    const list = each.map(({ p99Ms, ownLateP99Ms }) => `${p99Ms.toFixed(2)} (${ownLateP99Ms.toFixed(2)})`).join(', ')
    const p99 = p99Of(kind).toFixed(2)
    console.log(`${kind} at ${perSecond} requests/s: p99 ${p99} ms (rounds, how late the load itself was: ${list})`)
  }
  const found = { what: `p99 at ${perSecond} requests/s, half of the most`, own: p99Of('service'), unit: ' ms' }
  report({ ...found, beside: { whom: PEERS.fastify.whom, value: p99Of('fastify') }, goal: ratioAtMost(1.33) })
  report({ ...found, beside: { whom: PEERS.koa.whom, value: p99Of('koa') }, goal: null })
}

function printMeasured(name: string, { child }: Candidate, { cpuMicros, report }: Measured): void {
  const memory = `${pssMiB(child.pid ?? 0).toFixed(0)} MiB`
  console.log(`${name}: ${cpuMicros.toFixed(1)} CPU µs/request, p99 ${report.p99Ms.toFixed(1)} ms, ${memory}`)
}

/** Compares the CPU time of a request in a service that has answered many with one that only was warmed up. */
async function compareAges(keys: readonly string[], requests: number): Promise<void> {
  const load = await startLoad()
  const aged = await start('service', [], 'aged')
  let answered = 0
  for (let next = 0; answered < requests;) {
    const measured = await measure(load, aged, null, keys)
    answered += measured.report.requests
    if (answered < next) continue
    printMeasured(`after ${answered} requests`, aged, measured)
    next = answered + requests / 10
  }
  const fresh = await start('service', [], 'fresh')
  await measure(load, fresh, null, keys)
  const cpu: Record<'aged' | 'fresh', number[]> = { aged: [], fresh: [] }
  for (let round = 0; round < rounds; round++) {
    for (const [name, candidate] of Object.entries({ aged, fresh })) {
      const measured = await measure(load, candidate, null, keys)
      printMeasured(name, candidate, measured)
      cpu[name as keyof typeof cpu].push(measured.cpuMicros)
    }
  }
  const beside = { whom: 'a service that has just started', value: median(cpu.fresh) }
  const what = `CPU of a request after ${Math.round(answered / 1000)},000`
  report({ what, own: median(cpu.aged), unit: ' µs', beside, goal: ratioAtMost(1.1) })
}

try {
  const keys = await makeKeys()
  if (values.aged !== undefined) await compareAges(keys, Number(values.aged))
  else await compare(keys)
} finally {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
}
