import { expect } from 'chai'
import type { ShardLease, ShardRunner } from '../../../../bot/discord/shards/shard-directory.ts'
import { Handovers } from '../../../../service/cluster/leases/handovers.ts'
import { shardKey } from '../../../../service/cluster/leases/view.ts'
import { silent } from '../../../support/encode-queue.ts'
import { createHandClock, settle } from '../../../support/manual-clock.ts'

const BOT = '900000000000000001'
const SHARDS = 20

const keyOf = (shardId: number): string => shardKey({ botId: BOT, shardId, shardCount: SHARDS })

/** @param players of each shard, in the order in which they are to move. */
function drain(players: readonly number[]) {
  const clock = createHandClock()
  const left: number[] = []
  const runner: Pick<ShardRunner, 'handOver' | 'load'> = {
    handOver: async (shardId) => void left.push(shardId),
    load: (shardId) => ({ guilds: 1, players: players[shardId] ?? 0, isReady: true, isRestoring: false }),
  }
  const handovers = new Handovers({
    held: { find: () => ({}) as ShardLease, release: async () => undefined },
    runnerOf: () => runner as ShardRunner,
    clock,
    log: silent,
  })
  let isOver = false
  const moves = players.map((_, shardId) => ({ key: keyOf(shardId), to: 'other' }))
  void handovers.startAll(moves).then(() => (isOver = true))
  return { clock, left, isOver: () => isOver }
}

describe('a service that drains', () => {
  it('hands shards with players over one by one, and the others at the end', async () => {
    const { clock, left, isOver } = drain([2, 1, 0, 0])
    await settle()
    expect(left).to.deep.equal([0])
    await clock.advance(500)
    await settle()
    expect(left).to.deep.equal([0, 1])
    await clock.advance(500)
    await settle()
    expect([left, isOver()]).to.deep.equal([[0, 1, 2, 3], true])
  })

  it('is done in five seconds, however many shards have players', async () => {
    const { clock, left, isOver } = drain(Array.from({ length: SHARDS }, () => 3))
    for (let passedMs = 0; passedMs < 5000; passedMs += 100) {
      await clock.advance(100)
      await settle()
    }
    expect([left.length, isOver()]).to.deep.equal([SHARDS, true])
  })
})
