// mocha mocha.test.mjs
import assert from 'node:assert/strict'
import { startSandbox } from 'bandstand-sandbox'
import { startBot } from './bot.mjs'

describe('the bot', () => {
  let sandbox, discord, bot, guild
  before(async () => {
    sandbox = await startSandbox({ world: new URL('world.yaml', import.meta.url).pathname })
    discord = sandbox.client
    bot = await startBot({ token: 'test-token', api: `${sandbox.url}/api` })
    guild = await discord.guild('Workshop')
    await discord.snapshot('ready')
  })
  afterEach(() => discord.restore('ready'))
  after(async () => {
    await bot.destroy()
    await sandbox.close()
  })

  it('registers its command and answers it', async () => {
    await discord.record.expectRequest({ method: 'PUT', path: '/applications/*/commands' })
    const { message } = await discord.member(guild.id, guild.ownerId).command('ping')
    assert.equal(message.content, 'pong, Mira')
  })

  it('stays logged in when the connection is cut', async () => {
    await discord.gateway(bot.user.id, { action: 'drop' })
    await discord.record.expectGateway({ event: 'RESUMED' })
  })
})
