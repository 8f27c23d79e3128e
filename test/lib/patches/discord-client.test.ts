import { expect } from 'chai'
import { Client, Status } from 'discord.js'
import { addUnavailable, noteOutage, withoutGuilds } from '../../../bot/discord/shards/announced-guilds.ts'
import { insideOf, waitForPresentShards } from '../../../lib/patches/discord-client.ts'

/** A client with these connections, which wait for its login. */
function clientWith(...statuses: readonly Status[]) {
  const client = new Client({ intents: [] })
  const add = (shardId: number, status: Status) => client.ws.shards.set(shardId, { status } as any)
  statuses.forEach((status, shardId) => add(shardId, status))
  insideOf(client).totalShards = statuses.length
  waitForPresentShards(client)
  let isReady = false
  client.once('clientReady', () => (isReady = true))
  return { client, add, check: () => (insideOf(client).checkShardsReady(), isReady) }
}

describe('a client whose shards come and go during its login', () => {
  it('is ready once those are that it has by then', () => {
    const { add, check } = clientWith(Status.Ready, Status.Connecting)
    add(2, Status.Connecting)
    add(1, Status.Ready)
    expect(check()).to.equal(false)
    add(2, Status.Ready)
    expect(check()).to.equal(true)
  })

  it('does not wait for one that is gone, nor begin with none', () => {
    const { client, check } = clientWith(Status.Ready, Status.Connecting)
    client.ws.shards.delete(1)
    expect(check()).to.equal(true)
    const empty = clientWith(Status.Connecting)
    empty.client.ws.shards.delete(0)
    expect(empty.check()).to.equal(false)
  })

  it('builds guilds that Discord names once it describes them, or not at all', async () => {
    const { client } = clientWith(Status.Connecting)
    const guilds = ['1', '2', '3'].map((id) => ({ id, unavailable: true }))
    const ready = withoutGuilds(client, { t: 'READY', d: { session_id: 'a', guilds } })
    expect(ready).to.deep.equal({ t: 'READY', d: { session_id: 'a', guilds: [] } })
    noteOutage(client, 0, { t: 'GUILD_DELETE', d: { id: '2', unavailable: true } })
    noteOutage(client, 0, { t: 'RESUMED', d: undefined })
    await addUnavailable(client, 0, ['3'])
    const known = () => client.guilds.cache.map(({ id, available, shardId }) => [id, available, shardId])
    expect(known()).to.deep.equal([
      ['2', false, 0],
      ['3', false, 0],
    ])
    for (const guild of client.guilds.cache.values()) guild.available = true
    withoutGuilds(client, { t: 'READY', d: { guilds } })
    expect(known().map(([, isAvailable]) => isAvailable)).to.deep.equal([false, false])
  })
})
