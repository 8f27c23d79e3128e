import { expect } from 'chai'
import { createEncodeQueue } from '../../../bot/audio/cache/encode-queue.ts'
import { createDecoderShares } from '../../../bot/audio/ffmpeg/decoder-shares.ts'
import { Fault } from '../../../lib/errors.ts'

const { signal } = new AbortController()

describe('the shares of decoders', () => {
  it('start the next process of a project that waits less before those of one that asked for many', async () => {
    const shares = createDecoderShares({ starts: 4 })
    const order: string[] = []
    const first = await Promise.all([1, 2].map(() => shares.acquire('busy', signal)))
    const ask = (projectId: string) => shares.acquire(projectId, signal).then(() => order.push(projectId))
    const asked = [ask('busy'), ask('busy'), ask('other')]
    await asked[2]
    expect(order).to.deep.equal(['other'])
    for (const place of first) place.started()
    await Promise.all(asked)
  })

  it('refuse a project that has its share of processes, and leave places for the next one', async () => {
    const shares = createDecoderShares({ processes: 8, starts: 100 })
    const places = await Promise.all([1, 2, 3, 4].map(() => shares.acquire('busy', signal)))
    const refused: unknown = await shares.acquire('busy', signal).catch((error: unknown) => error)
    expect(refused).to.be.instanceOf(Fault).and.to.include({ code: 'service_unavailable' })
    ;(await shares.acquire('other', signal)).release()
    places[0]?.release()
    ;(await shares.acquire('busy', signal)).release()
  })
})

describe('the tracks that are encoded ahead', () => {
  it('take turns by project, however many one of them asks for', async () => {
    const order: string[] = []
    const errands = createEncodeQueue<never>((error) => expect.fail(String(error)))
    const gate = Promise.withResolvers<void>()
    const add = (projectId: string, name: string, wait: Promise<void> = Promise.resolve()) =>
      new Promise<void>((resolve) => {
        const run = () => wait.then(() => void order.push(name)).then(resolve)
        errands.add(name, run, { projectId, listener: () => undefined })
      })
    const all = [add('busy', 'first', gate.promise)]
    for (let n = 0; n < 300; n++) all.push(add('busy', `busy ${n}`))
    const other = add('other', 'other')
    gate.resolve()
    await other
    expect(order.indexOf('other')).to.be.at.most(2)
    await errands.close()
  })
})
