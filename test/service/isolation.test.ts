import { expect } from 'chai'
import type { Route } from '../../api/http/route.ts'
import { routes } from '../../api/routes/index.ts'
import { startAddressed, type AddressedService } from '../support/divided-service.ts'
import { eventually } from '../support/service.ts'
import { openEvents, type Opened } from '../support/socket.ts'

/** State that only the player's own project may change. */
const still = ({ channelId, paused, volume, muted, loop, current, queue }: any) =>
  JSON.stringify({ channelId, paused, volume, muted, loop, current, queue })

/** Two projects, each with a bot, and both bots are in the same guild. */
describe('another project', () => {
  let service: AddressedService
  let guildId: string
  let channels: readonly string[]
  let otherProject: string
  let otherBot: string
  let linked: string
  let unlinked: string
  let pooled: string
  const sockets: Opened[] = []

  const admin = (...args: string[]) => service.admin([...args, '--json'])
  const player = async () => (await service.call('GET', `/v1/music/guilds/${guildId}/player`)).body.data
  /** Usage is written once a second. */
  const cheapUsage = (projectId: string, requests: number) =>
    eventually(
      async () => {
        const { rows } = (await admin('usage', '--project', projectId, '--by', 'class')).json
        return rows.find((row: any) => row.group === 'cheap')
      },
      (row) => row?.requests === requests,
    )
  const listen = async (key: string) => {
    const opened = await openEvents(service.demo.baseUrl, key)
    sockets.push(opened)
    await opened.message(0)
    return opened
  }

  before(async () => {
    service = await startAddressed({ PLAYER_ALONE_SECONDS: '600' })
    const { body: second } = await service.sandbox('POST', '/sandbox/applications', { name: 'Second' })
    const facts = { name: 'Shared', applications: [service.demo.botId, second.id] }
    const { body: guild } = await service.sandbox('POST', '/sandbox/guilds', facts)
    guildId = guild.id
    channels = guild.channels.filter((one: any) => one.type === 'voice').map((one: any) => one.id)
    otherProject = (await admin('project', 'create', 'Other', '--plan', 'standard')).json.id
    const args = ['bot', 'add', '--project', otherProject, '--json']
    otherBot = (await service.admin(args, { stdin: second.token })).json.id
    linked = (await admin('key', 'create', '--project', otherProject, '--bot', otherBot)).json.key
    unlinked = (await admin('key', 'create', '--project', otherProject)).json.key
    const pool = (await admin('pool', 'create', 'Theirs', '--project', otherProject, '--bots', otherBot)).json
    pooled = (await admin('key', 'create', '--project', otherProject, '--pool', pool.id)).json.key
    for (const query of service.demo.queries.slice(0, 3)) {
      const body = { query, channelId: channels[0] }
      expect((await service.call('POST', `/v1/music/guilds/${guildId}/play`, { body })).status).to.equal(200)
    }
    // The project's bot is connected and could play, so 404 does not mean a missing connection.
    await eventually(
      () => service.call('GET', `/v1/music/guilds/${guildId}/player`, { key: linked }),
      ({ status }) => status === 404,
    )
  })
  after(async () => {
    for (const socket of sockets) socket.close()
    await service.stop()
  })

  /** Request of a route's own example, in the guild of the player. */
  function callOf(route: Route): { path: string; body?: unknown } {
    const { path = {}, query = {}, body } = route.example
    const target = route.url.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      name === 'guildId' ? guildId : encodeURIComponent(path[name] ?? ''),
    )
    const search = new URLSearchParams('guildId' in query ? { ...query, guildId } : query).toString()
    return { path: search === '' ? target : `${target}?${search}`, ...(body !== undefined && { body }) }
  }

  it('finds no player of the first on any route that names its guild, and changes nothing of it', async () => {
    const { title } = (await player()).current
    const before = still(await player())
    const inGuild = routes.filter(({ url, id }) => url.includes('{guildId}') && id !== 'play')
    expect(inGuild.length).to.be.at.least(10)
    for (const route of inGuild) {
      const { path, body } = callOf(route)
      const { status, body: said } = await service.call(route.method, path, { key: linked, body })
      expect(status, `${route.id} ${JSON.stringify(said)}`).to.be.oneOf([404, 422])
      expect(JSON.stringify(said)).not.to.contain(title)
      const byPool = await service.call(route.method, path, { key: pooled, body })
      expect(byPool.status, `${route.id} by a pool`).to.be.oneOf([404, 422])
      expect(JSON.stringify(byPool.body)).not.to.contain(title).and.not.contain(service.demo.botId)
      expect((await service.call(route.method, path, { key: unlinked, body })).status, route.id).to.equal(403)
    }
    expect(still(await player())).to.equal(before)
  })

  it('lists no player of the first', async () => {
    const none = { data: [], next: null }
    expect((await service.call('GET', '/v1/music/players', { key: linked })).body).to.deep.equal(none)
    expect((await service.call('GET', '/v1/music/players', { key: pooled })).body).to.deep.equal(none)
  })

  it('can put no bot of the first into a pool, and link no key to a pool of the first', async () => {
    const { demo } = service
    const bots = `${otherBot},${demo.botId}`
    const foreign = await service.admin(['pool', 'create', 'Both', '--project', otherProject, '--bots', bots])
    expect([foreign.code, foreign.stderr]).to.deep.equal([
      1,
      `error: The project ${otherProject} has no bot ${demo.botId}.\n`,
    ])
    const own = (await admin('pool', 'create', 'Ours', '--project', demo.projectId, '--bots', demo.botId)).json
    const key = await service.admin(['key', 'create', '--project', otherProject, '--pool', own.id])
    expect([key.code, key.stderr]).to.deep.equal([1, `error: The project ${otherProject} has no pool ${own.id}.\n`])
  })

  it('is asked for no bot where all bots of a pool of the first are busy, though its own is free', async () => {
    const { demo } = service
    const own = (await admin('pool', 'create', 'Ours', '--project', demo.projectId, '--bots', demo.botId)).json
    const { key } = (await admin('key', 'create', '--project', demo.projectId, '--pool', own.id)).json
    const body = { query: demo.queries[0], channelId: '81384788765712399' }
    const { status, body: said } = await eventually(
      () => service.call('POST', `/v1/music/guilds/${guildId}/play`, { key, body }),
      (answer) => answer.status !== 401,
    )
    expect([status, said.error.reason]).to.deep.equal([409, 'bots_busy'])
    expect(said.error.message).not.to.contain(otherBot)
  })

  it('hears nothing of what the first plays, with a bot or without, and the first hears it', async () => {
    const [own, others, unbound, byPool] = [
      await listen(service.demo.keys.linked),
      await listen(linked),
      await listen(unlinked),
      await listen(pooled),
    ]
    expect((await service.call('POST', `/v1/music/guilds/${guildId}/skip`)).status).to.equal(200)
    await eventually(
      () => own.messages.map(({ type }) => type),
      (types) => types.includes('trackStarted'),
    )
    for (const { messages } of [others, unbound, byPool]) {
      expect(messages.filter(({ type }) => type !== 'ping' && type !== 'ready')).to.deep.equal([])
    }
  })

  it('plays beside the first in the same guild, and neither hears of the other nor touches it', async () => {
    const before = still(await player())
    const [own, unbound] = [await listen(service.demo.keys.unlinked), await listen(unlinked)]
    const body = { query: service.demo.queries[3], channelId: channels[1] ?? channels[0] }
    const path = `/v1/music/guilds/${guildId}`
    expect((await service.call('POST', `${path}/play`, { key: linked, body })).body.data).to.include({ position: 0 })
    await eventually(
      () => unbound.messages.map(({ type }) => type),
      (types) => types.includes('trackStarted'),
    )
    expect((await service.call('GET', '/v1/music/players', { key: linked })).body.data).to.have.length(1)
    expect((await service.call('DELETE', `${path}/player`, { key: linked })).status).to.equal(200)
    expect(own.messages.filter(({ botId }) => botId === otherBot)).to.deep.equal([])
    expect(still(await player())).to.equal(before)
  })

  it('has limits of its own, and usage of its own', async () => {
    const encode = (key: string) => service.call('GET', '/v1/tools/binary/encode?text=a', { key })
    for (let i = 0; i < 5; i++) await encode(unlinked)
    const theirs = await encode(unlinked)
    expect(theirs.headers.get('x-ratelimit-plan')).to.equal('standard')
    expect(Number(theirs.headers.get('x-ratelimit-remaining'))).to.be.within(390, 395)
    const ours = await encode(service.demo.keys.unlinked)
    expect([ours.headers.get('x-ratelimit-plan'), ours.headers.get('x-ratelimit-remaining')]).to.deep.equal([
      'scale',
      '5999',
    ])
    expect((await cheapUsage(otherProject, 6)).ok).to.equal(6)
    await cheapUsage(service.demo.projectId, 1)
  })

  it('reads no request of the first in the log, no matter what it asks for', async () => {
    const path = `/v1/music/guilds/${guildId}/player`
    const requestId = (await service.call('GET', path)).headers.get('x-request-id') ?? ''
    // Another service may have answered it, and writes it down a moment later.
    const { body } = await eventually(
      () => service.call('GET', `/v1/requests/${requestId}`),
      ({ status }) => status === 200,
    )
    expect(body.data.path).to.equal(path)
    for (const key of [linked, unlinked, pooled]) {
      expect((await service.call('GET', `/v1/requests/${requestId}`, { key })).status).to.equal(404)
      for (const query of ['limit=100', `requestId=${requestId}`, 'route=play']) {
        const { data: requests } = (await service.call('GET', `/v1/requests?${query}`, { key })).body
        const foreign = requests.filter((one: any) => one.requestId === requestId || one.keyId === body.data.keyId)
        expect(foreign, query).to.deep.equal([])
      }
    }
  })
})
