import { expect } from 'chai'
import sql from 'sql-template-tag'
import { createVault } from '../../db/engine/vault.ts'
import { createDeliveries, KEPT_MS, type DeliveryQueue } from '../../db/webhooks/deliveries.ts'
import type { Attempt, Waiting } from '../../db/webhooks/delivery.ts'
import { MOST_WAITING } from '../../db/webhooks/delivery-sql.ts'
import { createSenderLeases } from '../../db/webhooks/sender-leases.ts'
import { createWebhooks, MAX_WEBHOOKS, type WebhookChoice, type Webhooks } from '../../db/webhooks/webhooks.ts'
import { insertProject } from '../support/store-rows.ts'
import { describeOnEachEngine } from '../support/stores.ts'
import { faultOf } from '../support/web.ts'

const [PROJECT, OTHER] = ['prj_one', 'prj_two']
const [BOT, FOREIGN] = ['222222222222222222', '333333333333333333']
const LIFE_MS = 60_000
const FAR_MS = Number.MAX_SAFE_INTEGER

const choice = (more: Partial<WebhookChoice> = {}): WebhookChoice => ({
  url: 'https://receiver.test/',
  description: '',
  events: ['trackStarted', 'jobEnded'],
  botIds: null,
  ...more,
})

describeOnEachEngine('webhooks in the database', (opened) => {
  let nowMs: number
  let webhooks: Webhooks
  let deliveries: DeliveryQueue
  beforeEach(async () => {
    nowMs = 1_900_000_000_000
    await insertProject(opened.store, PROJECT, [BOT])
    await insertProject(opened.store, OTHER, [FOREIGN])
    const vault = createVault({ tokenKey: '07'.repeat(32), dataDir: '/nowhere' })
    webhooks = createWebhooks(opened.store, vault, () => nowMs)
    deliveries = createDeliveries(opened.store, () => nowMs)
  })

  async function add(more?: Partial<WebhookChoice>): Promise<Waiting> {
    return { projectId: PROJECT, webhookId: (await webhooks.create(PROJECT, choice(more))).id }
  }
  const publish = (name: string, botId: string | null = BOT, type: 'trackStarted' | 'jobEnded' = 'trackStarted') =>
    deliveries.publish({ projectId: PROJECT, type, botId, body: `{"n":"${name}"}`, idFor: (id) => `${name} ${id}` })
  const outcomes = async (...about: Parameters<typeof publish>) =>
    Object.fromEntries((await publish(...about)).map(({ webhookId, outcome }) => [webhookId, outcome]))
  const attempt = (status: number | null): Attempt => ({
    atMs: nowMs,
    durationMs: 12,
    status,
    error: status === null ? 'timed_out' : null,
    excerpt: 'x',
  })

  it('belong to their project and its bots, ten at most', async () => {
    expect((await faultOf(webhooks.create('prj_none', choice()))).code).to.equal('not_found')
    expect((await faultOf(webhooks.create(PROJECT, choice({ botIds: [FOREIGN] })))).code).to.equal('not_found')
    const { webhookId } = await add({ botIds: [BOT] })
    expect((await webhooks.get(PROJECT, webhookId)).botIds).to.deep.equal([BOT])
    expect((await faultOf(webhooks.get(OTHER, webhookId))).code).to.equal('not_found')
    expect((await faultOf(webhooks.change(PROJECT, webhookId, choice({ botIds: [FOREIGN] })))).code).to.equal(
      'not_found',
    )
    expect((await webhooks.change(PROJECT, webhookId, choice({ description: 'New' }))).description).to.equal('New')
    for (let i = 1; i < MAX_WEBHOOKS; i += 1) await add()
    expect((await faultOf(webhooks.create(PROJECT, choice()))).message).to.match(/^Webhook limit reached \(10\)/)
    expect([await webhooks.count(), (await webhooks.list(PROJECT)).length]).to.deep.equal([MAX_WEBHOOKS, MAX_WEBHOOKS])
    expect(await webhooks.remove(OTHER, webhookId)).to.equal(false)
    expect(await webhooks.remove(PROJECT, webhookId)).to.equal(true)
  })

  it('sign with the former secret too, until its grace is over', async () => {
    const { id, secret } = await webhooks.create(PROJECT, choice())
    const next = await webhooks.rotate(PROJECT, id, 1000)
    expect(await webhooks.secrets(PROJECT, id)).to.deep.equal([next.secret, secret])
    nowMs += 1000
    expect(await webhooks.secrets(PROJECT, id)).to.deep.equal([next.secret])
    await webhooks.rotate(PROJECT, id, 0)
    expect(await webhooks.secrets(PROJECT, id)).to.have.length(1)
  })

  it('get what they want to hear of while they are active', async () => {
    const all = await add()
    const ofBot = await add({ botIds: [BOT], events: ['trackStarted'] })
    expect(await outcomes('one', BOT)).to.deep.equal({ [all.webhookId]: 'queued', [ofBot.webhookId]: 'queued' })
    expect(await outcomes('one', BOT)).to.deep.equal({ [all.webhookId]: 'known', [ofBot.webhookId]: 'known' })
    expect(await outcomes('two', FOREIGN)).to.deep.equal({ [all.webhookId]: 'queued' })
    expect(await outcomes('three', null, 'jobEnded')).to.deep.equal({ [all.webhookId]: 'queued' })
    expect((await deliveries.waiting()).length).to.equal(2)
    expect(await webhooks.disable(PROJECT, ofBot.webhookId, 'gone')).to.equal(true)
    expect(await webhooks.disable(PROJECT, ofBot.webhookId, 'gone'), 'no longer active').to.equal(false)
    expect(await deliveries.waiting()).to.deep.equal([all])
    expect(await deliveries.countWaiting()).to.equal(4)
    expect((await webhooks.setState(PROJECT, ofBot.webhookId, 'active')).reason).to.equal(null)
    expect((await deliveries.upcoming(PROJECT, all.webhookId, 2)).map(({ id }) => id)).to.deep.equal([
      `one ${all.webhookId}`,
      `two ${all.webhookId}`,
    ])
  })

  it('leave out what is one too many, and count it', async () => {
    const { webhookId } = await add()
    await opened.store.run(sql`
      INSERT INTO webhook_delivery (id, project_id, webhook_id, type, body, state, tries_left, next_at_ms, created_at_ms)
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MOST_WAITING})
      SELECT 'msg_' || n, ${PROJECT}, ${webhookId}, 'test', '{}', 'pending', 7, ${nowMs}, ${nowMs} FROM numbers`)
    expect((await publish('late')).map(({ outcome }) => outcome)).to.deep.equal(['full'])
    expect((await webhooks.get(PROJECT, webhookId)).leftOut).to.equal(1)
  })

  it('keep the attempts of a delivery, which can be made again', async () => {
    const of = await add()
    await publish('one')
    const id = `one ${of.webhookId}`
    expect(await deliveries.attempted(of, id, attempt(500), nowMs + 5)).to.equal(true)
    expect((await webhooks.get(PROJECT, of.webhookId)).failingSinceMs).to.equal(nowMs)
    expect(await deliveries.attempted(of, id, attempt(null), null)).to.equal(true)
    expect(await deliveries.attempted(of, id, attempt(null), null), 'it waits no longer').to.equal(false)
    const tries = await deliveries.find(PROJECT, of.webhookId, id)
    expect(tries).to.deep.include({ state: 'failed', attempts: 2, nextAtMs: null, body: '{"n":"one"}' })
    expect(tries?.tries.map(({ status, error }) => status ?? error)).to.deep.equal([500, 'timed_out'])
    expect(await deliveries.find(OTHER, of.webhookId, id)).to.equal(null)
    expect(await deliveries.redeliverFailed(PROJECT, of.webhookId)).to.equal(1)
    expect(await deliveries.attempted(of, id, attempt(200), null)).to.equal(true)
    expect((await webhooks.get(PROJECT, of.webhookId)).failingSinceMs).to.equal(null)
    expect(await deliveries.counts(PROJECT, of.webhookId)).to.deep.equal({ pending: 0, delivered: 1, failed: 0 })
    expect(await deliveries.redeliver(OTHER, of.webhookId, id)).to.equal(false)
    expect(await deliveries.redeliver(PROJECT, of.webhookId, id)).to.equal(true)
    const test = { ...of, id: 'msg_test', type: 'test', body: '{}' } as const
    expect([await deliveries.queue(test), await deliveries.queue(test)]).to.deep.equal(['queued', 'known'])
  })

  it('list deliveries page by page, and forget them after a month', async () => {
    const of = await add()
    for (const name of ['a', 'b', 'c']) await publish(name)
    await deliveries.attempted(of, `b ${of.webhookId}`, attempt(200), null)
    const list = (more: object) => deliveries.list({ ...of, state: null, before: null, limit: 2, ...more })
    const [latest, second] = await list({})
    expect([latest?.id, second?.id]).to.deep.equal([`c ${of.webhookId}`, `b ${of.webhookId}`])
    expect([latest?.last, second?.last?.status]).to.deep.equal([null, 200])
    expect((await list({ before: second?.number })).map(({ id }) => id)).to.deep.equal([`a ${of.webhookId}`])
    expect((await list({ state: 'delivered' })).length).to.equal(1)
    expect((await deliveries.latest(PROJECT)).get(of.webhookId)?.id).to.equal(`c ${of.webhookId}`)
    nowMs += KEPT_MS + 1
    await publish('new')
    await deliveries.prune(100)
    expect((await list({})).map(({ id }) => id)).to.deep.equal([`new ${of.webhookId}`])
  })

  it('are sent to by one sender at a time, which keeps those for which something is due', async () => {
    const leases = createSenderLeases(opened.store)
    const [one, idle] = [await add(), await add({ events: ['queueEmptied'] })]
    await publish('one')
    expect(await leases.orphans(FAR_MS)).to.deep.equal([one])
    expect(await leases.take(one, 'a', LIFE_MS)).to.equal(0)
    expect(await leases.take(one, 'b', LIFE_MS)).to.equal(null)
    expect(await leases.orphans(FAR_MS)).to.deep.equal([])
    await leases.wake(one)
    expect(await leases.renew('a', LIFE_MS)).to.deep.equal([{ ...one, wakes: 1, nextAtMs: nowMs }])
    expect(await leases.release(one, 'a', FAR_MS), 'something is due').to.equal(false)
    expect(await leases.release(one, 'b', FAR_MS), 'it has nothing').to.equal(true)
    await leases.take(idle, 'a', LIFE_MS)
    expect(await leases.release(idle, 'a', FAR_MS)).to.equal(true)
    await leases.releaseAll('a')
    expect(await leases.take(one, 'b', 0)).to.equal(1)
    expect(await leases.take(one, 'a', LIFE_MS), 'the life of the other lease is over').to.equal(1)
  })
})
