// vitest run vitest.test.mjs
import { startSandbox } from 'bandstand-sandbox'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startBot } from './bot.mjs'

let sandbox, discord, bot, guild, mira
beforeAll(async () => {
  sandbox = await startSandbox({ world: new URL('world.yaml', import.meta.url).pathname })
  discord = sandbox.client
  bot = await startBot({ token: 'test-token', api: `${sandbox.url}/api` })
  guild = await discord.guild('Workshop')
  await discord.snapshot('ready')
  mira = discord.member(guild.id, guild.ownerId)
})
afterEach(() => discord.restore('ready'))
afterAll(async () => {
  await bot.destroy()
  await sandbox.close()
})

test('answers in the channel, at the time of the sandbox', async () => {
  await discord.clock.freeze(new Date('2027-01-31T18:00:00Z'))
  const [channel] = guild.channels
  await mira.say(channel.id, 'remind me')
  const { response } = await discord.record.expectRequest({ method: 'POST', body: { content: 'Noted.' } })
  expect(response.timestamp).toContain('2027-01-31T18:00:00')
})

test('answers a member who joined a moment ago', async () => {
  const zola = await discord.createMember(guild.id, 'zola')
  const { message } = await zola.command('ping')
  expect(message.content).toBe('pong, zola')
})
