import { expect } from 'chai'
import { Status, type Client } from 'discord.js'
import pino from 'pino'
import { gatewayOutbox, type GatewayOutbox } from '../../../bot/discord/gateway-outbox.ts'
import { createJoinTurns, type JoinTurns } from '../../../bot/discord/joins/join-turns.ts'
import type { ShardPool } from '../../../bot/discord/shards/shard-pool.ts'
import { createHandClock, settle, type HandClock } from '../../support/manual-clock.ts'

const SHARD = 0

function payloadOf(guildId: string, channelId: string | null) {
  return { op: 4, d: { guild_id: guildId, channel_id: channelId } }
}

describe('payloads about voice', () => {
  let clock: HandClock
  let turns: JoinTurns
  let outbox: GatewayOutbox
  let sent: { readonly guildId: string; readonly channelId: string | null; readonly atMs: number }[]

  beforeEach(() => {
    clock = createHandClock()
    turns = createJoinTurns(clock)
    sent = []
    const connections = {
      async send(_: number, { d }: { d: { guild_id: string; channel_id: string | null } }) {
        sent.push({ guildId: d.guild_id, channelId: d.channel_id, atMs: clock.nowMs() })
      },
    }
    const shard = { id: SHARD, status: Status.Ready }
    const client = { ws: { shards: new Map([[SHARD, shard]]), _ws: connections } } as unknown as Client
    const shards = { leaseOf: () => ({ isHeld: true }) } as unknown as ShardPool
    outbox = gatewayOutbox(client, {
      log: pino({ level: 'silent' }),
      shards,
      shardIdOf: () => SHARD,
      turns,
      onJoin: () => undefined,
    })
  })
  afterEach(async () => {
    turns.close()
    await outbox.drained()
  })

  it('of 250 players that join again at once wait for their turns, and each is told when it comes', async () => {
    const held = new Map<string, boolean[]>()
    for (let i = 0; i < 250; i += 1) {
      const guildId = `guild ${i}`
      held.set(guildId, [])
      outbox.put(guildId, payloadOf(guildId, 'channel'), (isHeld) => held.get(guildId)?.push(isHeld))
    }
    await settle()
    const atOnce = sent.length
    expect(atOnce).to.be.within(100, 120)
    await clock.advance(125_000)
    expect(sent.map(({ guildId }) => guildId)).to.have.members([...held.keys()])
    for (const { atMs } of sent)
      expect(sent.filter((one) => one.atMs >= atMs && one.atMs < atMs + 60_000).length).to.be.at.most(120)
    const told = [...held.values()]
    expect(told.filter((one) => one.length === 0)).to.have.length(atOnce)
    expect(told.filter((one) => one.join() === 'true,false')).to.have.length(250 - atOnce)
  })

  it('of a join that has its turn are not delayed by others', async () => {
    for (let i = 0; i < 111; i += 1) outbox.put(`guild ${i}`, payloadOf(`guild ${i}`, 'channel'))
    await turns.take(SHARD, 'caller', 'caller')
    outbox.put('rejoining', payloadOf('rejoining', 'channel'))
    outbox.put('caller', payloadOf('caller', 'channel'))
    await settle()
    expect(sent.at(-1)?.guildId).to.equal('caller')
  })

  it('of a player that left while its join waited take it out of the channel', async () => {
    for (let i = 0; i < 112; i += 1) outbox.put(`guild ${i}`, payloadOf(`guild ${i}`, 'channel'))
    outbox.put('leaving', payloadOf('leaving', 'channel'))
    outbox.put('leaving', payloadOf('leaving', null))
    await clock.advance(61_000)
    const ofIt = sent.filter(({ guildId }) => guildId === 'leaving')
    expect(ofIt.map(({ channelId }) => channelId)).to.deep.equal([null])
  })
})
