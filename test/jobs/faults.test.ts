import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { JobQueue } from '../../jobs/queue/queue.ts'
import type { JobRecord } from '../../jobs/queue/job-record.ts'
import { openJobBench, type JobBench } from '../support/jobs.ts'
import { hasRedis } from '../support/redis.ts'
import { eventually } from '../support/service.ts'

/** Records finished jobs, and how often each is reported to its caller. */
function record(queue: JobQueue) {
  const ends = new Map<string, JobRecord[]>()
  queue.onDone((job) => ends.set(job.id, [...(ends.get(job.id) ?? []), job]))
  return {
    ends,
    all: (ids: readonly string[], withinMs: number) =>
      eventually(
        () => ids.filter((id) => !ends.has(id)),
        (missing) => missing.length === 0,
        withinMs,
      ),
    statuses: () => [...ends.values()].map((each) => each.map(({ status }) => status).join()),
  }
}

/** `npm run faults -- --only 1b,4h,5,6` does the same to the whole program, with more jobs and real pages. */
describe('jobs under kill -9', () => {
  let bench: JobBench
  let queue: JobQueue
  beforeEach(async function () {
    if (!hasRedis()) this.skip()
    bench = await openJobBench()
    queue = await bench.queue()
  })
  afterEach(() => bench?.close())

  const addMany = (many: number, projectId = 'one') =>
    Promise.all(Array.from({ length: many }, (_, n) => bench.add(queue, projectId, { n, ms: 20 })))
  /** Each started again when it ends, as the service does. */
  async function keepRunning(): Promise<() => Promise<void>> {
    let isStopped = false
    let current = await bench.runner()
    const going = (async () => {
      for (;;) {
        await once(current, 'exit')
        if (isStopped) return
        current = await bench.runner()
      }
    })()
    return () => {
      isStopped = true
      current.kill('SIGKILL')
      return going
    }
  }

  it('of a worker are each completed once, by the workers that are left', async () => {
    const seen = record(queue)
    const [first, second] = [await bench.runner(), await bench.runner()]
    const ids = await addMany(80)
    await eventually(
      () => seen.ends.size,
      (ended) => ended > 10,
    )
    first.kill('SIGKILL')
    await seen.all(ids, 15_000)
    second.kill('SIGTERM')
    expect(new Set(seen.statuses())).to.deep.equal(new Set(['completed']))
  })

  it('of Redis are each completed once, and those who wait are told', async () => {
    const seen = record(queue)
    await bench.runner()
    const ids = await addMany(80)
    const signal = new AbortController().signal
    const waits = ids.map((id) => queue.wait('one', id, { timeoutMs: 20_000, signal }))
    await eventually(
      () => seen.ends.size,
      (ended) => ended > 10,
    )
    process.kill(Number(readFileSync(bench.redisPidFile, 'utf8')), 'SIGKILL')
    await seen.all(ids, 15_000)
    expect(new Set(seen.statuses())).to.deep.equal(new Set(['completed']))
    for (const job of await Promise.all(waits)) expect(job?.status).to.equal('completed')
  })

  it('of the service continue, and the next one finds them all', async () => {
    await bench.runner()
    const ids = await addMany(40)
    await sleep(100)
    // Nothing of it is told: a process that was killed tells no one either.
    await queue.close()
    const next = await bench.queue()
    const signal = new AbortController().signal
    const jobs = await Promise.all(ids.map((id) => next.wait('one', id, { timeoutMs: 15_000, signal })))
    expect(new Set(jobs.map((job) => job?.status))).to.deep.equal(new Set(['completed']))
  })

  it('caused by a job itself fail that job after some attempts, and harm no other', async () => {
    const seen = record(queue)
    const stop = await keepRunning()
    const poison = await bench.add(queue, 'hostile', { n: 1000, how: 'die' })
    const ids = await addMany(20)
    await seen.all([...ids, poison], 25_000)
    await stop()
    expect(seen.ends.get(poison)?.map(({ error }) => error)).to.deep.equal([
      { code: 'internal_error', message: 'The renderer crashed repeatedly during this job.' },
    ])
    for (const id of ids) expect(seen.ends.get(id)?.map(({ status }) => status)).to.deep.equal(['completed'])
  })

  it('or not are shared by two workers in two processes, whose pictures are all found', async () => {
    const seen = record(queue)
    await Promise.all([bench.runner(), bench.runner()])
    const ids = await addMany(100)
    await seen.all(ids, 15_000)
    const workers = new Set([...seen.ends.values()].map(([job]) => job?.result?.width))
    expect(workers.size, 'both did some').to.equal(2)
    for (const id of ids) {
      const [job] = seen.ends.get(id) ?? []
      expect(await bench.results.open(job!.result!, null).then((stream) => stream?.destroy() && true)).to.equal(true)
    }
  })
})
