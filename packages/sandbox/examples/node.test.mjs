// node --test node.test.mjs
import assert from 'node:assert/strict'
import { after, afterEach, before, it } from 'node:test'
import { startSandbox } from 'bandstand-sandbox'
import { startBot } from './bot.mjs'

let sandbox, discord, bot, guild, mira
before(async () => {
  sandbox = await startSandbox({ world: new URL('world.yaml', import.meta.url).pathname })
  discord = sandbox.client
  bot = await startBot({ token: 'test-token', api: `${sandbox.url}/api` })
  guild = await discord.guild('Workshop')
  await discord.snapshot('ready')
  mira = discord.member(guild.id, guild.ownerId)
})
afterEach(() => discord.restore('ready'))
after(async () => {
  await bot.destroy()
  await sandbox.close()
})

it('answers /ping', async () => {
  const { message } = await mira.command('ping')
  assert.equal(message.content, 'pong, Mira')
})

it('tries again after a 503', async () => {
  await discord.faults.add({
    on: 'rest',
    path: '/channels/*/messages',
    times: 1,
    effect: { type: 'status', status: 503 },
  })
  const [channel] = guild.channels
  await mira.say(channel.id, 'remind me')
  await discord.record.expectRequest({
    method: 'POST',
    path: '/channels/*/messages',
    status: 200,
    body: { content: 'Noted.' },
  })
})
