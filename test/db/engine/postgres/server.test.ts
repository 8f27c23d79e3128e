import { expect } from 'chai'
import sql from 'sql-template-tag'
import { connectPostgres } from '../../../../db/engine/postgres/connections.ts'
import { openPostgres, watchPostgres } from '../../../../db/engine/postgres/open-postgres.ts'
import { migratePostgres } from '../../../../db/engine/postgres/migrate.ts'
import { createPostgresStore } from '../../../../db/engine/postgres/postgres-store.ts'
import { createKeys, keyDigest } from '../../../../db/projects/keys.ts'
import { createProjects } from '../../../../db/projects/projects.ts'
import type { Store } from '../../../../db/engine/store.ts'
import { createLog } from '../../../../lib/log.ts'
import { hasPostgres, startPostgres, type PostgresServer } from '../../../support/postgres.ts'
import { startTcpProxy } from '../../../support/tcp-proxy.ts'
import { eventually } from '../../../support/service.ts'
import { faultOf } from '../../../support/web.ts'

/** The connections that hear of changes, of all services here. */
const END_LISTENERS = sql`
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
   WHERE application_name = 'bandstand listener' AND datname = current_database()`

const insert = (id: string) =>
  sql`INSERT INTO project (id, name, plan, created_at_ms) VALUES (${id}, ${id}, 'free', 0) ON CONFLICT (id) DO NOTHING`
const countLike = async (store: Store, pattern: string) => {
  const found = await store.find<{ count: number }>(sql`SELECT count(*) AS count FROM project WHERE id LIKE ${pattern}`)
  return found?.count
}

describe('A store on a PostgreSQL server', () => {
  let server: PostgresServer
  let url: string
  const stores: Store[] = []

  before(async function () {
    if (!hasPostgres()) this.skip()
    server = await startPostgres()
    url = await server.database()
  })
  after(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await server?.close()
  })

  async function service(): Promise<Store> {
    const connections = connectPostgres(url, { onError: () => undefined })
    await migratePostgres(connections, { name: 'test' })
    const store = createPostgresStore(connections)
    stores.push(store)
    return store
  }

  it('is migrated once by services that start at the same time', async () => {
    await Promise.all([service(), service(), service()])
    const [store] = stores
    const done = await store?.all<{ name: string }>(sql`SELECT name FROM migration ORDER BY number`)
    expect(done?.[0]).to.deep.equal({ name: '0034_schema.sql' })
  })

  it('runs transactions of two services as if one came after the other', async () => {
    const pair = [await service(), await service()]
    const addIfFew = (store: Store, id: string) =>
      store.atomically(async () => {
        if ((await countLike(store, 'serial%')) === 3) return
        await store.run(insert(id))
      })
    await Promise.all(pair.flatMap((store, n) => [0, 1, 2, 3].map((i) => addIfFew(store, `serial_${n}_${i}`))))
    expect(await countLike(pair[0]!, 'serial%')).to.equal(3)
  })

  it('has a revoked key refused by other services soon, whether they hear of it or not', async () => {
    const [ours, theirs] = [await service(), await service()]
    const [here, there] = [createKeys(ours), createKeys(theirs)]
    const { id: projectId } = await createProjects(ours).create({ name: 'Shared', plan: 'free' })
    for (const isHeard of [true, false]) {
      const { id, key } = await here.create({ projectId })
      const find = async () => (await there.findByDigest(keyDigest(key)))?.revokedAtMs ?? null
      expect(await find()).to.equal(null)
      if (!isHeard) await ours.run(END_LISTENERS)
      await here.revoke(projectId, id)
      expect((await here.findByDigest(keyDigest(key)))?.revokedAtMs).to.be.a('number')
      await eventually(find, (at) => at !== null)
    }
  })

  it('tells listeners that anything may have changed when their connection was away', async () => {
    const store = await service()
    const heard: (string | null)[] = []
    store.subscribe('news', (key) => void heard.push(key))
    await eventually(
      () => heard.length,
      (count) => count === 1,
    )
    const other = await service()
    await other.announce('news', 'one two')
    await eventually(
      () => heard.at(-1),
      (key) => key === 'one two',
    )
    await other.run(END_LISTENERS)
    await eventually(
      () => heard.at(-1),
      (key) => key === null,
    )
    await other.atomically(() => other.announce('news', 'again'))
    await eventually(
      () => heard.at(-1),
      (key) => key === 'again',
    )
    expect(heard).to.deep.equal([null, 'one two', null, 'again'])
  })

  it('has a fault with a time to try again while the server is away, loses nothing, and goes on by itself', async () => {
    const store = await service()
    await store.run(insert('kept'))
    await server.stop('SIGKILL')
    const fault = await faultOf(store.run(insert('refused')))
    expect(fault).to.include({ code: 'service_unavailable' })
    expect(fault.message).to.equal("The database can't be reached. Try again in a moment.")
    expect(fault.retryAfterMs).to.equal(1000)
    await faultOf(store.atomically(() => store.run(insert('refused'))))
    await server.start()
    await eventually(
      () => countLike(store, 'kept').catch(() => null),
      (count) => count === 1,
    )
    expect(await countLike(store, 'refused')).to.equal(0)
  })

  it('answers with a fault within 3 s while the server stands still, reads and transactions, and goes on by itself', async () => {
    const { port, pathname } = new URL(url)
    const cable = await startTcpProxy(Number(port))
    const opened = await openPostgres(`postgres://bandstand@127.0.0.1:${cable.port}${pathname}`, createLog('silent'))
    const { store } = opened
    try {
      await store.run(insert('stall_before'))
      cable.cut()
      const beganMs = performance.now()
      const asked = [
        store.run(insert('stall_run')),
        countLike(store, 'stall%'),
        store.atomically(() => store.run(insert('stall_transaction'))),
      ]
      const faults = await Promise.all(asked.map((each) => faultOf(each)))
      expect(performance.now() - beganMs).to.be.below(3000)
      for (const { code, retryAfterMs } of faults)
        expect([code, retryAfterMs]).to.deep.equal(['service_unavailable', 1000])
      cable.restore()
      await eventually(
        () => countLike(store, 'stall_before').catch(() => null),
        (count) => count === 1,
      )
    } finally {
      cable.restore()
      await opened.close()
      await cable.close()
    }
  })

  it('is known to be away or back without a request, and says at the start what is wrong with its address', async () => {
    const log = createLog('silent')
    const connections = connectPostgres(url, { onError: () => undefined })
    const watch = watchPostgres(connections, log, 20)
    const becomes = (reason: string | undefined) =>
      eventually(
        () => watch.problem()?.reason,
        (found) => found === reason,
      )
    await server.stop('SIGKILL')
    await becomes('unreachable')
    const fault = await faultOf(openPostgres(url.replace('bandstand@', 'bandstand:hidden@'), log))
    expect(fault.message).to.match(/^PostgreSQL at postgres:\/\/127\.0\.0\.1:\d+\/test_1 can't be used \(/)
    await server.start()
    await becomes(undefined)
    watch.close()
    await connections.close()
  })
})
