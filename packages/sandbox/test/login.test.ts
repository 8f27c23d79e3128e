import { Client, GatewayIntentBits } from 'discord.js'
import { expect } from 'chai'
import { pino } from 'pino'
import { startSandbox, type Sandbox } from 'bandstand-sandbox'
import { once } from 'node:events'

describe('a bot in the stand-in Discord', () => {
  let sandbox: Sandbox
  let client: Client
  beforeEach(async () => {
    sandbox = await startSandbox({ port: 0, stateFile: null, log: pino({ level: 'silent' }) })
    client = new Client({
      intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildVoiceStates],
      rest: { api: `${sandbox.url}/api` },
    })
  })
  afterEach(async () => {
    await client.destroy()
    await sandbox.close()
  })

  it('logs in, gets its guild, and is answered with both voice events', async () => {
    const ready = once(client, 'clientReady')
    await client.login(sandbox.demo.botToken)
    await ready
    const guild = client.guilds.cache.get(sandbox.demo.guildId)!
    expect(guild.name).to.equal('Seaside Commons')
    expect(guild.channels.cache.size).to.equal(4)
    const events: string[] = []
    client.ws.on('VOICE_STATE_UPDATE' as never, () => events.push('state'))
    const server = new Promise<any>((resolve) =>
      client.ws.on('VOICE_SERVER_UPDATE' as never, (d: any) => {
        events.push('server')
        resolve(d)
      }),
    )
    guild.shard.send({
      op: 4,
      d: { guild_id: guild.id, channel_id: sandbox.demo.voiceChannelId, self_deaf: true, self_mute: false },
    })
    const d = await server
    expect(d.endpoint).to.match(/^localhost:\d+$/)
    expect(events).to.deep.equal(['state', 'server'])
    expect(guild.members.me?.voice.channelId).to.equal(sandbox.demo.voiceChannelId)
  })
})
