import { expect } from 'chai'
import { passwords, startLavalink, tokenOf, type LavalinkStage } from '../../support/lavalink.ts'
import { Refusal, type ClientSession } from '../../support/lavalink-client.ts'
import { createHandClock, settle, type HandClock } from '../../support/manual-clock.ts'
import { eventually } from '../../support/service.ts'

const GUILD = '817327181659111454'

describe('sessions of a Lavalink node', () => {
  let stage: LavalinkStage
  let clock: HandClock
  const opened: ClientSession[] = []

  before(async () => {
    clock = createHandClock(1_800_000_000_000)
    stage = await startLavalink({ clock })
  })

  after(() => stage.close())

  afterEach(async () => {
    for (const name of Object.keys(passwords)) stage.changeKey(name as keyof typeof passwords, { revokedAtMs: null })
    for (const { socket } of opened.splice(0)) socket.terminate()
    for (const session of stage.sessions.all()) session.update({ resuming: false })
    await eventually(
      async () => (await clock.advance(100_000), [...stage.sessions.all()].length),
      (count) => count === 0,
    )
  })

  async function connect(options?: Parameters<LavalinkStage['connect']>[0]): Promise<ClientSession> {
    const session = await stage.connect(options)
    opened.push(session)
    // The first stats come a moment after `ready`.
    await clock.advance(100)
    return session
  }

  async function refused(options: Parameters<LavalinkStage['connect']>[0]): Promise<Refusal> {
    const thrown = await connect(options).catch((error: unknown) => error)
    expect(thrown).to.be.instanceOf(Refusal)
    return thrown as Refusal
  }

  async function allowResuming({ id }: ClientSession, timeout = 60): Promise<void> {
    const { body } = await stage.call('PATCH', `/v4/sessions/${id}`, { body: { resuming: true, timeout } })
    expect(body).to.deep.equal({ resuming: true, timeout })
  }

  /** The connection is gone, and the node knows it. */
  async function lose({ id, socket }: ClientSession): Promise<void> {
    socket.terminate()
    await eventually(
      () => [...stage.sessions.all()].find((session) => session.id === id)?.isOnline ?? false,
      (isOnline) => !isOnline,
    )
  }

  const exists = async ({ id }: ClientSession): Promise<boolean> =>
    (await stage.call('GET', `/v4/sessions/${id}/players`)).status === 200

  describe('that begin', () => {
    it('are told their id first, then how the node fares, and are neither resumed nor kept', async () => {
      const session = await connect()
      await session.message(({ op }) => op === 'stats')
      expect(session.messages.map(({ op }) => op)).to.deep.equal(['ready', 'stats'])
      expect(session.resumed).to.equal(false)
      expect(session.headers).to.include({ 'session-resumed': 'false', 'lavalink-api-version': '4' })
      const { body } = await stage.call('PATCH', `/v4/sessions/${session.id}`, { body: {} })
      expect(body).to.deep.equal({ resuming: false, timeout: 60 })
    })

    it('need the password of a project, which may stand behind Bearer', async () => {
      expect(await refused({ password: `svc.${'00'.repeat(32)}` })).to.include({ status: 401 })
      expect(await refused({ password: passwords.images })).to.include({ status: 403 })
      expect(await refused({ password: passwords.elsewhere })).to.include({ status: 403 })
      stage.changeKey('oneToo', { revokedAtMs: 1 })
      expect(await refused({ password: passwords.oneToo })).to.include({ status: 401 })
      await connect({ password: `Bearer ${passwords.one}` })
    })

    it('need the user id of a bot', async () => {
      for (const userId of ['0', 'me', '']) expect(await refused({ userId })).to.include({ status: 400 })
    })

    it('are 20 of a project at most', async () => {
      for (let count = 0; count < 20; count += 1) await connect()
      expect(await refused({})).to.include({ status: 429 })
      await connect({ password: passwords.other })
    })

    it('have ids that say nothing of one another', async () => {
      const [one, other] = [await connect(), await connect()]
      expect(one.id).to.match(/^[0-9a-f]{32}$/)
      expect(one.id).to.not.equal(other.id)
    })
  })

  describe('that lose their socket', () => {
    it('end with their players unless they may resume', async () => {
      const session = await connect()
      await session.patch({})
      expect(await exists(session)).to.equal(true)
      session.socket.close()
      await eventually(
        () => exists(session),
        (isThere) => !isThere,
      )
    })

    it('resume with what they missed, in order and once', async () => {
      const session = await connect()
      await allowResuming(session)
      await session.patch({ track: { encoded: tokenOf('A') } })
      await session.told(['TrackStartEvent A'])
      await lose(session)
      await session.patch({ track: { encoded: tokenOf('B') } })
      await session.patch({ track: { encoded: null } })
      const back = await connect({ sessionId: session.id })
      expect(back.headers).to.include({ 'session-resumed': 'true' })
      expect([back.id, back.resumed]).to.deep.equal([session.id, true])
      await back.told(['TrackEndEvent A replaced', 'TrackStartEvent B', 'TrackEndEvent B stopped'])
      await back.message(({ op }) => op === 'stats')
      const kinds = back.messages.map(({ op }) => op)
      expect(kinds).to.deep.equal(['ready', 'event', 'event', 'event', 'playerUpdate', 'stats'])

      await lose(back)
      const again = await connect({ sessionId: session.id })
      await again.message(({ op }) => op === 'stats')
      expect(again.events()).to.deep.equal([])
    })

    it('keep the newest 1,000 events that their client missed', async () => {
      const session = await connect()
      await allowResuming(session)
      await lose(session)
      const kept = stage.sessions.get({ projectId: 'one', keyId: 'one', plan: 'scale' }, session.id)
      const event = { op: 'event', type: 'WebSocketClosedEvent', guildId: GUILD, reason: '', byRemote: true } as const
      for (let code = 3000; code < 4005; code += 1) kept.send({ ...event, code })
      const back = await connect({ sessionId: session.id })
      await back.message(({ code }) => code === 4004)
      const codes = back.messages.flatMap(({ code }) => (code === undefined ? [] : [code]))
      expect(codes).to.deep.equal(Array.from({ length: 1000 }, (_, at) => 3005 + at))
    })

    it('end when their time is over, also after they were resumed before', async () => {
      const session = await connect()
      await allowResuming(session, 7)
      await lose(session)
      await clock.advance(6900)
      const back = await connect({ sessionId: session.id })
      await clock.advance(60_000)
      expect(await exists(session)).to.equal(true)
      await lose(back)
      await clock.advance(7100)
      expect(await exists(session)).to.equal(false)
      expect(await connect({ sessionId: session.id })).to.include({ resumed: false })
    })

    it('do not resume for another bot or another project, which get new ones', async () => {
      const session = await connect()
      await allowResuming(session)
      await lose(session)
      for (const options of [{ userId: stage.otherBotId }, { password: passwords.other }]) {
        const other = await connect({ ...options, sessionId: session.id })
        expect(other.resumed).to.equal(false)
        expect(other.id).to.not.equal(session.id)
      }
      expect(await connect({ sessionId: session.id, password: passwords.oneToo })).to.include({ resumed: true })
    })

    it('do not resume while their socket answers, and do when it is silent', async () => {
      const session = await connect()
      await allowResuming(session)
      const other = await connect({ sessionId: session.id })
      expect(other.resumed).to.equal(false)
      expect(await exists(session)).to.equal(true)
      // A connection that is dead without a word: it reads nothing, so that no ping is answered.
      ;(session.socket as unknown as { _socket: { pause(): void } })._socket.pause()
      const back = await connect({ sessionId: session.id })
      expect([back.resumed, back.id]).to.deep.equal([true, session.id])
    })
  })

  describe('of others', () => {
    it('do not exist, whatever is asked of them', async () => {
      const session = await connect()
      await session.patch({})
      const path = `/v4/sessions/${session.id}`
      const { guild } = stage
      const asked = [
        ['GET', `${path}/players`],
        ['GET', `${path}/players/${guild.id}`],
        ['PATCH', `${path}/players/${guild.id}`],
        ['DELETE', `${path}/players/${guild.id}`],
        ['PATCH', path],
      ] as const
      for (const [method, at] of asked) {
        const options = { password: passwords.other, ...(method === 'PATCH' && { body: {} }) }
        const { status, body } = await stage.call(method, at, options)
        expect([status, body.message], `${method} ${at}`).to.deep.equal([404, 'Session not found'])
      }
      expect((await stage.call('GET', `${path}/players/${guild.id}`)).status).to.equal(200)
    })

    it('hear nothing of what happens in this one', async () => {
      const [session, same] = [await connect(), await connect()]
      const other = await connect({ password: passwords.other })
      await session.patch({ track: { encoded: tokenOf('A') } })
      await session.told(['TrackStartEvent A'])
      await other.patch({}, { guildId: GUILD })
      await settle()
      for (const { messages } of [same, other]) {
        expect(messages.filter(({ guildId }) => guildId === stage.guild.id)).to.deep.equal([])
      }
      expect((await stage.call('GET', `/v4/sessions/${same.id}/players`)).body).to.deep.equal([])
    })
  })

  it('end when their key stops working, and those of other keys do not', async () => {
    const [session, same] = [await connect({ password: passwords.oneToo }), await connect()]
    stage.changeKey('oneToo', { revokedAtMs: 1 })
    expect(await session.closed()).to.include({ code: 4001 })
    expect(await exists(session)).to.equal(false)
    expect(await exists(same)).to.equal(true)
  })

  it('are told how the node fares each minute, and where their players are each five seconds', async () => {
    const session = await connect()
    await session.patch({ track: { encoded: tokenOf('A') } })
    await session.patch({}, { guildId: GUILD })
    await session.told(['TrackStartEvent A'])
    const count = (name: string) => session.messages.filter(({ op }) => op === name).length
    const [stats, updates] = [count('stats'), count('playerUpdate')]
    for (let turn = 1; turn <= 12; turn += 1) {
      await clock.advance(5000)
      await eventually(
        () => count('playerUpdate'),
        (now) => now === updates + turn,
      )
    }
    await eventually(
      () => count('stats'),
      (now) => now === stats + 1,
    )
    const guilds = session.messages.filter(({ op }) => op === 'playerUpdate').map(({ guildId }) => guildId)
    expect(new Set(guilds)).to.deep.equal(new Set([stage.guild.id]))
  })

  it('ignore what clients send, up to 64 KiB a message and 1,000 messages in 10 s', async () => {
    const session = await connect()
    session.socket.send('{"op":"play","guildId":"1"}')
    session.socket.send('x'.repeat(64 * 1024))
    await session.patch({ volume: 30 })
    expect(session.socket.readyState).to.equal(session.socket.OPEN)
    const endless = await connect()
    for (let at = 0; at < 100; at++) endless.socket.send('x', { fin: false })
    expect(await endless.closed()).to.include({ code: 1008 })
    session.socket.send('x'.repeat(64 * 1024 + 1))
    expect(await session.closed()).to.include({ code: 1009 })
    const flood = await connect()
    for (let count = 0; count <= 1000; count += 1) flood.socket.send('{}')
    expect(await flood.closed()).to.include({ code: 1008 })
  })
})

describe('a Lavalink node that stops', () => {
  it('says 1001 to its sessions, after which clients come back', async () => {
    const stage = await startLavalink()
    const session = await stage.connect()
    await session.patch({ track: { encoded: tokenOf('A') } })
    await stage.api.close()
    expect(await session.closed()).to.include({ code: 1001 })
    await stage.close()
  })
})
