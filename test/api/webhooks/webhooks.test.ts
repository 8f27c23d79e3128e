import { expect } from 'chai'
import { MAX_TRIES } from '../../../db/webhooks/delivery-sql.ts'
import { KEPT_MS } from '../../../db/webhooks/deliveries.ts'
import { MAX_WEBHOOKS } from '../../../db/webhooks/webhooks.ts'
import { Fault } from '../../../lib/errors.ts'
import { closing } from '../../support/closing.ts'
import { eventually } from '../../support/service.ts'
import { isSignedBy, startPost, startReceiver, type Received } from '../../support/webhooks.ts'

const song = { title: 'Night Ferry', author: 'The Harbour Lights', lengthMs: 1000, uri: null, artworkUrl: null }

const BOT = '900000000000000071'

const json = ({ body }: Received) => JSON.parse(body)

/** Returns the message of the fault that `work` throws. */
async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Fault)) throw new Error('It was not refused.', { cause: error })
  return error.message
}

describe('webhooks', () => {
  const own = closing()
  const post = (options: Parameters<typeof startPost>[0] = {}) => own(startPost(options))
  const receiver = async (...args: Parameters<typeof startReceiver>) => own(await startReceiver(...args))

  it('tell every kind of event, signed, with its id and the time', async () => {
    const office = post()
    const target = await receiver()
    const projectId = await office.project()
    const { id, secret } = await office.hook(projectId, target.url)
    const track = { ...song, isStream: false }
    const { events } = office.office
    events.emit({ projectId, event: { type: 'trackStarted', botId: '1', guildId: '2', track } })
    events.emit({ projectId, event: { type: 'trackEnded', botId: '1', guildId: '2', reason: 'finished' } })
    events.emit({ projectId, event: { type: 'queueEmptied', botId: '1', guildId: '2' } })
    events.emit({ projectId, event: { type: 'playerClosed', botId: '1', guildId: '2', reason: 'idle' } })
    events.emit({ projectId, event: { type: 'botStopped', botId: '1', reason: 'shutdown' } })
    events.emit({
      projectId,
      event: { type: 'jobEnded', jobId: 'j1', jobType: 'tools.screenshot', status: 'completed' },
    })
    const received = await target.count(6)
    const bodies = Object.fromEntries(received.map((one) => [json(one).type, json(one)]))
    expect(bodies['trackStarted'].data).to.deep.equal({ botId: '1', guildId: '2', track })
    expect(bodies['trackEnded'].data).to.deep.equal({ botId: '1', guildId: '2', reason: 'finished' })
    expect(bodies['botStopped'].data).to.deep.equal({ botId: '1', reason: 'shutdown' })
    expect(bodies['jobEnded'].data).to.deep.equal({ jobId: 'j1', jobType: 'tools.screenshot', status: 'completed' })
    expect(Object.keys(bodies)).to.have.lengthOf(6)
    for (const one of received) {
      expect(await isSignedBy(secret, one)).to.equal(true)
      expect(await isSignedBy(secret, { ...one, body: `${one.body} ` })).to.equal(false)
      expect(Math.abs(Number(one.headers['webhook-timestamp']) - Date.now() / 1000)).to.be.below(60)
      expect(Math.abs(Date.parse(json(one).timestamp) - Date.now())).to.be.below(60_000)
      expect(one.headers['content-type']).to.equal('application/json')
      expect(JSON.stringify(one.headers)).not.to.include(secret)
    }
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).to.equal(6)
    const last = await office.last(projectId, id, (state) => state === 'delivered')
    expect(last?.last).to.include({ status: 200, error: null, excerpt: 'thanks' })
  })

  it('tell of the bots and events that were chosen, and of no other project', async () => {
    const office = post()
    const [ours, theirs] = [await receiver(), await receiver()]
    const [projectId, other] = [await office.project(), await office.project('Theirs')]
    await office.bot(projectId, BOT)
    await office.hook(projectId, ours.url, { events: ['queueEmptied', 'jobEnded'], botIds: [BOT] })
    await office.hook(other, theirs.url)
    const { events } = office.office
    events.emit({ projectId, event: { type: 'botStopped', botId: BOT, reason: 'removed' } })
    office.emit(projectId, '900000000000000072')
    office.emit(projectId, BOT)
    events.emit({ projectId, event: { type: 'jobEnded', jobId: 'j', jobType: 't', status: 'failed' } })
    office.emit(other, BOT)
    await theirs.count(1)
    expect((await ours.count(2)).map((one) => [json(one).type, json(one).data.botId])).to.have.deep.members([
      ['queueEmptied', BOT],
      ['jobEnded', undefined],
    ])
    expect(theirs.received).to.have.lengthOf(1)
    const [hook] = await office.webhooks.list(projectId)
    expect((await office.webhooks.list(other)).map(({ id }) => id)).not.to.include(hook?.id)
    expect(await refusal(office.webhooks.get(other, hook?.id ?? ''))).to.include('There is no webhook')
    expect(await refusal(office.webhooks.rotate(other, hook?.id ?? '', 0))).to.include('There is no webhook')
    expect(await office.webhooks.remove(other, hook?.id ?? '')).to.equal(false)
    expect(await refusal(office.hook(other, theirs.url, { botIds: [BOT] }))).to.include('has no bot')
  })

  it('try again until it arrives, with the same id and body and a fresh signature', async () => {
    const office = post()
    let left = 3
    const target = await receiver((response) => response.writeHead(left-- > 0 ? 500 : 204).end('not now'))
    const projectId = await office.project()
    const { id, secret } = await office.hook(projectId, target.url)
    office.emit(projectId)
    const last = await office.last(projectId, id, (state) => state === 'delivered')
    expect(last?.attempts).to.equal(4)
    expect(new Set(target.received.map(({ headers, body }) => [headers['webhook-id'], body].join(' '))).size).to.equal(
      1,
    )
    for (const one of target.received) expect(await isSignedBy(secret, one)).to.equal(true)
    const whole = await office.deliveries.find(projectId, id, last?.id ?? '')
    expect(whole?.tries.map(({ status, excerpt }) => [status, excerpt])).to.deep.equal([
      [500, 'not now'],
      [500, 'not now'],
      [500, 'not now'],
      [204, ''],
    ])
    expect((await office.webhooks.get(projectId, id)).failingSinceMs).to.equal(null)
  })

  it('give up after seven tries, and send again what someone asks for', async () => {
    const office = post()
    let status = 503
    const target = await receiver((response) => response.writeHead(status).end())
    const projectId = await office.project()
    const { id } = await office.hook(projectId, target.url)
    office.emit(projectId)
    const failed = await office.last(projectId, id, (state) => state === 'failed')
    expect(failed?.attempts).to.equal(MAX_TRIES)
    expect(await office.deliveries.counts(projectId, id)).to.deep.equal({ pending: 0, delivered: 0, failed: 1 })
    status = 200
    expect(await office.deliveries.redeliver(projectId, 'whk_other', failed?.id ?? '')).to.equal(false)
    expect(await office.deliveries.redeliver(projectId, id, failed?.id ?? '')).to.equal(true)
    await office.office.wake(projectId, id, failed?.id)
    expect((await office.deliveries.find(projectId, id, failed?.id ?? ''))?.state).to.equal('delivered')
    expect(target.received.at(-1)?.headers['webhook-id']).to.equal(failed?.id)
  })

  it('tell the same end of a job once', async () => {
    const office = post()
    const target = await receiver()
    const projectId = await office.project()
    await office.hook(projectId, target.url)
    const event = { type: 'jobEnded', jobId: 'j', jobType: 't', status: 'completed' } as const
    office.office.events.emit({ projectId, event })
    await target.count(1)
    office.office.events.emit({ projectId, event })
    office.emit(projectId)
    await target.count(2)
    expect(target.received.map((one) => json(one).type)).to.deep.equal(['jobEnded', 'queueEmptied'])
  })

  it('continue after a stop with what was not delivered, and take along what the stop itself told', async () => {
    const office = post({ schedule: { delaysMs: [50] } })
    let isUp = false
    const target = await receiver((response) => response.writeHead(isUp ? 200 : 502).end())
    const projectId = await office.project()
    const { id } = await office.hook(projectId, target.url)
    for (let i = 0; i < 5; i += 1) office.emit(projectId, String(i))
    await target.count(1)
    const { events } = office.office
    const stopping = office.restart()
    events.emit({ projectId, event: { type: 'botStopped', botId: '9', reason: 'shutdown' } })
    await stopping
    isUp = true
    await eventually(
      () => office.deliveries.counts(projectId, id),
      ({ delivered }) => delivered >= 5,
    )
  })

  it('are in the database as soon as their events count as passed on', async () => {
    const office = post()
    const projectId = await office.project()
    const { id } = await office.hook(projectId, 'http://127.0.0.1:1/nowhere')
    for (let guild = 1; guild <= 25; guild += 1) office.emit(projectId, '1', String(guild))
    await office.office.events.passed()
    const { pending, delivered, failed } = await office.deliveries.counts(projectId, id)
    expect(pending + delivered + failed).to.equal(25)
  })

  it('tell after a stop what happened just before it, though the database failed for a moment', async () => {
    const office = post()
    const target = await receiver()
    const projectId = await office.project()
    await office.hook(projectId, target.url)
    const publish = office.deliveries.publish.bind(office.deliveries)
    let refusals = 2
    Object.assign(office.deliveries, {
      publish: async (...args: Parameters<typeof publish>) => {
        if (refusals-- > 0) throw new Error('The database is changing hands.')
        return publish(...args)
      },
    })
    office.emit(projectId)
    await office.restart()
    await target.count(1)
    expect(target.received.map((one) => json(one).type)).to.deep.equal(['queueEmptied'])
  })

  it('sign with both secrets after a rotation, until the grace is over', async () => {
    const office = post()
    const target = await receiver()
    const projectId = await office.project()
    const before = await office.hook(projectId, target.url)
    const after = await office.webhooks.rotate(projectId, before.id, 3_600_000)
    expect(after.secret)
      .to.match(/^whsec_[A-Za-z0-9+/]{43}=$/)
      .and.not.equal(before.secret)
    const signers = async () => {
      await office.office.sendTest(projectId, before.id)
      const one = target.received.at(-1) as Received
      return Promise.all([isSignedBy(before.secret, one), isSignedBy(after.secret, one)])
    }
    expect(await signers()).to.deep.equal([true, true])
    office.clock.aheadMs = 3_600_001
    expect(await signers()).to.deep.equal([false, true])
    const last = await office.webhooks.rotate(projectId, before.id, 0)
    expect(await signers()).to.deep.equal([false, false])
    expect(await isSignedBy(last.secret, target.received.at(-1) as Received)).to.equal(true)
  })

  it('keep the last 200 that are over, for thirty days, and go with their webhook', async () => {
    const office = post()
    const target = await receiver()
    const projectId = await office.project()
    const { id } = await office.hook(projectId, target.url)
    const made = { atMs: 0, durationMs: 1, status: 200, error: null, excerpt: '' }
    for (let i = 0; i < 205; i += 1) {
      const idFor = () => `msg_${i}`
      await office.deliveries.publish({ projectId, type: 'queueEmptied', botId: null, body: '{}', idFor })
      await office.deliveries.attempted({ projectId, webhookId: id }, idFor(), made, null)
    }
    expect(await office.deliveries.counts(projectId, id)).to.deep.equal({ pending: 0, delivered: 200, failed: 0 })
    expect(await office.deliveries.find(projectId, id, 'msg_4')).to.equal(null)
    office.clock.aheadMs = KEPT_MS + 1000
    await office.deliveries.prune(1000)
    expect((await office.deliveries.counts(projectId, id)).delivered).to.equal(0)
    office.emit(projectId)
    await target.count(1)
    await office.webhooks.remove(projectId, id)
    expect(office.db.prepare('SELECT count(*) FROM webhook_delivery').pluck().get()).to.equal(0)
    expect(office.db.prepare('SELECT count(*) FROM webhook_attempt').pluck().get()).to.equal(0)
  })

  it('are ten in a project at most, with secrets that the database does not show', async () => {
    const office = post()
    const projectId = await office.project()
    const { secret } = await office.hook(projectId, 'https://example.com/')
    for (let i = 1; i < MAX_WEBHOOKS; i += 1) await office.hook(projectId, 'https://example.com/')
    expect(await refusal(office.hook(projectId, 'https://example.com/'))).to.include('Delete one first')
    await office.hook(await office.project('Other'), 'https://example.com/')
    const stored = JSON.stringify(office.db.prepare('SELECT * FROM webhook').all())
    expect(stored).not.to.include(secret).and.not.include(secret.slice(6))
  })
})
