import { expect } from 'chai'
import type { Sandbox } from 'bandstand-sandbox'
import { addQuietGuilds, createApplication, type Application } from 'bandstand-sandbox/world'
import { dial } from './dial.ts'
import { openSandbox } from './stage.ts'

const GUILDS_AND_VOICE = 1 | 128
const SHARDS = 3
const COUNT = 100

describe('quiet guilds', () => {
  let sandbox: Sandbox
  let bot: Application
  beforeEach(async () => {
    sandbox = await openSandbox({ demoMember: false, limits: false })
    bot = createApplication(sandbox.world, { name: 'Large', shards: SHARDS })
    addQuietGuilds(sandbox.world, bot, { count: COUNT, textChannels: 3, voiceChannels: 1, roles: 2 })
  })
  afterEach(() => sandbox.close())

  /** Logs one shard in and returns the IDs in READY, then each guild. */
  async function logIn(shard: number) {
    const client = dial(sandbox.url)
    await client.op(10)
    client.send(2, { token: bot.token, intents: GUILDS_AND_VOICE, properties: {}, shard: [shard, SHARDS] })
    const { d } = await client.event('READY')
    const ids: string[] = d.guilds.map(({ id }: { id: string }) => id)
    const guilds: any[] = []
    while (guilds.length < ids.length) guilds.push((await client.event('GUILD_CREATE')).d)
    client.socket.terminate()
    return { ids, guilds }
  }
  const get = async (path: string) => {
    const response = await fetch(`${sandbox.url}/api/v10${path}`, { headers: { authorization: `Bot ${bot.token}` } })
    return (await response.json()) as any
  }

  it('are divided over the shards, and each is told whole, with ids of its own', async () => {
    const shards = await Promise.all(Array.from({ length: SHARDS }, (_, shard) => logIn(shard)))
    expect(shards.map(({ ids }) => ids.length)).to.deep.equal([34, 33, 33])
    for (const [shard, { ids, guilds }] of shards.entries()) {
      expect(ids.every((id) => Number((BigInt(id) >> 22n) % BigInt(SHARDS)) === shard)).to.equal(true)
      expect(guilds.map(({ id }) => id)).to.have.members(ids)
    }
    const guilds = shards.flatMap((one) => one.guilds)
    expect(new Set(guilds.flatMap(({ channels }) => channels.map(({ id }: any) => id))).size).to.equal(COUNT * 4)
    for (const { id, name, roles, channels, members } of guilds) {
      expect(name).to.equal(`Guild ${id}`)
      expect(roles[0].id).to.equal(id)
      expect([roles.length, channels.length, members.length]).to.deep.equal([4, 4, 1])
      expect(members[0].user.id).to.equal(bot.id)
    }
  })

  it('are as they were told when someone asks for one', async () => {
    const { ids, guilds } = await logIn(1)
    const [id = '', told] = [ids[7], guilds.find((guild) => guild.id === ids[7])]
    expect(sandbox.world.guilds.size, 'made so far').to.equal(1)
    const channels = await get(`/guilds/${id}/channels`)
    expect(channels.map((channel: any) => channel.id)).to.deep.equal(told.channels.map((channel: any) => channel.id))
    expect((await get(`/guilds/${id}`)).owner_id).to.equal(told.owner_id)
    expect(sandbox.world.guilds.size).to.equal(2)
    expect((await logIn(1)).ids, 'of the next login').to.have.members(ids)
  })
})
