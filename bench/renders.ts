import { once } from 'node:events'
import Bull from 'bull'
import { openJobBench } from '../test/support/jobs.ts'
import { median, ownAtMost, report, type Goal } from './report.ts'

/*
 * What the queue costs: jobs that do nothing, one after the other and many at once, through our queue (shared requests,
 * turns, results on disk, ends that are heard) and through Bull alone, in turn on the same Redis. A render takes 100 to
 * 2,000 ms; ours should stay under 5 ms.
 */

const ONE_BY_ONE = 300
const AT_ONCE = 1000
const ROUNDS = 3

interface Way {
  readonly name: string
  readonly add: (n: number) => Promise<unknown>
  readonly heard: Set<() => void>
}

const bench = await openJobBench()
const queue = await bench.queue({ capacity: 100_000 })
const ours: Way = { name: 'ours', heard: new Set(), add: (n) => bench.add(queue, 'bench', { n }) }
queue.onDone(() => ours.heard.forEach((hear) => hear()))
bench.worker({ concurrency: 4 })

if (!('path' in bench.address)) throw new Error('The bench has a Redis of its own.')
const redis = { path: bench.address.path }
const [adding, taking] = [new Bull('bare', { redis }), new Bull('bare', { redis })]
const bare: Way = { name: 'Bull alone', heard: new Set(), add: (n) => adding.add({ n }, { removeOnComplete: true }) }
adding.on('global:completed', () => bare.heard.forEach((hear) => hear()))
void taking.process(4, async () => ({ bytes: 10 }))
await once(adding, 'registered:global:completed')

let next = 0
const results = { alone: new Map<string, number[]>(), atOnce: new Map<string, number[]>() }
for (let round = 0; round <= ROUNDS; round++) {
  for (const way of [ours, bare]) {
    const [alone, atOnce] = [await oneByOne(way), await allAtOnce(way)]
    // The first round warms up.
    if (round === 0) continue
    results.alone.set(way.name, [...(results.alone.get(way.name) ?? []), alone])
    results.atOnce.set(way.name, [...(results.atOnce.get(way.name) ?? []), atOnce])
  }
}
tell('a job that does nothing, from adding it to hearing of its end', results.alone, ownAtMost(5))
tell(`each of ${AT_ONCE} jobs that do nothing, all at once`, results.atOnce, ownAtMost(5))
await Promise.all([adding.close(), taking.close()])
await bench.close()

async function oneByOne(way: Way): Promise<number> {
  const took: number[] = []
  for (let i = 0; i < ONE_BY_ONE; i++) {
    const startedMs = performance.now()
    const ended = endsOf(way, 1)
    await way.add(next++)
    await ended
    took.push(performance.now() - startedMs)
  }
  return median(took)
}

async function allAtOnce(way: Way): Promise<number> {
  const startedMs = performance.now()
  const ended = endsOf(way, AT_ONCE)
  for (let i = 0; i < AT_ONCE; i += 50) await Promise.all(Array.from({ length: 50 }, () => way.add(next++)))
  await ended
  return (performance.now() - startedMs) / AT_ONCE
}

function endsOf({ heard }: Way, many: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let left = many
  const hear = () => {
    if (--left > 0) return
    heard.delete(hear)
    resolve()
  }
  heard.add(hear)
  return promise
}

function tell(what: string, byWay: ReadonlyMap<string, readonly number[]>, goal: Goal): void {
  const [own, alone] = [median(byWay.get('ours') ?? []), median(byWay.get('Bull alone') ?? [])]
  report({ what, own, unit: ' ms', beside: { whom: 'Bull alone', value: alone }, goal })
}
