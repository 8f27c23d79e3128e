import { once } from 'node:events'
import { expect } from 'chai'
import type { Client } from 'discord.js'
import { copy } from '../snapshots/copy.ts'
import type { Sandbox } from 'bandstand-sandbox'
import { until } from '../../../test/support/bots.ts'
import { dial } from './dial.ts'
import { createCaller, logIn, openSandbox, type Rest } from './stage.ts'

describe('snapshots of the sandbox', () => {
  let sandbox: Sandbox
  let client: Client<true>
  let call: Rest

  before(async () => {
    sandbox = await openSandbox()
    client = await logIn(sandbox)
    call = createCaller(`${sandbox.url}/sandbox`)
  })
  after(async () => {
    await client.destroy()
    await sandbox.close()
  })

  it('copies objects that refer to each other once, and fills those that others hold', () => {
    const user = { name: 'Mira' }
    const state = { users: new Map([['1', user]]), members: new Map([['1', { user, roles: ['a'] }]]) }
    const saved = copy(state)
    expect(saved.members.get('1')?.user).to.equal(saved.users.get('1')).and.not.equal(user)
    const held = state.members.get('1')
    state.users.set('2', { name: 'new' })
    user.name = 'other'
    held?.roles.push('b')
    copy(saved, state)
    expect([...state.users.keys()]).to.deep.equal(['1'])
    expect(state.members.get('1')).to.equal(held)
    expect(held).to.deep.equal({ user: { name: 'Mira' }, roles: ['a'] })
    expect(held?.user).to.equal(state.users.get('1'))
  })

  it('resets everything a test changed, and bots that stay connected learn of it', async () => {
    const { guildId, textChannelId, memberIds, voiceChannelId } = sandbox.demo
    const guild = client.guilds.cache.get(guildId)
    await call('POST', `/guilds/${guildId}/channels`, { name: 'extra', type: 'text' })
    await call('POST', `/guilds/${guildId}/channels/${textChannelId}/messages`, { userId: memberIds[0], content: 'hi' })
    await call('POST', '/guilds', { name: 'Another', applications: [client.user.id] })
    await call('POST', `/guilds/${guildId}/members/${memberIds[0]}/leave`)
    await call('POST', `/guilds/${guildId}/members/${memberIds[1]}/join`, { channelId: voiceChannelId, client: false })
    await call('PATCH', '/rules', { restDelayMs: 5 })
    await call('PUT', `/guilds/${guildId}/faults`, { lossPercent: 100 })
    await call('PUT', '/dave', { version: 0 })
    await call('POST', '/faults', { on: 'rest', effect: { type: 'cut' } })
    await call('POST', '/clock/freeze', { at: '2030-01-01T00:00:00Z' })
    await until('the bot knows', () => client.guilds.cache.size === 2 && guild?.channels.cache.size === 5)

    expect((await call('POST', '/reset')).status).to.equal(200)
    await until('the bot knows again', () => client.guilds.cache.size === 1 && guild?.channels.cache.size === 4)
    const { body } = await call('GET', `/guilds/${guildId}`)
    expect(body.channels.map(({ name }: { name: string }) => name)).to.not.include('extra')
    expect(body.voiceStates.map(({ userId }: { userId: string }) => userId)).to.deep.equal([memberIds[0]])
    expect((await call('GET', `/guilds/${guildId}/channels/${textChannelId}/messages`)).body).to.deep.equal([])
    expect((await call('GET', '/faults')).body).to.deep.equal([])
    expect((await call('GET', '/clock')).body.frozen).to.equal(false)
    const network = (await call('GET', `/guilds/${guildId}/network`)).body
    expect(network.rules.restDelayMs).to.equal(0)
    expect(network.faults).to.deep.equal({})
    expect(network.dave.version).to.equal(1)
    const connected = async () => (await call('GET', `/guilds/${guildId}/members/${memberIds[0]}/voice`)).body.connected
    await until('the member is connected again', connected)
    expect(client.isReady()).to.equal(true)
  })

  it('logs out bots whose account is no more', async () => {
    const made = await call('POST', '/applications', { name: 'Later' })
    const later = await logIn(sandbox, { token: made.body.token })
    const gone = once(later, 'shardDisconnect')
    await call('POST', '/reset')
    expect((await gone)[0].code).to.equal(4004)
    await later.destroy()
  })

  it('keeps snapshots under names, and says which there are', async () => {
    const { guildId } = sandbox.demo
    await call('PUT', '/snapshots/with-role')
    await call('POST', `/guilds/${guildId}/roles`, { name: 'Extra', userIds: [] })
    await call('PUT', '/snapshots/with-more')
    const roles = async () => (await call('GET', `/guilds/${guildId}`)).body.roles.map((one: any) => one.name)
    await call('POST', '/snapshots/with-role/restore')
    expect(await roles()).to.not.include('Extra')
    await call('POST', '/snapshots/with-more/restore')
    expect(await roles()).to.include('Extra')
    const missing = await call('POST', '/snapshots/other/restore')
    expect(missing.status).to.equal(409)
    expect(missing.body.error.message).to.equal(
      'No snapshot is called "other". There are: start, with-role, with-more.',
    )
    expect((await call('DELETE', '/snapshots/start')).status).to.equal(409)
    expect((await call('DELETE', '/snapshots/with-role')).status).to.equal(204)
    expect((await call('GET', '/snapshots')).body.map((one: any) => one.name)).to.deep.equal(['start', 'with-more'])
    await call('POST', '/reset')
  })

  it('logs all bots out where that is asked for', async () => {
    // One of discord.js that is destroyed while it logs in again goes on connecting for ever.
    await client.destroy()
    const bot = dial(sandbox.url)
    await bot.op(10)
    bot.send(2, { token: sandbox.demo.botToken, intents: 1, properties: {} })
    await bot.event('READY')
    await call('POST', '/reset', { clients: 'disconnect' })
    expect(await bot.closed).to.equal(4009)
    const ended = await call('POST', '/record/search', { kind: 'gateway', direction: 'closed', code: 4009 })
    expect(ended.body.entries[0].applicationId).to.equal(sandbox.demo.applicationId)
  })
})
