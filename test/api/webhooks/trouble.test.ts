import { createServer, type Socket } from 'node:net'
import type { LookupAddress } from 'node:dns'
import { expect } from 'chai'
import { MOST_WAITING } from '../../../db/webhooks/delivery-sql.ts'
import { closing } from '../../support/closing.ts'
import { eventually } from '../../support/service.ts'
import { startPost, startReceiver, type Received } from '../../support/webhooks.ts'
import { listen } from '../../support/web.ts'

const json = ({ body }: Received) => JSON.parse(body)

function answerNoise(socket: Socket): void {
  socket.on('error', () => {})
  socket.once('data', () => socket.end('no such protocol\r\n\r\n'))
}

describe('a webhook whose receiver does not do as it should', () => {
  const own = closing()
  const post = (options: Parameters<typeof startPost>[0] = {}) => own(startPost(options))
  const receiver = async (...args: Parameters<typeof startReceiver>) => own(await startReceiver(...args))

  it('is followed to no other place, and reached nowhere but on public addresses, no matter what a name says later', async () => {
    let hits = 0
    const inner = await receiver((response) => response.end(String((hits += 1))))
    const addresses: LookupAddress[] = [{ address: '127.0.0.1', family: 4 }]
    const target = await receiver((response) => response.writeHead(307, { location: inner.url }).end())
    const lookup = async (host: string) => (host === 'allowed.example' ? [...addresses] : [])
    const office = post({ allowHosts: [`127.0.0.1:${target.port}`, 'nowhere.example'], lookup })
    const projectId = await office.project()
    const errorOf = async (url: string) => {
      const { id } = await office.hook(projectId, url)
      const testId = (await office.office.sendTest(projectId, id)) ?? ''
      const [tried] = (await office.deliveries.find(projectId, id, testId))?.tries ?? []
      await office.webhooks.remove(projectId, id)
      return tried?.status ?? tried?.error
    }
    expect(await errorOf(target.url)).to.equal(307)
    expect(await errorOf(inner.url)).to.equal('not_allowed')
    expect(await errorOf(`http://allowed.example:${inner.port}/`), 'rebinding').to.equal('not_allowed')
    expect(await errorOf(`http://[::ffff:127.0.0.1]:${inner.port}/`)).to.equal('not_allowed')
    expect(await errorOf('http://169.254.169.254/')).to.equal('not_allowed')
    expect(await errorOf('http://none.example/')).to.equal('not_allowed')
    expect(hits).to.equal(0)
  })

  it('has a log of how it went wrong, with the beginning of an answer only', async () => {
    const office = post()
    const huge = await receiver((response) => {
      response.writeHead(500)
      response.write('x\u0000y'.repeat(100_000))
      setTimeout(() => response.end('z'.repeat(5_000_000)), 20)
    })
    const cut = await receiver((response) => response.destroy())
    const noise = own(await listen(createServer(answerNoise)))
    const plain = await receiver()
    const projectId = await office.project()
    const tryOf = async (url: string) => {
      const { id } = await office.hook(projectId, url)
      const testId = (await office.office.sendTest(projectId, id)) ?? ''
      return (await office.deliveries.find(projectId, id, testId))?.tries[0]
    }
    const large = await tryOf(huge.url)
    expect(large?.status).to.equal(500)
    expect(large?.excerpt).to.have.lengthOf(1024).and.not.include('\u0000')
    expect((await tryOf(cut.url))?.error).to.equal('unreachable')
    expect((await tryOf(noise.url))?.error).to.equal('malformed')
    expect((await tryOf('http://127.0.0.1:1025/'))?.error).to.equal('unreachable')
    expect((await tryOf(plain.url.replace('http:', 'https:')))?.error).to.equal('bad_certificate')
  })

  it('holds up no other when it never answers', async () => {
    const office = post()
    const hanging = await receiver(() => {})
    const quick = await receiver()
    const projectId = await office.project()
    const dead = (await office.hook(projectId, hanging.url)).id
    await office.hook(projectId, quick.url)
    for (let i = 0; i < 30; i += 1) office.emit(projectId)
    await quick.count(30)
    expect(hanging.received).to.have.lengthOf(1)
    expect(await office.deliveries.counts(projectId, dead)).to.deep.equal({ pending: 30, delivered: 0, failed: 0 })
  })

  it('gets no more than a bound of events, and is told how many had no room', async () => {
    const office = post()
    const projectId = await office.project()
    const { id } = await office.hook(projectId, 'http://169.254.169.254/')
    await office.webhooks.setState(projectId, id, 'paused')
    const queue = (name: string) =>
      office.deliveries.publish({ projectId, type: 'jobEnded', botId: null, body: '{}', idFor: () => name })
    expect(await queue('msg_paused'), 'a paused one hears nothing').to.deep.equal([])
    await office.webhooks.setState(projectId, id, 'active')
    await office.store.atomically(async () => {
      for (let i = 0; i < MOST_WAITING; i += 1) await queue(`msg_${i}`)
    })
    expect(await queue('msg_late')).to.deep.equal([{ webhookId: id, outcome: 'full' }])
    expect((await office.webhooks.get(projectId, id)).leftOut).to.equal(1)
    expect(await office.office.sendTest(projectId, id)).to.equal(null)
  })

  it('is disabled when it says that it is gone, and after days in which nothing arrived', async () => {
    const office = post({ schedule: { failingMs: 60_000 } })
    const gone = await receiver((response) => response.writeHead(410).end())
    const broken = await receiver((response) => response.writeHead(404).end())
    const projectId = await office.project()
    const [a, b] = [(await office.hook(projectId, gone.url)).id, (await office.hook(projectId, broken.url)).id]
    office.emit(projectId)
    await office.last(projectId, a, (state) => state === 'failed')
    expect(await office.webhooks.get(projectId, a)).to.include({ state: 'disabled', reason: 'gone' })
    await office.last(projectId, b, (state) => state === 'failed')
    expect((await office.webhooks.get(projectId, b)).state).to.equal('active')
    office.clock.aheadMs = 61_000
    office.emit(projectId)
    await eventually(
      () => office.webhooks.get(projectId, b),
      ({ state, reason }) => state === 'disabled' && reason === 'failing',
    )
    expect(office.disabled).to.deep.equal([`${a} gone`, `${b} failing`])
    expect(gone.received).to.have.lengthOf(1)
    expect(await office.registry.metrics()).to.match(/^bandstand_webhooks_disabled_total 2$/m)
    await office.webhooks.setState(projectId, b, 'active')
    expect(await office.webhooks.get(projectId, b)).to.include({ state: 'active', reason: null, failingSinceMs: null })
  })

  it('is left alone for as long as Retry-After says', async () => {
    const office = post()
    const target = await receiver((response) => response.writeHead(429, { 'retry-after': '120' }).end())
    const projectId = await office.project()
    const { id } = await office.hook(projectId, target.url)
    office.emit(projectId)
    const last = await office.last(projectId, id, (_, attempts) => attempts === 1)
    expect((last?.nextAtMs ?? 0) - Date.now()).to.be.within(100_000, 120_000)
    office.emit(projectId)
    office.emit(projectId)
    await eventually(
      async () => (await office.deliveries.counts(projectId, id)).pending,
      (waiting) => waiting === 3,
    )
    expect(target.received).to.have.lengthOf(1)
    // A person who asks for it does not wait.
    await office.office.sendTest(projectId, id)
    expect(target.received.map((one) => json(one).type)).to.deep.equal(['queueEmptied', 'test'])
  })
})
