import { buffer } from 'node:stream/consumers'
import { expect } from 'chai'
import type { JobQueue } from '../../../jobs/queue/queue.ts'
import type { JobRecord } from '../../../jobs/queue/job-record.ts'
import { renders } from '../../../jobs/queue/job-types.ts'
import { assertOneEach } from '../../../jobs/worker/job-consumer.ts'
import { errands } from '../../support/encode-queue.ts'
import { openJobBench, type JobBench } from '../../support/jobs.ts'
import { hasRedis } from '../../support/redis.ts'
import { eventually } from '../../support/service.ts'

describe('the queue of jobs', () => {
  let bench: JobBench
  let queue: JobQueue
  before(async function () {
    if (!hasRedis()) this.skip()
    bench = await openJobBench()
    queue = await bench.queue()
  })
  after(() => bench?.close())

  const never = new AbortController().signal
  const ended = (id: string, projectId = 'one') =>
    queue.wait(projectId, id, { timeoutMs: 8000, signal: never }) as Promise<JobRecord>
  let n = 0
  const add = (projectId = 'one', errand = {}) => bench.add(queue, projectId, { n: n++, ...errand })
  const withWorker = async (use: () => Promise<void>, options = {}) => {
    const worker = bench.worker(options)
    try {
      await use()
    } finally {
      await worker.close(0)
    }
  }

  it('runs a job once, tells how far it is, and keeps its picture', async () => {
    const id = await add('one', { ms: 500 })
    const waiting = await queue.get('one', id)
    expect(waiting).to.include({
      status: 'pending',
      position: 1,
      stage: null,
      label: `errand ${n - 1}`,
      startedAtMs: null,
    })
    await withWorker(async () => {
      await eventually(
        () => queue.get('one', id),
        (job) => job?.status === 'processing' && job.stage === 'rendering' && job.position === null,
      )
      const done = await ended(id)
      expect(done).to.include({ status: 'completed', error: null, type: 'blockgame.render', stage: null })
      expect(done.expiresAtMs).to.equal((done.finishedAtMs ?? 0) + 24 * 60 * 60_000)
      const stream = await bench.results.open(done.result!, null)
      expect((await buffer(stream!)).toString()).to.equal(`picture ${n - 1}`)
    })
  })

  it('does not write down a stage that is over in a moment', async () => {
    const redis = await bench.redis()
    const written = (id: string) => redis.hget(`${bench.prefix}:blockgame.render:${id}`, 'progress')
    await withWorker(async () => {
      const [quick, slow] = await Promise.all([add('one'), add('one', { ms: 500 })])
      await Promise.all([ended(quick), ended(slow)])
      expect(await written(quick)).to.equal(null)
      expect(await written(slow)).to.include('rendering')
    })
  })

  it('shows a job to its own project alone, under an id that cannot be guessed', async () => {
    const id = await add()
    expect(id).to.match(/^job_[0-9A-Za-z]{22}$/)
    expect(await queue.get('two', id)).to.equal(null)
    expect(await queue.wait('two', id, { timeoutMs: 1000, signal: never })).to.equal(null)
    expect((await queue.list('two', { before: null, limit: 10 })).jobs).to.deep.equal([])
    for (const guess of ['', 'job_', 'job_0000000000000000000000', 'wait', 'completed']) {
      expect(await queue.get('one', guess), guess).to.equal(null)
    }
  })

  it('shares the job of the same request while that is pending or young, also between processes', async () => {
    const other = await bench.queue()
    const errand = { n: n++ }
    const all = Array.from({ length: 10 }, (_, i) => bench.add(i % 2 ? queue : other, 'share', errand))
    const ids = new Set(await Promise.all(all))
    expect(ids.size).to.equal(1)
    expect(await bench.add(queue, 'share too', errand), 'of another project').not.to.equal([...ids][0])
    await withWorker(async () => {
      await ended([...ids][0] ?? '', 'share')
      expect(await bench.add(queue, 'share', errand), 'while it is young').to.equal([...ids][0])
      const later = await bench.queue({ now: () => Date.now() + 61_000 })
      expect(await bench.add(later, 'share', errand), 'a minute later').not.to.equal([...ids][0])
    })
  })

  it('does not share a job that has failed', async () => {
    await withWorker(async () => {
      const errand = { n: n++, how: 'fail' } as const
      const id = await bench.add(queue, 'one', errand)
      expect((await ended(id)).status).to.equal('failed')
      expect(await bench.add(queue, 'one', errand)).not.to.equal(id)
    })
  })

  it('takes no more of a crowd than half of the room, though all of it comes at once', async () => {
    const small = await bench.queue({ capacity: 40, prefix: 'crowd' })
    const crowd = Array.from({ length: 60 }, (_, i) => bench.add(small, 'crowd', { n: i }))
    const taken = (await Promise.allSettled(crowd)).filter(({ status }) => status === 'fulfilled')
    expect(taken.length).to.be.within(1, 20)
    await bench.add(small, 'somebody else', { n: 60 })
  })

  it('does not let one project’s many jobs go before another’s first', async () => {
    const fair = await openJobBench()
    try {
      const queue = await fair.queue()
      const order: string[] = []
      queue.onDone(({ projectId }) => order.push(projectId))
      const many = Array.from({ length: 60 }, (_, i) => fair.add(queue, 'busy', { n: i }))
      await Promise.all(many)
      const first = await fair.add(queue, 'late', { n: 1000 })
      expect((await queue.get('late', first))?.position).to.equal(2)
      const second = await fair.add(queue, 'late', { n: 1001 })
      expect((await queue.get('late', second))?.position).to.equal(4)
      const last = await fair.add(queue, 'busy', { n: 60 })
      expect((await queue.get('busy', last))?.position, 'its own jobs stay in order').to.equal(63)
      fair.worker()
      await eventually(
        () => order.length,
        (length) => length === 63,
      )
      expect(order.indexOf('late')).to.equal(1)
      expect(order.lastIndexOf('late')).to.equal(3)
    } finally {
      await fair.close()
    }
  })

  it('has a bound, and room for a newcomer beside a project that fills it', async () => {
    const small = await bench.queue({ capacity: 20, prefix: 'small' })
    const asks = Array.from({ length: 50 }, (_, n) => ({ projectId: 'greedy', label: 'x', request: { n } }))
    const outcomes: any[] = []
    for (const order of asks) outcomes.push(await small.add('blockgame.render', order).catch((fault: unknown) => fault))
    const refused = outcomes.find(({ code }) => code)
    const added = outcomes.indexOf(refused)
    expect(added).to.be.within(8, 12)
    expect(refused).to.include({ code: 'service_unavailable' })
    expect(refused.retryAfterMs).to.be.greaterThan(0)
    await small.add('blockgame.render', { projectId: 'newcomer', label: 'x', request: { n: 0 } })
    const counts = { type: 'blockgame.render', pending: added + 1, processing: 0 }
    expect(await small.counts()).to.deep.include(counts)
  })

  it('tells a failure in its own words at once, and tries a breakdown again', async () => {
    await withWorker(async () => {
      const failed = await ended(await add('one', { how: 'fail' }))
      expect(failed.status).to.equal('failed')
      expect(failed.error).to.deep.equal({ code: 'upstream_failed', message: `There is no page ${n - 1}.` })
      expect((await ended(await add('one', { how: 'break-once' }))).status).to.equal('completed')
      const broken = await ended(await add('one', { how: 'break' }))
      expect(broken.error).to.deep.equal({
        code: 'internal_error',
        message: 'The renderer crashed 2 times during this job.',
      })
    })
  })

  it('ends a job at its time limit, whether it heeds its signal or not', async () => {
    const stuck: true[] = []
    await withWorker(
      async () => {
        const [heeding, hanging] = await Promise.all([add('one', { ms: 60_000 }), add('one', { how: 'hang' })])
        for (const id of [heeding, hanging]) {
          const job = await ended(id)
          expect(job.error).to.deep.equal({ code: 'timed_out', message: 'The job took longer than 1 s.' })
        }
      },
      { concurrency: 2, stuckMs: 2500, onStuck: () => stuck.push(true) },
    )
    await eventually(
      () => stuck.length,
      (length) => length === 1,
    )
  })

  it('gives what a stopping worker was at to another one, which does not count as a breakdown', async () => {
    const id = await add('one', { ms: 700 })
    for (let stops = 0; stops < 3; stops++) {
      await withWorker(async () => {
        await eventually(
          () => queue.get('one', id),
          (job) => job?.status === 'processing',
        )
      })
      expect((await queue.get('one', id))?.status).to.equal('pending')
    }
    await withWorker(async () => void expect((await ended(id)).status).to.equal('completed'))
  })

  it('leaves jobs that need a browser to workers that have one', async () => {
    const { id } = await queue.add('tools.screenshot', { projectId: 'one', label: 'x', request: { n: n++ } })
    await withWorker(async () => {
      await ended(await add())
      expect((await queue.get('one', id))?.status).to.equal('pending')
    })
    const options = { browser: {} as never }
    await withWorker(async () => void expect((await ended(id)).status).to.equal('completed'), options)
  })

  it('is worked on only by a worker that knows every type of job exactly once', () => {
    expect(() => bench.worker({ jobs: errands.slice(1) })).to.throw('blockgame.render is declared 0 times')
    expect(() => bench.worker({ jobs: [...errands, ...errands] })).to.throw('declared 2 times')
    expect(() => assertOneEach(renders)).not.to.throw()
  })

  it('lists a project’s jobs, the newest first, page by page', async () => {
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.unshift(await add('listing'))
    const first = await queue.list('listing', { before: null, limit: 3 })
    expect(first.jobs.map(({ id }) => id)).to.deep.equal(ids.slice(0, 3))
    const second = await queue.list('listing', { before: first.next, limit: 3 })
    expect(second.jobs.map(({ id }) => id)).to.deep.equal(ids.slice(3))
    expect(second.next).to.equal(null)
    expect(await queue.list('listing', { before: 'job_gone', limit: 3 })).to.deep.equal({ jobs: [], next: null })
  })

  it('lets hundreds wait over one connection, and each only as long as it wants to', async () => {
    const id = await add('patient', { ms: 100 })
    const redis = await bench.redis()
    const connections = async () => ((await redis.client('LIST')) as string).trim().split('\n').length
    const before = await connections()
    const gone = new AbortController()
    const leaving = queue.wait('patient', id, { timeoutMs: 8000, signal: gone.signal })
    const short = await queue.wait('patient', id, { timeoutMs: 20, signal: never })
    expect(short?.status).to.equal('pending')
    const all = Array.from({ length: 199 }, () => queue.wait('patient', id, { timeoutMs: 8000, signal: never }))
    const oneMore = await queue.wait('patient', id, { timeoutMs: 8000, signal: never }).catch((fault: unknown) => fault)
    expect(oneMore).to.include({ code: 'rate_limited' })
    expect(await connections()).to.equal(before)
    gone.abort(new Error('gone'))
    expect(await leaving.catch((error: Error) => error.message)).to.equal('gone')
    await withWorker(async () => {
      for (const job of await Promise.all(all)) expect(job?.status).to.equal('completed')
    })
  })

  it('tells every end once, also what ended while no one listened', async () => {
    const first = await bench.queue({ prefix: 'endings' })
    const worker = bench.worker({ prefix: 'endings' })
    const told: string[] = []
    first.onDone(({ id, status }) => told.push(`${id} ${status}`))
    const heard = await bench.add(first, 'one', { n: 1 })
    await eventually(
      () => told,
      ({ length }) => length === 1,
    )
    const unheard = await bench.add(first, 'one', { n: 2, ms: 300 })
    await first.close()
    const reading = await bench.redis()
    await eventually(
      () => reading.zcard('endings:blockgame.render:completed'),
      (ended) => ended === 2,
    )
    const third = await bench.queue({ prefix: 'endings' })
    third.onDone(({ id, status }) => told.push(`${id} ${status}`))
    await eventually(
      () => told,
      (all) => all.includes(`${unheard} completed`),
    )
    await worker.close(0)
    expect(told.filter((one) => one === `${unheard} completed`)).to.have.length(1)
    expect(told[0]).to.equal(`${heard} completed`)
  })

  it('counts and places jobs that a former version left, which knew turns alone', async () => {
    const former = await bench.queue({ prefix: 'former' })
    const ids = [await bench.add(former, 'one', { n: 1 }), await bench.add(former, 'one', { n: 2 })]
    await former.close()
    const redis = await bench.redis()
    await redis.del('former:blockgame.render:queued')
    await redis.hdel('former:blockgame.render:turns', '#')
    const next = await bench.queue({ prefix: 'former' })
    await eventually(
      () => next.counts(),
      (counts) => counts.some(({ pending }) => pending === 2),
    )
    expect((await next.get('one', ids[1]!))?.position).to.equal(2)
  })
})
