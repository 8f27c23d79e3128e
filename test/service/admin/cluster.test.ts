import { expect } from 'chai'
import { leasePrefix } from '../../../service/cluster/leases/lease-store.ts'
import { createSigning } from '../../../service/cluster/signing.ts'
import { openDatabase } from '../../../db/engine/open.ts'
import { createSqliteStore } from '../../../db/engine/sqlite-store.ts'
import { admin as run } from '../../support/admin.ts'
import { openClusterRedis, type ClusterRedis } from '../../support/cluster-redis.ts'
import { temporaryFolder } from '../../support/database.ts'
import { emptyLeases, LEASE_KEY, openLeaseService, type LeaseService } from '../../support/lease-service.ts'
import { hasRedis } from '../../support/redis.ts'
import { eventually } from '../../support/service.ts'
import { freePort } from '../../support/web.ts'

const BOT = '111111111111111111'
const SHARDS = 4
const LIMITS = { shardCount: SHARDS, maxConcurrency: 16, total: 1000, remaining: 1000, resetAfterMs: 86_400_000 }
const PREFIX = leasePrefix('bandstand', createSigning(LEASE_KEY))

const guildOf = (shard: number) => String(BigInt(shard) << 22n)

describe('cluster commands', () => {
  const folder = temporaryFolder()
  const db = openDatabase({ dataDir: folder.path })
  const database = createSqliteStore(db)
  let shared: ClusterRedis
  let services: readonly LeaseService[] = []
  /** On each shard. */
  let players = 1
  before(async function () {
    if (!hasRedis()) this.skip()
    shared = await openClusterRedis(LEASE_KEY)
    const { redis } = shared
    await emptyLeases(redis, PREFIX)
    services = ['alpha', 'bravo'].map((id) => openLeaseService({ redis, database, id, prefix: PREFIX }))
    for (const { directory } of services) directory.join(BOT, LIMITS, idleRunner)
    await eventually(held, (shards) => shards.every((count) => count === SHARDS / 2))
  })
  after(async () => {
    await Promise.all(services.map((service) => service.close()))
    await shared?.close()
    db.close()
    folder.remove()
  })

  const idleRunner = {
    start: () => undefined,
    handOver: async () => undefined,
    cut: () => undefined,
    load: () => ({ guilds: 100, players, isReady: true, isRestoring: false }),
  }
  const admin = (...args: string[]) => run(['cluster', ...args], { dataDir: folder.path, env: shared.env })
  const json = async (...args: string[]) => (await admin(...args, '--json')).json
  const shardsAt = (at: number) =>
    [0, 1, 2, 3].filter((shard) => services[at]?.directory.isHeldHere(BOT, guildOf(shard)))
  const held = () => [shardsAt(0).length, shardsAt(1).length]

  it('list who runs what, with the age of the leases', async () => {
    // Facts about a service's shards arrive with its next renewal.
    const report = await eventually(
      () => json(),
      ({ services: all }) => all.every(({ guilds }: { guilds: number }) => guilds === 200),
    )
    expect(report.services).to.have.length(2)
    expect(report.services[0]).to.deep.include({ id: 'alpha', url: 'http://alpha.test', weight: 1, isDraining: false })
    expect(report.services[0]).to.deep.include({ bots: [BOT], shards: 2, guilds: 200, players: 2 })
    const [bot] = report.bots
    expect([bot.botId, bot.shardCount, bot.shards.length]).to.deep.equal([BOT, SHARDS, SHARDS])
    for (const shard of bot.shards) {
      expect(shard).to.deep.include({ guilds: 100, players: 1, state: 'ready', pinnedTo: null })
      expect(shard.serviceId).to.equal(shardsAt(0).includes(shard.shardId) ? 'alpha' : 'bravo')
      expect(shard.heldForMs).to.be.within(0, 60_000)
      expect(shard.leaseLeftMs).to.be.within(1, 3000)
    }
    const { stdout } = await admin()
    // Shards with players rest after each move.
    players = 0
    expect(stdout)
      .to.contain(`bot ${BOT}: 4 shards`)
      .and.match(/^alpha +alpha +http:\/\/alpha\.test .* 2 +200 +2 .*running$/m)
  })

  it('move a shard to a service, where it stays although it has more to do, until any may have it', async () => {
    const [shard] = shardsAt(0)
    const moved = await json('move', BOT, String(shard), '--to', 'bravo.test')
    expect(moved).to.deep.include({ botId: BOT, shardId: shard, serviceId: 'bravo' })
    await eventually(held, ([a, b]) => a === 1 && b === 3)
    for (const { directory } of services) await directory.look()
    expect(shardsAt(1)).to.include(shard)
    expect((await admin()).stdout).to.contain('moved to bravo')
    expect((await admin('move', BOT, String(shard), '--to', 'any')).code).to.equal(0)
    await eventually(held, ([a, b]) => a === 2 && b === 2)
  })

  it('drain a service, which takes nothing before it is undrained', async () => {
    expect(await json('drain', 'alpha')).to.deep.include({ id: 'alpha', shards: 2 })
    await eventually(held, ([a, b]) => a === 0 && b === SHARDS)
    expect(services[0]?.directory.isDraining).to.equal(true)
    expect((await admin()).stdout).to.contain('drained')
    const refused = await admin('move', BOT, '0', '--to', 'alpha')
    expect([refused.code, refused.stderr.includes('cluster undrain')]).to.deep.equal([1, true])
    const last = await admin('drain', 'bravo')
    expect([last.code, last.stderr]).to.deep.equal([
      1,
      `error: No other service can run ${BOT}: start one, or undrain one.\n`,
    ])
    expect((await admin('undrain', 'alpha')).code).to.equal(0)
    await eventually(held, ([a, b]) => a === 2 && b === 2)
  })

  it('give a service more shards by its weight', async () => {
    expect(await json('weight', 'bravo', '3')).to.deep.equal({ id: 'bravo', weight: 3 })
    await eventually(held, ([a, b]) => a === 1 && b === 3)
    expect(await json('weight', 'bravo', '1')).to.deep.equal({ id: 'bravo', weight: 1 })
    await eventually(held, ([a, b]) => a === 2 && b === 2)
  })

  it('divide a bot into another number of shards, and wait until all are connected', async () => {
    const { tookMs, ...result } = await json('reshard', BOT, '6')
    expect(result).to.deep.equal({ botId: BOT, shardCount: 6 })
    expect(tookMs).to.be.a('number')
    const [bot] = (await json()).bots
    expect(bot.shards.map(({ state }: { state: string }) => state)).to.deep.equal(Array(6).fill('ready'))
    expect((await json('reshard', BOT, String(SHARDS))).shardCount).to.equal(SHARDS)
  })

  it('say what is wrong: an unknown service, bot or shard, a weight out of range, no Redis, no cluster', async () => {
    const failures = {
      'drain nowhere':
        'error: There is no service nowhere. Running: alpha (http://alpha.test), bravo (http://bravo.test)\n',
      'move 222222222222222222 0 --to alpha': `error: No service runs bot 222222222222222222. Bots: ${BOT}\n`,
      [`move ${BOT} 4 --to alpha`]: `error: Bot ${BOT} has no shard 4; its shards are 0 to 3.\n`,
    }
    for (const [line, message] of Object.entries(failures)) {
      const { code, stderr } = await admin(...line.split(' '))
      expect([code, stderr]).to.deep.equal([1, message])
    }
    expect((await admin('weight', 'alpha', '0')).stderr).to.contain('from 1 to 100')
    const inEnv = (changed: Readonly<Record<string, string>>) =>
      run(['cluster'], { dataDir: folder.path, env: { ...shared.env, ...changed } })
    const away = await inEnv({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` })
    expect([away.code, away.stderr]).to.satisfy(([, text]: [number, string]) => text.includes("doesn't respond"))
    const alone = await run(['cluster'], { dataDir: folder.path, env: {} })
    expect(alone.stderr).to.contain('There is no cluster: DATABASE_URL, REDIS_URL, SERVICES_KEY not set.')
    const { SERVICES_KEY: _, ...others } = shared.env
    const stranger = await run(['cluster'], { dataDir: folder.path, env: { ...others, SERVICES_KEY: 'cd'.repeat(32) } })
    expect(stranger.stdout).to.equal('No service is running.\n')
  })
})
