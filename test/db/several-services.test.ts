import { expect } from 'chai'
import sql from 'sql-template-tag'
import { createEventBus } from '../../bot/event-bus.ts'
import { connectPostgres } from '../../db/engine/postgres/connections.ts'
import { migratePostgres } from '../../db/engine/postgres/migrate.ts'
import { createPostgresStore } from '../../db/engine/postgres/postgres-store.ts'
import type { Store } from '../../db/engine/store.ts'
import { createAccounts } from '../../db/people/accounts.ts'
import { createInviteLinks } from '../../db/people/invite-links.ts'
import { createMemberships } from '../../db/people/memberships.ts'
import { createRecoveryCodes } from '../../db/people/recovery-codes.ts'
import { createWebPlayerAccess } from '../../db/people/web-player-access.ts'
import { createUsage } from '../../db/projects/usage.ts'
import { createDeliveries } from '../../db/webhooks/deliveries.ts'
import { createSenderLeases } from '../../db/webhooks/sender-leases.ts'
import { createWebhooks, MAX_WEBHOOKS, WEBHOOK_EVENTS } from '../../db/webhooks/webhooks.ts'
import { createLog } from '../../lib/log.ts'
import { noopHooks } from '../../lib/telemetry-hooks.ts'
import { createEgress } from '../../upstream/egress/egress-guard.ts'
import { SCHEDULE, type Schedule } from '../../api/webhooks/retry-policy.ts'
import { openWebhooks } from '../../api/webhooks/webhook-service.ts'
import { closing } from '../support/closing.ts'
import { hasPostgres, startPostgres, type PostgresServer } from '../support/postgres.ts'
import { eventually } from '../support/service.ts'
import { addProject } from '../support/stores.ts'
import { startReceiver } from '../support/webhooks.ts'

const SERVICES = 4
const vault = {
  seal: (_: string, text: string) => Buffer.from(text),
  open: (_: string, sealed: Buffer) => String(sealed),
}
const log = createLog('silent')

const outcomes = (settled: readonly PromiseSettledResult<unknown>[], status: 'fulfilled' | 'rejected') =>
  settled.filter((one) => one.status === status).length

const statesOf = (store: Store, projectId: string) =>
  store.all<{ readonly state: string; readonly count: number }>(
    sql`SELECT state, count(*) AS count FROM webhook_delivery WHERE project_id = ${projectId} GROUP BY state`,
  )

