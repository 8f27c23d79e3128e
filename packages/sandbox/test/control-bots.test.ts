import { once } from 'node:events'
import { expect } from 'chai'
import { Events, GatewayIntentBits, PermissionFlagsBits } from 'discord.js'
import { connectSandbox, type Sandbox } from 'bandstand-sandbox'
import { logIn, openSandbox } from './stage.ts'

describe('bots that are not about music in the sandbox', () => {
  let sandbox: Sandbox
  before(async () => {
    sandbox = await openSandbox()
  })
  after(() => sandbox.close())

  it('come with the permissions that their invitation names, and hear members react', async () => {
    const { guildId, textChannelId, memberIds } = sandbox.demo
    const client = await connectSandbox(sandbox.url)
    const { token } = await client.createApplication({
      name: 'Moderator',
      guildIds: [guildId],
      permissions: ['BanMembers', 'AddReactions'],
    })
    const intents = [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.GuildMessageReactions]
    const bot = await logIn(sandbox, { token, intents })
    const guild = await bot.guilds.fetch(guildId)
    const { permissions } = await guild.members.fetchMe()
    expect(permissions.has(PermissionFlagsBits.BanMembers)).to.equal(true)
    expect(permissions.has(PermissionFlagsBits.KickMembers)).to.equal(false)

    const member = client.member(guildId, memberIds[1] ?? '')
    const written = once(bot, Events.MessageCreate)
    const { id } = await member.say(textChannelId, 'Who likes this?')
    await written
    for (const [on, event] of [
      [true, Events.MessageReactionAdd],
      [false, Events.MessageReactionRemove],
    ] as const) {
      const told = once(bot, event)
      const { reactions } = await member.react(textChannelId, id, '👍', on)
      expect(reactions).to.deep.equal(on ? [{ emoji: '👍', count: 1 }] : [])
      const [reaction, user] = await told
      expect([reaction.emoji.name, user.id]).to.deep.equal(['👍', memberIds[1]])
    }
    await bot.destroy()
  })
})
