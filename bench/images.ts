/**
 * Filters through the whole service against the library called by hand: PNG out, at 512² (PNG in) and 4096² (JPEG in),
 * four at a time. Both take turns, so that other work on the machine hits them alike, and the medians of the rounds are
 * told: requests per second, and the CPU time that each takes. For the service that is the process with the API and its
 * workers, for the library the process that calls it; the sender of the requests is a process of its own and not
 * counted. CPU time is the steadier of the two and gives the verdict.
 *
 * The field's case goes first: a photograph of 2000 × 1333 to a JPEG with a width of 500.
 *
 * The script gives the library by hand the priority and the number of threads that the workers have.
 *
 *     npm run bench:images [-- --quick] [--seconds 300] [--sides 512,4096] [--workers 2] [--only blur,sepia]
 */
import { fork, type ChildProcess, type Serializable } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { EFFECTS } from '../jobs/images/catalogue.ts'
import { createImages } from '../jobs/images/images.ts'
import { createLog } from '../lib/log.ts'
import { keys, startApi } from '../test/support/api.ts'
import {
  CONCURRENCY,
  THUMBNAIL,
  type CallerOrder,
  type CallerReport,
  type LibraryOrder,
  type LibraryReport,
} from './images-orders.ts'
import { isLarge, photograph } from './photograph.ts'
import { childCpuSeconds, childrenOf, cpuSeconds } from './process.ts'
import { median, ownAtMost, ratioAtLeast, ratioAtMost, report } from './report.ts'

/** Of the library's speed, for a picture of 512². */
const GOAL = 0.8
const MOST_ROUNDS = 9
/** For the field's case; half a minute is enough for all rounds. */
const THUMBNAIL_MS = 30_000
/** What other services of this kind take for it on one core. */
const THUMBNAIL_CPU_MS = 19
/** Requests for each worker. */
const WARM_UP = 12
/** One of each way to work: what a quick run has time for with large pictures. */
const KINDS = new Set(['contrast', 'sepia', 'blur', 'pixelate', 'oil', 'halftone', 'swirl', 'circle', 'resize'])

const { values } = parseArgs({
  options: {
    seconds: { type: 'string' },
    quick: { type: 'boolean', default: false },
    sides: { type: 'string', default: '512,4096' },
    only: { type: 'string', default: '' },
    workers: { type: 'string', default: String(availableParallelism()) },
  },
})
const seconds = Number(values.seconds ?? (values.quick ? 75 : 300))
const workers = Number(values.workers)
const only = new Set(values.only.split(',').filter((name) => name !== ''))
const names = EFFECTS.filter.map(({ name }) => name).filter((name) => only.size === 0 || only.has(name))

interface Speed {
  readonly perSecond: number
  /** For each. */
  readonly cpuMs: number
  readonly bytes: number
}

interface Result {
  readonly filter: string
  readonly side: number
  /** Whether the library has an operation for it, or merely decodes and encodes the picture. */
  readonly isOwn: boolean
  readonly rounds: number
  readonly library: Speed
  readonly service: Speed
  /** The service's speed as a share of the library's, by CPU time and by the clock. */
  readonly cpuRatio: number
  readonly clockRatio: number
}

const images = createImages({
  log: createLog('warn'),
  egress: { open: () => Promise.reject(new Error('Nothing is fetched here.')) },
  workers,
  // Longer than the service allows, for machines that are busy with other things.
  jobMs: 60_000,
})
const api = await startApi({
  app: {
    images: {
      apply(request) {
        // So that the limits of the plan do not answer instead.
        api.clock.nowMs += 1000
        return images.apply(request)
      },
    },
  },
})
const caller = fork(new URL('images-caller.ts', import.meta.url), { serialization: 'advanced' })
const library = fork(new URL('images-library.ts', import.meta.url), { serialization: 'advanced' })
const results: Result[] = []
const deadlineMs = performance.now() + seconds * 1000