describe('several services on one PostgreSQL', () => {
  const own = closing()
  let server: PostgresServer
  let stores: readonly Store[] = []
  const [first] = [() => stores[0] ?? expect.fail('There is no service.')]
  let projects = 0
  let projectId: string

  before(async function () {
    if (!hasPostgres()) this.skip()
    server = await startPostgres()
    const url = await server.database()
    stores = Array.from({ length: SERVICES }, () =>
      createPostgresStore(connectPostgres(url, { onError: () => undefined })),
    )
    const connections = connectPostgres(url, { onError: () => undefined })
    await migratePostgres(connections, { name: 'test' })
    await connections.close()
  })
  after(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await server?.close()
  })
  beforeEach(async () => {
    projectId = await addProject(first(), `prj_${++projects}`)
  })

  /** Results of the same work on all services at once, twice on each. */
  const everywhere = <T>(work: (store: Store, at: number) => Promise<T>) =>
    Promise.all([...stores, ...stores].map((store, at) => work(store, at)))
  const person = async (name: string) => (await createAccounts(first(), vault).create({ name })).id

  it('let one of many requests take an invite link, a code or a link to the web player', async () => {
    const links = createInviteLinks(first())
    const secret = await links.make({ kind: 'invitation', projectId, madeBy: 'Mara', lifetimeMs: 60_000 })
    const link = (await links.find(secret)) ?? expect.fail('It does not work.')
    const made = await everywhere((store, at) =>
      createInviteLinks(store).redeem(link, () => createAccounts(store, vault).create({ name: `Guest ${at}` })),
    )
    const guests = made.filter((account) => account !== null)
    expect(guests).to.have.lengthOf(1)
    const accountId = guests[0]?.id ?? ''
    const [code = ''] = await createRecoveryCodes(first()).make(accountId)
    const used = await everywhere((store) => createRecoveryCodes(store).use(accountId, code))
    expect(used.filter(Boolean)).to.have.lengthOf(1)
    const steps = await everywhere((store) => createAccounts(store, vault).useTotpStep(accountId, 5))
    expect(steps.filter(Boolean)).to.have.lengthOf(1)
    const visitor = { projectId, guildId: '1', userId: '2', channelId: null, locale: 'de' }
    const token = await createWebPlayerAccess(first()).createLink(visitor)
    const entered = await everywhere((store) => createWebPlayerAccess(store).redeemLink(token, '1'))
    expect(entered.filter((it) => it !== null)).to.deep.equal([visitor])
  })

  it('each offer a link to the first account, of which one is used and ends the others', async () => {
    const secrets = await Promise.all(
      stores.map((store) => createInviteLinks(store).make({ kind: 'first', madeBy: 'start', lifetimeMs: 60_000 })),
    )
    const found = await Promise.all(secrets.map((secret) => createInviteLinks(first()).find(secret)))
    const used = await Promise.all(
      found.map((link, at) =>
        createInviteLinks(stores[at] ?? first()).redeem(link ?? expect.fail('It does not work.'), async () => at),
      ),
    )
    expect(used.filter((at) => at !== null)).to.have.lengthOf(1)
    for (const secret of secrets) expect(await createInviteLinks(first()).find(secret)).to.equal(null)
  })

  it('keep what one project or account can have: a name, an owner, ten webhooks, ten recovery codes', async () => {
    const named = await Promise.allSettled(stores.map((store) => createAccounts(store, vault).create({ name: 'Same' })))
    expect(outcomes(named, 'fulfilled')).to.equal(1)
    const owners = await Promise.all(stores.map((_, at) => person(`Owner ${at}`)))
    for (const id of owners) await createMemberships(first()).set(projectId, id, 'owner')
    const left = await Promise.allSettled(
      stores.map((store, at) => createMemberships(store).remove(projectId, owners[at] ?? '')),
    )
    expect(outcomes(left, 'rejected')).to.equal(1)
    expect(await createMemberships(first()).members(projectId)).to.have.lengthOf(1)
    const choice = { url: 'https://example.com/', description: '', events: WEBHOOK_EVENTS, botIds: null }
    const hooks = await Promise.allSettled(
      [0, 1, 2].flatMap(() => stores.map((store) => createWebhooks(store, vault).create(projectId, choice))),
    )
    expect(outcomes(hooks, 'fulfilled')).to.equal(MAX_WEBHOOKS)
    await everywhere((store) => createRecoveryCodes(store).make(owners[0] ?? ''))
    expect(await createRecoveryCodes(first()).count(owners[0] ?? '')).to.equal(10)
  })

  it('add up what each has counted', async () => {
    const minuteMs = 60_000 * 29_000_000
    const counts = Array.from({ length: 40 }, (_, at) => ({
      projectId,
      keyId: `key_${at % 20}`,
      routeClass: 'cheap' as const,
      route: at < 20 ? 'getWeather' : 'listPlayers',
      outcome: 'ok' as const,
      minuteMs,
      requests: 3,
      overClass: 0,
      overTotal: 0,
      totalMs: 6,
      buckets: [3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    }))
    await everywhere((store, at) => createUsage(store).add(at % 2 === 0 ? counts : counts.toReversed()))
    const question = { projectId, sinceMs: minuteMs, untilMs: minuteMs + 1 }
    const [row] = await createUsage(first()).summary({ ...question, by: 'class', span: 'minute' })
    expect(row).to.include({ requests: 40 * 3 * SERVICES * 2, ok: 40 * 3 * SERVICES * 2, meanMs: 2 })
    expect((await createUsage(first()).peaks({ ...question, together: ['cheap'] })).get('cheap')).to.equal(
      40 * 3 * SERVICES * 2,
    )
  })

  /** The part of a service that sends webhooks. */
  function office(store: Store, schedule: Partial<Schedule> = {}) {
    const events = createEventBus({ log })
    const egress = createEgress({ allowHosts: ['127.0.0.1'] })
    const webhooks = createWebhooks(store, vault)
    const open = openWebhooks({
      webhooks,
      deliveries: createDeliveries(store),
      leases: createSenderLeases(store),
      events,
      dispatcher: egress.dispatcher,
      observer: noopHooks,
      schedule: { ...SCHEDULE, ...schedule },
      userAgent: 'Bandstand/test',
      log,
      now: Date.now,
      random: () => 0.5,
      onDisabled: async () => undefined,
    })
    const emit = (guildId: string) => events.emit({ projectId, event: { type: 'queueEmptied', botId: '1', guildId } })
    return own({ ...open, events, emit, close: () => open.close().then(() => egress.close()) })
  }
  const hook = (url: string) =>
    createWebhooks(first(), vault).create(projectId, { url, description: '', events: WEBHOOK_EVENTS, botIds: null })

  it('send every event once, whichever service it happens on', async () => {
    const receiver = own(await startReceiver())
    await hook(receiver.url)
    const offices = stores.map((store) => office(store))
    const jobEnded = { type: 'jobEnded', jobId: 'j1', jobType: 'tools.screenshot', status: 'completed' } as const
    for (let i = 0; i < 20; i += 1) for (const [at, { emit }] of offices.entries()) emit(`${at} ${i}`)
    for (const { events } of offices) {
      // All services hear of the end of a job, and one of the others' events.
      events.emit({ projectId, event: jobEnded })
      events.emit({ projectId, event: { type: 'queueEmptied', botId: '1', guildId: 'of a peer' }, isFromPeer: true })
    }
    const wanted = SERVICES * 20 + 1
    await receiver.count(wanted)
    await eventually(
      () => statesOf(first(), projectId),
      ([one, other]) => one?.state === 'delivered' && other === undefined,
    )
    expect(await statesOf(first(), projectId)).to.deep.equal([{ state: 'delivered', count: wanted }])
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).to.equal(wanted)
    expect(receiver.received).to.have.lengthOf(wanted)
  })

  it('continue within seconds where a service was lost, and never beside one that is there', async () => {
    const receiver = own(await startReceiver())
    const { id: webhookId } = await hook(receiver.url)
    const leases = createSenderLeases(first())
    const lost = { projectId, webhookId }
    expect(await leases.take(lost, 'lost', 600_000)).to.equal(0)
    expect(await createSenderLeases(stores[1] ?? first()).take(lost, 'other', 1)).to.equal(null)
    expect((await leases.renew('lost', 600_000)).map((one) => one.webhookId)).to.deep.equal([webhookId])
    for (const store of stores.slice(1)) office(store).emit('waits')
    await eventually(
      () => createDeliveries(first()).counts(projectId, webhookId),
      ({ pending }) => pending === SERVICES - 1,
    )
    expect(receiver.received).to.have.lengthOf(0)
    // Expires the lease, as without another renewal.
    await leases.renew('lost', 1)
    await receiver.count(SERVICES - 1)
    expect(await leases.renew('lost', 2000), 'it has lost it').to.deep.equal([])
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).to.equal(ids.length)
  })

  it('spare a receiver that fails together, until a person asks one of them to send', async () => {
    let status = 500
    const receiver = own(await startReceiver((response) => response.writeHead(status).end()))
    const { id: webhookId } = await hook(receiver.url)
    const [one, other] = stores.slice(0, 2).map((store) => office(store, { restMs: 3_600_000, mostRestMs: 3_600_000 }))
    one?.emit('1')
    await receiver.count(1)
    other?.emit('2')
    await eventually(
      () => createDeliveries(first()).counts(projectId, webhookId),
      ({ pending }) => pending === 2,
    )
    status = 200
    const id = (await other?.sendTest(projectId, webhookId)) ?? ''
    await eventually(
      () => createDeliveries(first()).find(projectId, webhookId, id),
      (found) => found?.state === 'delivered',
    )
    expect(receiver.received.map(({ body }) => JSON.parse(body).type).slice(0, 2)).to.deep.equal([
      'queueEmptied',
      'test',
    ])
  })
})
