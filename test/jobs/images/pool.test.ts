import { expect } from 'chai'
import { createImages, type ImageRequest } from '../../../jobs/images/images.ts'
import { createRandom } from '../../../lib/random/seeded-random.ts'
import { createPool, type Pool } from '../../../jobs/images/pool/pool.ts'
import type { Work } from '../../../jobs/images/pool/protocol.ts'
import { createLog } from '../../../lib/log.ts'
import { frameOf, HALVES, pngOf } from '../../support/pictures.ts'

const log = createLog('silent')
const forever = new AbortController().signal

async function failureOf(work: Promise<unknown>): Promise<any> {
  return work.then(
    () => expect.fail('This went through.'),
    (error: unknown) => error,
  )
}

describe('the processes that work on pictures', () => {
  let png: Buffer
  let pool: Pool
  const work = (params: object = {}, picture: Buffer = png, effect = 'greyscale'): Work => {
    const preset = effect === 'greyscale' ? { amount: 100 } : {}
    const given = { ...preset, ...params }
    return { kind: 'filter', effect, params: given, pictures: [Buffer.from(picture)], format: null, size: 4096 }
  }
  before(async () => {
    png = await pngOf(HALVES)
  })
  afterEach(() => pool.close())

  it('start with the first picture, take it from there one by one, and end with the pool', async () => {
    pool = createPool({ log, size: 1 })
    const results = await Promise.all([1, 2, 3].map(() => pool.run('a', work(), forever)))
    expect(results.map(({ width, format }) => [width, format])).to.deep.equal([
      [40, 'png'],
      [40, 'png'],
      [40, 'png'],
    ])
    await pool.close()
    expect((await failureOf(pool.run('a', work(), forever))).code).to.equal('service_unavailable')
  })

  it('are stopped in the middle of work that takes too long, and replaced', async () => {
    pool = createPool({ log, size: 1, jobMs: 400 })
    // Seconds of work: sixteen million points, no two alike, and WebP looks hard for those that are.
    const random = createRandom(1)
    const grain = await pngOf(frameOf(128, 128, () => [random() * 256, random() * 256, random() * 256, 255]))
    const endless: Work = { ...work({ width: 4096, height: 4096, fit: 'fill' }, grain, 'resize'), format: 'webp' }
    expect((await failureOf(pool.run('a', endless, forever))).message).to.match(/longer than 0.4 s/)
    // A machine that is busy enough makes even this one too slow, but not for ever.
    let next: number | Error
    do
      next = await pool.run('a', work(), forever).then(
        ({ width }) => width,
        (error: Error) => error,
      )
    while (next instanceof Error && /longer than 0.4 s|Too many concurrent images/.test(next.message))
    expect(next).to.equal(40)
  })

  it('give up what none of them has begun in time, and say that there is too much', async () => {
    pool = createPool({ log, size: 1, waitMs: 1 })
    // The process takes longer than that to start.
    const late = await failureOf(pool.run('a', work(), forever))
    expect([late.code, late.retryAfterMs]).to.deep.equal(['service_unavailable', 2000])
    expect(late.message).to.match(/^Too many concurrent images/)
  })

  it('tell a fault in an effect from one in the picture', async () => {
    pool = createPool({ log, size: 1 })
    expect((await failureOf(pool.run('a', work({}, Buffer.from('nothing')), forever))).name).to.equal('Refusal')
    expect((await failureOf(pool.run('a', work({}, png, 'unheard-of'), forever))).name).to.equal('Error')
    expect((await pool.run('a', work(), forever)).width).to.equal(40)
  })

  it('end when they have had nothing to do for a while, and come back', async () => {
    // Its processes yield to all others, so that they may start late on a busy machine.
    pool = createPool({ log, size: 1, idleMs: 1, waitMs: 100_000 })
    for (let round = 0; round < 2; round++) {
      expect((await pool.run('a', work(), forever)).width).to.equal(40)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })

  it('forget work whose caller has gone', async () => {
    pool = createPool({ log, size: 1 })
    const caller = new AbortController()
    const first = pool.run('a', work(), forever)
    const gone = pool.run('a', work(), caller.signal)
    caller.abort(new Error('gone'))
    expect((await failureOf(gone)).message).to.equal('gone')
    await first
  })
})

describe('requests for pictures', () => {
  it('are bounded for each owner and for all, before anything of them is read', async () => {
    const egress = { open: () => expect.fail('Nothing is fetched here.') }
    const images = createImages({ log, egress, workers: 1, maxOpen: 3, maxOpenEach: 2 })
    const hold = Promise.withResolvers<never>()
    let read = 0
    const inputs: ImageRequest['inputs'] = () => {
      read++
      return hold.promise
    }
    const ask = (owner: string): Promise<unknown> => {
      const common = { kind: 'filter', effect: 'invert', params: {}, format: null, size: 512 } as const
      return images.apply({ ...common, owner, inputs, signal: forever })
    }
    const open = [ask('a'), ask('a')].map(failureOf)
    for (const refused of [await failureOf(ask('a')), await failureOf(ask('a'))]) {
      expect([refused.code, refused.retryAfterMs]).to.deep.equal(['service_unavailable', 2000])
    }
    open.push(failureOf(ask('b')))
    expect((await failureOf(ask('c'))).code).to.equal('service_unavailable')
    expect(read).to.equal(3)
    hold.reject(new Error('done'))
    await Promise.all(open)
    expect((await failureOf(ask('c'))).message).to.equal('done')
    await images.close()
  })
})