console.log(`${cpus()[0]?.model}, ${availableParallelism()} cores, ${workers} workers; ${CONCURRENCY} at a time`)
console.log(`load ${loadavg()[0]?.toFixed(1)}; rounds for ${seconds} s`)
if (only.size === 0 || only.has(THUMBNAIL)) await measureThumbnail()
const sides = names.length === 0 ? [] : values.sides.split(',').map(Number)
for (const [at, side] of sides.entries()) await measureSide(side, sides.slice(at))
printVerdict()
caller.disconnect()
library.disconnect()
await api.close()
await images.close()

/** What the field measures its services by. */
async function measureThumbnail(): Promise<void> {
  const picture = await photograph({ width: 2000, height: 1333 })
  printHead('2000 × 1333 JPEG to a width of 500', picture.length)
  const result = await measureFilter({ filter: THUMBNAIL, side: 2000, picture, forMs: THUMBNAIL_MS })
  printRow(result)
  const goal = result.service.cpuMs <= THUMBNAIL_CPU_MS ? ownAtMost(THUMBNAIL_CPU_MS) : ratioAtMost(1)
  report({
    what: 'CPU of a photograph of 2000 × 1333 to a JPEG with a width of 500',
    own: result.service.cpuMs,
    unit: ' ms',
    beside: { whom: 'the library by hand', value: result.service.cpuMs * result.cpuRatio },
    goal,
  })
}

/** Filters at one size, in a share of the time that is left; those that it does not suffice for are left out. */
async function measureSide(side: number, left: readonly number[]): Promise<void> {
  const share = weightOf(side) / left.reduce((sum, one) => sum + weightOf(one), 0)
  const endMs = performance.now() + (deadlineMs - performance.now()) * share
  const picture = await photograph({ width: side, height: side })
  printHead(`${side}² ${isLarge(side) ? 'JPEG' : 'PNG'}`, picture.length)
  const chosen = values.quick && isLarge(side) ? names.filter((name) => KINDS.has(name)) : names
  for (const [at, filter] of chosen.entries()) {
    const leftMs = endMs - performance.now()
    if (leftMs <= 0) return console.log(`${chosen.slice(at).join(', ')}: left out, since the time was up`)
    const result = await measureFilter({ filter, side, picture, forMs: leftMs / (chosen.length - at) })
    results.push(result)
    printRow(result)
  }
}

/** Large pictures take most of a long run and the lesser part of a quick one. */
function weightOf(side: number): number {
  return isLarge(side) === values.quick ? 1 : 2
}

interface Measured {
  readonly filter: string
  readonly side: number
  readonly picture: Uint8Array
  readonly forMs: number
}

async function measureFilter({ filter, side, picture, forMs }: Measured): Promise<Result> {
  const untilMs = performance.now() + forMs
  // Until all workers have started and their loops are compiled; a smaller picture does for that.
  give(await photograph({ width: 512, height: 512 }))
  await service(filter, workers * WARM_UP)
  await byHand(filter, CONCURRENCY)
  give(picture)
  const times = isLarge(side) ? CONCURRENCY : 2 * CONCURRENCY
  const rounds: { library: Speed; service: Speed; isOwn: boolean }[] = []
  do {
    const { isOwn, ...speed } = await byHand(filter, times)
    rounds.push({ isOwn, library: speed, service: await service(filter, times) })
  } while (rounds.length < MOST_ROUNDS && performance.now() < untilMs)
  const ratio = (of: (round: (typeof rounds)[number]) => number) => median(rounds.map(of))
  return {
    filter,
    side,
    isOwn: rounds.every(({ isOwn }) => isOwn),
    rounds: rounds.length,
    library: medians(rounds.map((round) => round.library)),
    service: medians(rounds.map((round) => round.service)),
    cpuRatio: ratio((round) => round.library.cpuMs / round.service.cpuMs),
    clockRatio: ratio((round) => round.service.perSecond / round.library.perSecond),
  }
}

/** Requests through the service; `times` of them. */
async function service(filter: string, times: number): Promise<Speed> {
  const path = filter === THUMBNAIL ? 'resize?width=500&format=jpeg' : filter
  const url = `${api.baseUrl}/v1/image/filters/${path}`
  const used = startMeter()
  const report = await tell<CallerReport>(caller, { url, key: keys.linked, times } satisfies CallerOrder)
  const cpuMs = used()
  if (report.failure !== null) throw new Error(`${filter}: ${report.failure}`)
  return { perSecond: (times * 1000) / report.tookMs, cpuMs: cpuMs / times, bytes: report.bytes }
}

