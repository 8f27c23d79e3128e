import { expect } from 'chai'
import { chooseMove, weightOf } from '../../../../service/cluster/leases/spread.ts'
import { NO_LEASES, shardKey, type ClusterLeases, type LeaseView } from '../../../../service/cluster/leases/view.ts'
import { createRandom } from '../../../../lib/random/seeded-random.ts'

const BOT = '900000000000000001'
const SHARDS = 48
const STEP_MS = 2000

interface Conditions {
  /** Before each look. */
  readonly each?: () => void
  readonly weights?: Readonly<Record<string, number>>
  readonly mayMove?: (key: string) => boolean
}

/** Shards that services run, by the guilds and players that they have. */
function createField(serviceIds: readonly string[]) {
  const random = createRandom(48)
  const shards = Array.from({ length: SHARDS }, (_, shardId) => ({
    key: shardKey({ botId: BOT, shardId, shardCount: SHARDS }),
    owner: serviceIds[shardId % serviceIds.length] ?? '',
    sinceMs: -Infinity,
    guilds: 2083,
    players: 2,
  }))
  let nowMs = 0

  function view(weights: Readonly<Record<string, number>> = {}): ClusterLeases {
    const leaseOf = ({ owner, sinceMs }: (typeof shards)[number]): LeaseView => {
      const ageMs = nowMs - sinceMs
      return { serviceId: owner, reservedFor: null, leftMs: 3000, isRecent: true, ageMs }
    }
    const entryOf = (id: string) => {
      const own = shards.filter(({ owner }) => owner === id)
      const loads = own.map(({ key, guilds, players }) => {
        return [key, { weight: weightOf({ guilds, players }), isReady: true, players, guilds }] as const
      })
      const facts = { url: `http://${id}.test`, host: id, startedAtMs: 0, version: 'test', isDraining: false }
      return { ...facts, weight: weights[id] ?? 1, bots: [BOT], shards: Object.fromEntries(loads) }
    }
    return {
      ...NO_LEASES,
      leases: new Map(shards.map((shard) => [shard.key, leaseOf(shard)])),
      services: new Map(serviceIds.map((id) => [id, entryOf(id)])),
      shardCounts: new Map([[BOT, SHARDS]]),
      isEarly: false,
    }
  }

  return {
    shards,
    random,
    counts: () => serviceIds.map((id) => shards.filter(({ owner }) => owner === id).length),
    /** @returns the shards that moved, one at a time at most. */
    run(ms: number, { each, weights = {}, mayMove }: Conditions = {}) {
      const moved: string[] = []
      for (const endMs = nowMs + ms; nowMs < endMs; nowMs += STEP_MS) {
        each?.()
        const seen = view(weights)
        const move = serviceIds.map((id) => chooseMove(seen, id, mayMove)).find((found) => found !== null)
        const shard = shards.find(({ key }) => key === move?.key)
        if (!move || !shard) continue
        Object.assign(shard, { owner: move.to, sinceMs: nowMs })
        moved.push(move.key)
      }
      return moved
    },
  }
}

describe('the division of shards between services', () => {
  it('stays as it is while loads are nearly equal and players come and go', () => {
    const field = createField(['a', 'b', 'c'])
    const change = () => {
      for (const shard of field.shards) shard.players = Math.floor(5 * field.random())
    }
    expect(field.run(3_600_000, { each: change })).to.deep.equal([])
  })

  it('is even again after a service has come, and no shard moves twice', () => {
    const field = createField(['a', 'b', 'c'])
    for (const shard of field.shards) if (shard.owner === 'c') shard.owner = 'a'
    const moved = field.run(600_000)
    expect(field.counts()).to.deep.equal([16, 16, 16])
    expect(new Set(moved).size).to.equal(moved.length)
  })

  it('follows the weights of the services and ends there', () => {
    const field = createField(['a', 'b', 'c'])
    field.run(600_000, { weights: { c: 2 } })
    expect(field.counts()).to.deep.equal([12, 12, 24])
    expect(field.run(600_000, { weights: { c: 2 } })).to.deep.equal([])
  })

  it('leaves shards alone whose players are on their way back', () => {
    const field = createField(['a', 'b', 'c'])
    for (const shard of field.shards) if (shard.owner === 'c') shard.owner = 'a'
    const returning = new Set(field.shards.filter(({ owner }) => owner === 'a').map(({ key }) => key))
    const moved = field.run(600_000, { mayMove: (key) => !returning.has(key) })
    expect(moved.filter((key) => returning.has(key))).to.deep.equal([])
    expect(field.run(600_000)).to.satisfy((later: readonly string[]) => later.some((key) => returning.has(key)))
  })

  it('lets a shard with players rest for half a minute after it has moved', () => {
    const field = createField(['a', 'b'])
    const times = new Map<string, number>()
    let shortestMs = Infinity
    let nowMs = 0
    // All players are now here, now there.
    const swap = () => {
      const isSwapped = Math.floor(nowMs / 20_000) % 2 === 0
      for (const shard of field.shards) shard.players = (shard.owner === 'a') === isSwapped ? 200 : 1
    }
    for (; nowMs < 600_000; nowMs += STEP_MS) {
      for (const key of field.run(STEP_MS, { each: swap })) {
        shortestMs = Math.min(shortestMs, nowMs - (times.get(key) ?? -Infinity))
        times.set(key, nowMs)
      }
    }
    expect(times.size).to.be.greaterThan(0)
    expect(shortestMs).to.be.at.least(30_000)
  })
})
