import { expect } from 'chai'
import { countElsewhere, ownerElsewhere, readView, signEntry } from '../../../../service/cluster/leases/view.ts'
import type { ServiceEntry, ViewAnswer } from '../../../../service/cluster/leases/view.ts'
import { createSigning } from '../../../../service/cluster/signing.ts'

const [BOT, OTHER_BOT] = ['900000000000000001', '900000000000000002']
const [PROJECT, OTHER] = ['prj_one', 'prj_two']
const NOW_MS = 1_900_000_000_000
const signing = createSigning('ab'.repeat(32))
const forger = createSigning('cd'.repeat(32))

const guild = (shardId: number) => ({ botId: BOT, guildId: String(BigInt(shardId) << 22n) })
const shard = (players: number) => ({ weight: 1, isReady: true, players, guilds: 10 })

function entry(id: string, more: Partial<ServiceEntry>): ServiceEntry {
  const facts = { url: `http://${id}.test`, host: id, startedAtMs: 0, version: 'test', isDraining: false, weight: 1 }
  return { ...facts, bots: [BOT, OTHER_BOT], shards: {}, ...more }
}

/** View as stored in Redis: the owners of the bot's two shards, and each service's own entry. */
function view(services: Readonly<Record<string, string>>) {
  const held = (id: string) => `${id} ${NOW_MS - 5000} ${NOW_MS + 3000} - 0`
  const entries = Object.entries(services).flatMap(([id, signed]) => [id, `${NOW_MS + 3000} ${signed}`])
  const leases = [`${BOT}:2:0`, held('a'), `${BOT}:2:1`, held('b')]
  const answer: ViewAnswer = [String(NOW_MS), [], leases, entries, [BOT, '2'], 0, []]
  return readView(answer, signing)
}

describe('what a service knows of the others by their leases', () => {
  const a = entry('a', { shards: { [`${BOT}:2:0`]: shard(3) }, players: { [PROJECT]: 3 } })
  const b = entry('b', {
    shards: { [`${BOT}:2:1`]: shard(4), [`${OTHER_BOT}:1:0`]: shard(50) },
    players: { [PROJECT]: 6, [OTHER]: 7 },
  })
  const both = view({ a: signEntry('a', a, signing), b: signEntry('b', b, signing) })

  it('is how many players they have for a project, without its own', () => {
    expect(countElsewhere(both, 'a', PROJECT)).to.equal(6)
    expect(countElsewhere(both, 'b', PROJECT)).to.equal(3)
    expect(countElsewhere(both, 'c', PROJECT)).to.equal(3 + 6)
    expect(countElsewhere(both, 'a', OTHER)).to.equal(7)
  })

  it('is which of them runs a guild', () => {
    expect(ownerElsewhere(both, 'a', guild(1))).to.deep.equal({ serviceId: 'b', url: 'http://b.test' })
    expect(ownerElsewhere(both, 'a', guild(0)), 'its own').to.equal(null)
    expect(ownerElsewhere(both, 'a', { botId: OTHER_BOT, guildId: '1' }), 'not agreed on').to.equal(null)
  })

  it('is nothing that none of them wrote', () => {
    for (const signed of [signEntry('b', b, forger), signEntry('a', b, signing), JSON.stringify(b), '']) {
      const seen = view({ b: signed })
      expect([...seen.services.keys()]).to.deep.equal([])
      expect(ownerElsewhere(seen, 'a', guild(1))).to.equal(null)
      expect(countElsewhere(seen, 'a', PROJECT)).to.equal(0)
    }
  })
})