async function byHand(filter: string, times: number): Promise<Speed & { readonly isOwn: boolean }> {
  const report = await tell<LibraryReport>(library, { filter, times } satisfies LibraryOrder)
  const { isOwn, tookMs, cpuMs, bytes } = report
  return { isOwn, perSecond: (times * 1000) / tookMs, cpuMs: cpuMs / times, bytes }
}

/** CPU time from now on, of this process, which has the API, and of its workers; those that end meanwhile too. */
function startMeter(): () => number {
  const others = new Set([caller.pid, library.pid])
  const workersMs = () => {
    const workers = childrenOf(process.pid).filter(({ pid }) => !others.has(pid))
    return workers.reduce((sum, { pid }) => sum + cpuSeconds(pid), childCpuSeconds(process.pid)) * 1000
  }
  const workersBeforeMs = workersMs()
  const before = process.cpuUsage()
  return () => {
    // First, since looking for the workers takes a while itself.
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000 + workersMs() - workersBeforeMs
  }
}

async function tell<T>(child: ChildProcess, order: Serializable): Promise<T> {
  const told = once(child, 'message')
  child.send(order)
  const [report] = (await told) as [T]
  return report
}

function give(picture: Uint8Array): void {
  for (const child of [caller, library]) child.send({ picture } satisfies CallerOrder & LibraryOrder)
}

function medians(speeds: readonly Speed[]): Speed {
  return {
    perSecond: median(speeds.map(({ perSecond }) => perSecond)),
    cpuMs: median(speeds.map(({ cpuMs }) => cpuMs)),
    bytes: median(speeds.map(({ bytes }) => bytes)),
  }
}

function printHead(of: string, bytes: number): void {
  const title = `${of}, ${Math.round(bytes / 1024)} KiB`
  console.log(
    `\n| ${title} | library CPU ms | service CPU ms | ratio | library/s | service/s | ratio | answer of library's | rounds |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|`,
  )
}

function printRow({ filter, isOwn, rounds, library: bare, service: own, cpuRatio, clockRatio }: Result): void {
  const cells = [
    isOwn ? filter : `${filter} (re-encoding)`,
    bare.cpuMs.toFixed(1),
    own.cpuMs.toFixed(1),
    cpuRatio.toFixed(2),
    bare.perSecond.toFixed(1),
    own.perSecond.toFixed(1),
    clockRatio.toFixed(2),
    `${Math.round((own.bytes / bare.bytes) * 100)} %`,
    rounds,
  ]
  console.log(`| ${cells.join(' | ')} |`)
}

function printVerdict(): void {
  for (const side of sides) {
    const own = results.filter((result) => result.side === side)
    const short = own.filter(({ cpuRatio }) => cpuRatio < GOAL).toSorted((a, b) => a.cpuRatio - b.cpuRatio)
    const list = short.map(({ filter, cpuRatio }) => `${filter} ${cpuRatio.toFixed(2)}`).join(', ')
    console.log(
      `\n${side}²: ${own.length - short.length} of ${own.length} filters have at least ${GOAL} of the library's speed, by CPU time${list ? `; not ${list}` : ''}.`,
    )
    tellTable(side, own)
  }
  console.log(`load ${loadavg()[0]?.toFixed(1)} at the end`)
}

/** The filter in the middle and the slowest one, by the ratio of CPU time. */
function tellTable(side: number, measured: readonly Result[]): void {
  const sorted = measured.toSorted((a, b) => a.cpuRatio - b.cpuRatio)
  for (const [which, result] of [
    ['the filter in the middle', sorted[sorted.length >> 1]],
    ['the slowest', sorted[0]],
  ] as const) {
    if (!result) return
    report({
      what: `pictures a second of CPU at ${side}², ${which} of ${sorted.length}: ${result.filter}`,
      own: result.cpuRatio * (1000 / result.library.cpuMs),
      unit: '/s',
      beside: { whom: 'the library by hand', value: 1000 / result.library.cpuMs },
      goal: isLarge(side) ? null : ratioAtLeast(GOAL),
    })
  }
}
