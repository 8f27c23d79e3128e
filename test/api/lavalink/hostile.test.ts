import { expect } from 'chai'
import { passwords, startLavalink, tokenOf, type LavalinkStage } from '../../support/lavalink.ts'
import type { ClientSession, LavalinkAnswer } from '../../support/lavalink-client.ts'
import { eventually } from '../../support/service.ts'

const MIB = 1024 * 1024
/** Concurrent requests of an attacker. */
const AT_ONCE = 20
function guildOf(number: number): string {
  return String(1_000_000_000_000 + number)
}

/** Requests as fast as they are answered, so many at once; the statuses, each with how often it came. */
async function flood(count: number, send: (number: number) => Promise<LavalinkAnswer>) {
  const statuses: Record<number, number> = {}
  let next = 0
  const lane = async () => {
    while (next < count) {
      const { status } = await send(next++)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return statuses
}

describe('a hostile client of a Lavalink node', () => {
  let stage: LavalinkStage
  let honest: ClientSession
  let hostile: ClientSession

  before(async () => {
    stage = await startLavalink({ node: { inThread: true } })
    honest = await stage.connect()
    await honest.patch({ voice: stage.enter() })
  })

  after(() => stage.close())

  beforeEach(async () => {
    await honest.patch({ track: { encoded: tokenOf('A') } })
    await eventually(
      () => stage.sandbox.voice.isConnected(stage.guild.id, stage.botId),
      (isConnected) => isConnected,
    )
    await heardMore(20)
    await packets(true)
    hostile = await stage.connect({ password: passwords.other, userId: stage.otherBotId })
  })

  afterEach(async () => {
    hostile.socket.terminate()
    await heardMore(20)
    const { lost, reordered } = await packets()
    expect({ lost, reordered }, 'packets of the honest player').to.deep.equal({ lost: 0, reordered: 0 })
    expect(honest.socket.readyState).to.equal(honest.socket.OPEN)
    expect(honest.events().filter((event) => /Exception|Stuck|Closed/.test(event))).to.deep.equal([])
    expect((await honest.patch({})).body.state.connected).to.equal(true)
    await eventually(
      () => stage.sessions.stats().players,
      (players) => players === 1,
    )
  })

  function packets(reset = false) {
    return stage.sandbox.voice.packets(stage.guild.id, stage.botId, { reset })
  }

  async function heardMore(count: number): Promise<void> {
    const { packets: from } = await packets()
    await eventually(packets, (now) => now.packets >= from + count)
  }

  function ask(method: string, path: string, body?: unknown): Promise<LavalinkAnswer> {
    return stage.call(method, path, { password: passwords.other, ...(body !== undefined && { body }) })
  }

  it('gets no more players than its plan allows, however many it asks for', async () => {
    const statuses = await flood(200, (number) => hostile.patch({ volume: 1 }, { guildId: guildOf(number) }))
    expect(statuses).to.deep.equal({ 200: 5, 403: 195 })
    const { body } = await hostile.patch({}, { guildId: guildOf(999) })
    expect(body.message).to.match(/^Player limit reached \(5\)/)
  })

  it('sees and touches no session of another project, in whatever way it asks', async () => {
    const { id } = honest
    const path = `/v4/sessions/${id}`
    const answers = await Promise.all([
      ask('GET', `${path}/players`),
      ask('GET', `${path}/players/${stage.guild.id}`),
      ask('PATCH', `${path}/players/${stage.guild.id}`, { track: { encoded: null } }),
      ask('DELETE', `${path}/players/${stage.guild.id}`),
      ask('PATCH', path, { resuming: true, timeout: 1 }),
      ask('GET', `/v4/sessions/${id.toUpperCase()}/players`),
      ask('GET', `/v4/sessions/..%2F${id}/players`),
    ])
    expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 404))
    expect((await ask('GET', `/v4/sessions/${hostile.id}/players`)).body).to.deep.equal([])
    // The guild of the honest player, by a bot of its own.
    await hostile.patch({ track: { encoded: tokenOf('B') }, voice: stage.enter(stage.cabin, stage.otherBotId) })
    await hostile.told(['TrackStartEvent B'])
    await stage.call('DELETE', hostile.player(), { password: passwords.other })
    expect((await stage.call('GET', honest.player())).body.track.info.title).to.equal('A')
    expect(hostile.messages.some(({ track }) => track?.info.title === 'A')).to.equal(false)
  })

  it('cannot take the credentials of another bot for its own', async () => {
    const { endpoint } = stage.sandbox.voice
    const guessed = { endpoint, channelId: stage.pier, sessionId: 'guessed', token: 'guessed' }
    await hostile.patch({ voice: guessed, track: { encoded: tokenOf('B') } })
    const closed = await hostile.message(({ type }) => type === 'WebSocketClosedEvent')
    expect(closed.code).to.be.within(4000, 4999)
  })

  it('is answered in its own words where a body, a name or a number is too large', async () => {
    const path = hostile.player()
    const userData = { text: 'x'.repeat(17_000) }
    const bodies: readonly (readonly [unknown, number])[] = [
      [{ track: { encoded: tokenOf('B'), userData } }, 400],
      [{ track: { identifier: 'x'.repeat(2049) } }, 400],
      [{ track: { encoded: 'x'.repeat(40_000) } }, 400],
      [{ filters: { equalizer: Array.from({ length: 101 }, () => ({ band: 3 })) } }, 400],
      [{ filters: { timescale: { speed: 0 } } }, 400],
      [{ filters: { volume: 1e308 } }, 400],
      [{ voice: { token: 't', endpoint: '127.0.0.1:6379', sessionId: 's', channelId: '1' } }, 400],
      [{ volume: 1e300 }, 400],
      ['x'.repeat(MIB), 400],
    ]
    for (const [body, status] of bodies) {
      const answer = await ask('PATCH', path, body)
      expect(answer.status, JSON.stringify(body).slice(0, 60)).to.equal(status)
      expect(answer.body.message).to.be.a('string').and.not.equal('')
    }
    expect((await ask('GET', `/v4/loadtracks?identifier=${'x'.repeat(3000)}`)).status).to.equal(400)
  })

  it('floods with settings, seeks and tracks, and starves no other player', async () => {
    await hostile.patch({ track: { encoded: tokenOf('B') }, voice: stage.enter(stage.cabin, stage.otherBotId) })
    const wishes = [
      (turn: number) => ({ filters: { timescale: { rate: 0.5 + (turn % 50) / 10 } } }),
      (turn: number) => ({ position: (turn * 7919) % 60_000 }),
      (turn: number) => ({ track: { encoded: tokenOf(`C${turn}`) } }),
      (turn: number) => ({ volume: turn % 1000, paused: turn % 2 === 0 }),
      (turn: number) => ({ track: { encoded: tokenOf('broken') }, filters: { lowPass: {} }, position: turn }),
    ]
    const statuses = await flood(250, (turn) => hostile.patch(wishes[turn % wishes.length]!(turn)))
    expect(statuses).to.deep.equal({ 200: 250 })
  })

  it('reads nothing of what it is sent, and loses its socket before that costs memory', async () => {
    const userData = { text: 'x'.repeat(15_000) }
    hostile.socket.pause()
    await flood(500, (turn) => hostile.patch({ track: { encoded: tokenOf(`D${turn}`), userData } }))
    await eventually(
      () => [...stage.sessions.all()].find(({ id }) => id === hostile.id)?.isOnline ?? false,
      (isOnline) => !isOnline,
    )
  })

  it('sends garbage over its socket, which ends that socket alone', async () => {
    for (const data of ['{', '[]', 'null', '\u0000', Buffer.alloc(1000, 255)]) hostile.socket.send(data)
    expect((await hostile.patch({ volume: 7 })).status).to.equal(200)
    // Neither masked nor of a known kind.
    const wire = (hostile.socket as unknown as { _socket: { write(data: Buffer): void } })._socket
    wire.write(Buffer.from([0x8f, 0x7f, 255, 255, 255, 255, 255, 255, 255, 255]))
    expect((await hostile.closed()).code).to.be.oneOf([1002, 1006, 1009])
  })
})
