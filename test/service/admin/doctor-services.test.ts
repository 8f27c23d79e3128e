import { expect } from 'chai'
import type { Finding } from '../../../service/admin/doctor/check.ts'
import { leaseKeys, leasePrefix } from '../../../service/cluster/leases/lease-store.ts'
import { signEntry } from '../../../service/cluster/leases/view.ts'
import { exchangeNotes } from '../../../service/cluster/other-keys.ts'
import { createSigning } from '../../../service/cluster/signing.ts'
import { admin } from '../../support/admin.ts'
import { startApi } from '../../support/api.ts'
import { openClusterRedis, type ClusterRedis } from '../../support/cluster-redis.ts'
import { createHandLeases } from '../../support/one-address.ts'
import { hasRedis } from '../../support/redis.ts'

const KEY = 'ab'.repeat(32)
const OTHER_KEY = 'cd'.repeat(32)
const NOTHING_ELSE = { DISCORD_API_URL: 'http://127.0.0.1:1/api', PORT: '0', CHROMIUM_PATH: 'none' }

describe('the doctor among services that share bots', () => {
  let shared: ClusterRedis
  before(async function () {
    if (!hasRedis()) this.skip()
    shared = await openClusterRedis(KEY)
  })
  afterEach(() => shared.redis.flushall())
  after(() => shared?.close())

  /** A service says in Redis that it runs. */
  async function announce(url: string, key: string): Promise<void> {
    const signing = createSigning(key)
    const entry = { url, host: 'owner', startedAtMs: 0, version: 'test', isDraining: false, weight: 1 }
    const [, services = ''] = leaseKeys(leasePrefix('bandstand', signing)).all
    const signed = signEntry('owner', { ...entry, bots: [], shards: {} }, signing)
    await shared.redis.hset(services, 'owner', `${Date.now() + 60_000} ${signed}`)
  }

  /** The link of a service with the clock and key given, which listens. */
  async function examine(of: { readonly key?: string; readonly now?: () => number }): Promise<Finding | undefined> {
    const { key = KEY, now = Date.now } = of
    const link = createHandLeases().link('owner', undefined, { now, signing: createSigning(key) })
    const api = await startApi({ peers: link })
    await announce(api.baseUrl, KEY)
    const finding = await look()
    await link.close()
    await api.close()
    return finding
  }

  async function look(): Promise<Finding | undefined> {
    const { dataDir, env } = shared
    const { json } = await admin(['doctor', '--json'], { dataDir, env: { ...env, ...NOTHING_ELSE } })
    return (json as readonly Finding[]).find(({ name }) => name === 'services')
  }

  it('says that they take requests of this machine', async () => {
    expect(await look()).to.include({ verdict: 'ok', found: 'none is running' })
    expect(await examine({})).to.include({ verdict: 'ok', found: '1 running, which take requests of this machine' })
  })

  it('names the service that refuses this machine, and why', async () => {
    for (const [of, words] of [
      [{ now: () => Date.now() - 31_000 }, /clocks differ by more than 30 s/],
      [{ key: OTHER_KEY }, /different SERVICES_KEYs/],
    ] as const) {
      const finding = await examine(of)
      expect(finding?.verdict).to.equal('fail')
      expect(finding?.found).to.match(/^http:\/\/127\.0\.0\.1:\d+ refuses this machine$/)
      expect(finding?.advice).to.match(words)
    }
  })

  it('names a service that cannot be reached, and those that have another key', async () => {
    const notes = { redis: shared.redis, prefix: 'bandstand', signing: createSigning(OTHER_KEY) }
    await exchangeNotes(notes, 'http://10.0.0.9:8080')
    expect((await look())?.found).to.equal('http://10.0.0.9:8080 has another SERVICES_KEY, on the same Redis')
    await announce('http://127.0.0.1:1', KEY)
    expect((await look())?.found).to.include('http://127.0.0.1:1 is unreachable')
  })
})
