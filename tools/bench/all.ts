/**
 * All benches one after the other, each short, and one table of what they found beside what. It takes a quarter of an hour,
 * and the machine for itself. A bench that breaks makes it end with 1; a goal that is missed does not, since the table
 * says so.
 *
 *     npm run bench [-- --only http,events] [--write]     (writes the table into docs/benchmarks.md)
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, cpus, loadavg, setPriority } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { descendantsOf, processes, type Process } from '../stage/process.ts'
import { goalInWords, isMet, numberInWords, ratioOf, type Finding } from './report.ts'
import { writeBetween } from './write-between.ts'

interface Bench {
  readonly name: string
  /** Arguments that make it short, a minute or two; longer runs measure more exactly. */
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The priority of benches whose workers run at a low one: the other side of the comparison gets the same. */
  readonly nice?: number
  /** The time limit, several times the duration on an idle machine. Defaults to `LIMIT_MS`. */
  readonly limitMs?: number
}

const BENCHES: readonly Bench[] = [
  { name: 'http', args: ['--rounds', '6', '--seconds', '2'] },
  { name: 'events', args: ['50', '8'] },
  { name: 'audio', args: ['50', '12'] },
  { name: 'voice', args: ['--players', '50', '--rounds', '3', '--seconds', '8'] },
  // Twenty songs of three minutes are encoded in a minute, and fifty in three.
  { name: 'players', args: ['20,100', '8', 'passed,kept,encoded'], limitMs: 420_000 },
  { name: 'start-latency', args: ['5'] },
  { name: 'restore', args: ['--players', '1'] },
  { name: 'memory', args: ['--rest-minutes', '1', '--play-seconds', '45'] },
  { name: 'node', args: ['--players', '20', '--minutes', '1', '--songs', '5'] },
  { name: 'matches', args: [] },
  { name: 'screenshots', args: ['--rounds', '2', '--at', '2'], nice: 10 },
]
/** A bench that takes longer hangs, or the machine does other work: the others still get their turn. */
const LIMIT_MS = 300_000
/** Time for the started processes to end, before they are killed. */
const END_MS = 5000
const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'benchmarks.md')
const MARKS = { begin: '<!-- the table of npm run bench -->', end: '<!-- its end -->' }

type Outcome = Awaited<ReturnType<typeof run>>

async function run(bench: Bench) {
  const load = loadavg()[0] ?? 0
  const startedMs = performance.now()
  const findings: Finding[] = []
  console.log(`\n## ${bench.name} (load ${load.toFixed(1)})`)
  const child = fork(join(import.meta.dirname, `${bench.name}.ts`), bench.args, {
    env: { ...process.env, ...bench.env },
  })
  const { limitMs = LIMIT_MS } = bench
  let isCutOff = false
  const limit = setTimeout(() => {
    isCutOff = true
    endAll(child)
  }, limitMs)
  if (bench.nice !== undefined && child.pid !== undefined) setPriority(child.pid, bench.nice)
  child.on('message', (message: { finding?: Finding }) => {
    if (message.finding) findings.push(message.finding)
  })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  clearTimeout(limit)
  const reason = isCutOff ? `cut off after ${limitMs / 1000} s` : `ended with ${signal ?? code}`
  const failure = code === 0 && !isCutOff ? null : reason
  return { bench, findings, seconds: (performance.now() - startedMs) / 1000, load, failure }
}

/** Ends a bench and all that it started, which would disturb the next benches; a process that ignores SIGTERM is killed. */
function endAll(child: ChildProcess): void {
  const started = child.pid === undefined ? [] : [...descendantsOf(child.pid), ...ownProcess(child.pid)]
  signalAll(started, 'SIGTERM')
  setTimeout(() => signalAll(started, 'SIGKILL'), END_MS)
}

function ownProcess(pid: number): readonly Process[] {
  return processes().filter((one) => one.pid === pid)
}

/** Signals the processes that still run; another process may have got the number of an ended one. */
function signalAll(started: readonly Process[], signal: NodeJS.Signals): void {
  const running = processes()
  for (const { pid, startedAt } of started) {
    if (!running.some((one) => one.pid === pid && one.startedAt === startedAt)) continue
    try {
      process.kill(pid, signal)
    } catch {
      // Ended in between.
    }
  }
}

function rowsOf({ bench, findings, failure }: Outcome): string[] {
  const rows = findings.map((finding) => {
    const { what, own, unit, beside } = finding
    const [ratio, met] = [ratioOf(finding), isMet(finding)]
    const verdict = met === null ? '' : met ? ' met' : ' **missed**'
    const cells = [
      bench.name,
      what,
      `${numberInWords(own)}${unit}`,
      beside ? `${beside.whom}: ${numberInWords(beside.value)}${unit}` : '',
      ratio === null ? '' : ratio.toFixed(2),
      goalInWords(finding) + verdict,
    ]
    return `| ${cells.join(' | ')} |`
  })
  return failure === null ? rows : [...rows, `| ${bench.name} | **broke**: ${failure} | | | | |`]
}

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, write: { type: 'boolean', default: false } },
})
const only = values.only.split(',').filter((name) => name !== '')
const unknown = only.filter((name) => BENCHES.every((bench) => bench.name !== name))
if (unknown.length > 0)
  throw new Error(`No such bench: ${unknown.join(', ')}. There are ${BENCHES.map(({ name }) => name).join(', ')}.`)

const outcomes: Outcome[] = []
for (const bench of BENCHES.filter(({ name }) => only.length === 0 || only.includes(name)))
  outcomes.push(await run(bench))
const minutes = outcomes.reduce((sum, { seconds }) => sum + seconds, 0) / 60
const loads = outcomes.map(({ load }) => load)
const table = [
  `${new Date().toISOString().slice(0, 16).replace('T', ', ')} UTC, ${availableParallelism()} cores (${cpus()[0]?.model.trim()}), ` +
    `load before each bench ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}, ${minutes.toFixed(1)} minutes in all:`,
  '',
  '| bench | what | here | beside | ratio | goal |',
  '| --- | --- | --: | --- | --: | --- |',
  ...outcomes.flatMap(rowsOf),
].join('\n')
console.log(`\n${table}`)
if (values.write) writeBetween(PAGE, MARKS, table)
if (outcomes.some(({ failure }) => failure !== null)) process.exitCode = 1
