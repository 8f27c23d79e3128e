import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { addApplication, addChannel, createGuild, getApplication } from 'bandstand-sandbox/world'
import { startMachines, type Machines, type ServiceMachine } from '../support/machines.ts'
import { hasPostgres } from '../support/postgres.ts'
import { hasRedis } from '../support/redis.ts'
import { eventually } from '../support/service.ts'
import { openEvents, type Opened } from '../support/socket.ts'

const ENCODE = '/v1/tools/binary/encode?text=a'

interface Place {
  readonly guildId: string
  readonly voiceChannelId: string
}

function playIn(service: ServiceMachine, key: string, { guildId, voiceChannelId: channelId }: Place) {
  return service.call(key, 'POST', `/v1/music/guilds/${guildId}/play`, { query: 'noise', channelId })
}

async function statusOf(service: ServiceMachine, key: string): Promise<number> {
  return (await service.call(key, 'GET', ENCODE)).status
}

function becomes(service: ServiceMachine, key: string, status: number): Promise<number> {
  return eventually(
    () => statusOf(service, key),
    (now) => now === status,
  )
}

function typesOf({ messages }: Opened): readonly string[] {
  return messages.map(({ type }) => type).filter((type) => type !== 'ping')
}

/** Two services with a bot each, as on two machines, with one PostgreSQL and one Redis. */
describe('two services of one installation', function () {
  let at: Machines
  let a: ServiceMachine
  let b: ServiceMachine
  const sockets: Opened[] = []
  before(async function () {
    if (!hasRedis() || !hasPostgres()) this.skip()
    at = await startMachines()
    ;({ a, b } = at)
  })
  afterEach(() => sockets.splice(0).forEach((socket) => socket.close()))
  after(() => at?.close())

  async function everywhere(key: string): Promise<string> {
    await Promise.all([becomes(a, key, 200), becomes(b, key, 200)])
    return key
  }
  async function listen(service: ServiceMachine, key: string, query = ''): Promise<Opened> {
    const socket = await openEvents(service.baseUrl, key, query)
    sockets.push(socket)
    await socket.message(0)
    return socket
  }
  const play = (service: ServiceMachine, key: string) => playIn(service, key, at.sandbox.demo)
  const leave = (service: ServiceMachine, key: string) =>
    service.call(key, 'DELETE', `/v1/music/guilds/${at.sandbox.demo.guildId}/player`)

  it("know each other's keys, and refuse on both what was revoked on one", async () => {
    const [first, second] = [await at.newKey(a, '--name', 'of A'), await at.newKey(b, '--name', 'of B')]
    await everywhere(first.key)
    await everywhere(second.key)
    await a.admin('key', 'revoke', second.id)
    await b.admin('key', 'rotate', first.id, '--grace', '0')
    for (const { key } of [first, second]) await Promise.all([becomes(a, key, 401), becomes(b, key, 401)])
    const states = async (service: ServiceMachine) =>
      (await service.admin('key', 'list', '--project', at.projectId))
        .map(({ id, state, name }: Record<string, string>) => `${id} ${state} ${name}`)
        .toSorted()
    await eventually(
      async () => [await states(a), await states(b)],
      ([ofA, ofB]) => JSON.stringify(ofA) === JSON.stringify(ofB),
    )
  })

  it('draw on one budget of a project, to the request', async () => {
    const { id } = await a.admin('project', 'create', 'Metered', '--plan', 'free')
    const { key } = await a.admin('key', 'create', '--project', id)
    await becomes(b, key, 200)
    const startMs = performance.now()
    const shots = Array.from({ length: 60 }, (_, i) => statusOf(i % 2 ? a : b, key))
    const granted = 1 + (await Promise.all(shots)).filter((status) => status === 200).length
    // One request comes back each second of a plan of sixty a minute.
    expect(granted - 60).to.be.within(0, Math.ceil((performance.now() - startMs) / 1000) + 1)
    await b.admin('project', 'plan', id, 'standard')
    await eventually(
      () => a.call(key, 'GET', ENCODE),
      ({ headers }) => headers.get('x-ratelimit-plan') === 'standard',
    )
  })

  /** Waits until A knows of a listener at B; until then A sends B nothing. */
  async function untilTold(all: string, ofA: string): Promise<void> {
    const first = await listen(b, all)
    const toldAll = async () => {
      await play(a, ofA)
      await leave(a, ofA)
      await sleep(250)
      return typesOf(first).at(-1)
    }
    await eventually(toldAll, (type) => type === 'playerClosed')
  }

  it('tell what happens to either bot on both, once and in order, to anyone who may and wants to hear it', async () => {
    const all = await everywhere((await at.newKey(a)).key)
    const ofA = await everywhere((await at.newKey(a, '--bot', a.botId)).key)
    const ofB = await everywhere((await at.newKey(b, '--bot', b.botId)).key)
    const stranger = await b.admin('project', 'create', 'Stranger')
    const strange = (await b.admin('key', 'create', '--project', stranger.id)).key
    await becomes(b, strange, 200)
    await untilTold(all, ofA)
    const near = await listen(a, all)
    const far = await listen(b, all)
    const linked = await listen(b, ofA)
    const narrow = await listen(b, all, '?events=trackEnded')
    const deaf = [await listen(b, ofB), await listen(b, strange)]
    expect((await play(a, ofA)).status).to.equal(200)
    await leave(a, ofA)
    await Promise.all([near.message(3), far.message(3), linked.message(3), narrow.message(1)])
    const story = ['ready', 'trackStarted', 'trackEnded', 'playerClosed']
    await sleep(300)
    for (const socket of [near, far, linked]) expect(typesOf(socket)).to.deep.equal(story)
    expect(far.messages.slice(1)).to.deep.equal(near.messages.slice(1))
    expect(typesOf(narrow)).to.deep.equal(['ready', 'trackEnded'])
    for (const socket of deaf) expect(typesOf(socket)).to.deep.equal(['ready'])
    await play(b, ofB)
    await leave(b, ofB)
    await near.message(6)
    expect(near.messages.slice(4).map(({ botId }) => botId)).to.deep.equal([b.botId, b.botId, b.botId])
  })

  it('count the players of both against the plan of the project', async () => {
    const { world, demo } = at.sandbox
    const [ofA, ofB] = [await at.newKey(a, '--bot', a.botId), await at.newKey(b, '--bot', b.botId)]
    const guilds = Array.from({ length: 5 }, (_, i) => {
      const guild = createGuild(world, { name: `guild ${i}`, ownerId: demo.memberIds[0] ?? '' })
      for (const { botId } of [a, b]) addApplication(world, guild, getApplication(world, botId))
      return { guildId: guild.id, voiceChannelId: addChannel(world, guild, { name: 'voice', type: 2 }).id }
    })
    // A player that left the other service a moment ago still counts here.
    const untilItPlays = (guild: (typeof guilds)[number]) =>
      eventually(
        () => playIn(a, ofA.key, guild),
        ({ status }) => status === 200,
      )
    await Promise.all(guilds.map(untilItPlays))
    const leaveB = () => b.call(ofB.key, 'DELETE', `/v1/music/guilds/${guilds[0]!.guildId}/player`)
    // Known there within 1.2 s; until then a sixth player is none too many.
    const sixth = async () => {
      const answer = await playIn(b, ofB.key, guilds[0]!)
      if (answer.status === 200) await leaveB()
      return answer
    }
    const refused = await eventually(sixth, ({ status }) => status !== 200)
    expect([refused.status, refused.body.error.code]).to.deep.equal([403, 'player_limit'])
    for (const { guildId } of guilds) await a.call(ofA.key, 'DELETE', `/v1/music/guilds/${guildId}/player`)
    const again = () => playIn(b, ofB.key, guilds[0]!)
    await eventually(again, ({ status }) => status === 200)
    await leaveB()
  })

  it('close the sockets of a key on both when it is revoked on one', async () => {
    const { id, key } = await at.newKey(b)
    await everywhere(key)
    const [near, far] = [await listen(b, key), await listen(a, key)]
    await b.admin('key', 'revoke', id)
    for (const socket of [near, far]) expect((await socket.closed()).code).to.equal(4001)
  })

  it('continue without Redis, and refuse on both what is revoked on one meanwhile', async () => {
    const { id, key } = await at.newKey(a)
    await everywhere(key)
    await at.redis.kill()
    expect([await statusOf(a, key), await statusOf(b, key)]).to.deep.equal([200, 200])
    await a.admin('key', 'revoke', id)
    await Promise.all([becomes(a, key, 401), becomes(b, key, 401)])
    await everywhere((await at.newKey(b)).key)
    await at.redis.start()
  })

  it('continue when the other one is killed, which learns at its start what it missed', async () => {
    const { id, key } = await at.newKey(a)
    const ofA = await everywhere((await at.newKey(a, '--bot', a.botId)).key)
    await everywhere(key)
    await a.kill()
    await b.admin('key', 'revoke', id)
    const made = await at.newKey(b)
    await becomes(b, key, 401)
    const far = await listen(b, ofA)
    await a.start()
    await Promise.all([becomes(a, key, 401), becomes(a, made.key, 200)])
    const began = () => play(a, ofA)
    await eventually(began, ({ status }) => status === 200)
    expect((await far.message(1)).type).to.equal('trackStarted')
    await leave(a, ofA)
  })
})
