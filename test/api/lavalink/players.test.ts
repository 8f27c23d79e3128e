import { expect } from 'chai'
import { passwords, startLavalink, tokenOf, type LavalinkStage } from '../../support/lavalink.ts'
import type { ClientSession } from '../../support/lavalink-client.ts'

const GUILD = '817327181659111454'

describe('players of a Lavalink node', () => {
  let stage: LavalinkStage
  let session: ClientSession
  let otherPlayers = 0

  before(async () => {
    stage = await startLavalink({ otherPlayers: () => otherPlayers })
  })

  after(() => stage.close())

  beforeEach(async () => {
    otherPlayers = 0
    stage.opened.splice(0)
    session = await stage.connect()
  })

  afterEach(async () => {
    session.socket.close()
    await session.closed()
  })

  const read = async (guildId?: string) => stage.call('GET', session.player(guildId))

  it('begin with the first request, silent and without voice', async () => {
    expect((await read()).status).to.equal(404)
    const { status, body } = await session.patch({})
    expect(status).to.equal(200)
    const { state, ...player } = body
    expect(player).to.deep.equal({
      guildId: stage.guild.id,
      track: null,
      volume: 100,
      paused: false,
      voice: { token: '', endpoint: '', sessionId: '', channelId: null },
      filters: {},
    })
    expect({ ...state, time: 0 }).to.deep.equal({ time: 0, position: 0, connected: false, ping: -1 })
    expect((await stage.call('GET', `/v4/sessions/${session.id}/players`)).body).to.have.length(1)
  })

  describe('tell of a track', () => {
    it('that it starts, before the request is answered, then where it is', async () => {
      const encoded = tokenOf('A')
      const { body } = await session.patch({ track: { encoded, userData: { by: 'Mira' } }, position: 5000 })
      expect(body.track).to.include({ encoded })
      expect(body.track.userData).to.deep.equal({ by: 'Mira' })
      expect([body.track.info.position, body.state.position]).to.deep.equal([5000, 5000])
      await session.message(({ op }) => op === 'playerUpdate')
      const begin = session.messages.findLastIndex(({ type }) => type === 'TrackStartEvent')
      const [start, update] = session.messages.slice(begin)
      expect(start).to.deep.include({ op: 'event', type: 'TrackStartEvent', guildId: stage.guild.id })
      expect(start.track).to.deep.equal(body.track)
      expect(update.state.position).to.equal(5000)
    })

    it('that it was replaced before the next one starts, and that it was stopped', async () => {
      await session.patch({ track: { encoded: tokenOf('A') } })
      await session.patch({ encodedTrack: tokenOf('B') })
      await session.patch({ track: { encoded: null } })
      await session.told([
        'TrackStartEvent A',
        'TrackEndEvent A replaced',
        'TrackStartEvent B',
        'TrackEndEvent B stopped',
      ])
      expect((await read()).body.track).to.equal(null)
    })

    it('nothing where it is kept by noReplace, which other settings do not mind', async () => {
      await session.patch({ track: { encoded: tokenOf('A') } })
      const query = '?noReplace=true'
      const { status, body } = await session.patch(
        { track: { encoded: tokenOf('B') }, paused: true, volume: 40 },
        { query },
      )
      expect(status).to.equal(200)
      expect([body.track.info.title, body.paused, body.volume]).to.deep.equal(['A', false, 40])
      await session.patch({ track: { encoded: null } }, { query })
      await session.told(['TrackStartEvent A'])
      await session.patch({ track: { encoded: tokenOf('B') } }, { query: '?noReplace=false' })
      await session.told(['TrackStartEvent A', 'TrackEndEvent A replaced', 'TrackStartEvent B'])
    })

    it('why it did not load, then that it ended', async () => {
      stage.enter()
      for (const name of ['gone', 'broken']) await session.patch({ track: { encoded: tokenOf(name) } })
      const told = ['gone', 'broken'].flatMap((name) => [
        `TrackStartEvent ${name}`,
        `TrackExceptionEvent ${name}`,
        `TrackEndEvent ${name} loadFailed`,
      ])
      await session.told(told)
      const { exception } = await session.message(({ type }) => type === 'TrackExceptionEvent')
      expect(exception).to.include({ message: 'The file is gone.', severity: 'common' })
      expect((await read()).body.track).to.equal(null)
    })

    it('that it was stopped when the player is destroyed', async () => {
      await session.patch({ track: { encoded: tokenOf('A') } })
      const { status, body } = await stage.call('DELETE', session.player())
      expect([status, body]).to.deep.equal([204, ''])
      await session.told(['TrackStartEvent A', 'TrackEndEvent A stopped'])
      expect((await read()).status).to.equal(404)
      expect((await stage.call('DELETE', session.player())).status).to.equal(204)
    })
  })

  it('find a track by its identifier, and refuse what is not exactly one', async () => {
    const { body } = await session.patch({ track: { identifier: 'A', userData: { n: 1 } } })
    expect([body.track.info.title, body.track.userData]).to.deep.equal(['A', { n: 1 }])
    expect((await session.patch({ identifier: 'B' })).body.track.info.title).to.equal('B')
    expect((await session.patch({ track: { identifier: 'nothing' } })).status).to.equal(400)
    expect((await read()).body.track.info.title).to.equal('B')
  })

  it('change what their track carries without touching it', async () => {
    await session.patch({ track: { encoded: tokenOf('A'), userData: { a: 1 } } })
    const { body } = await session.patch({ track: { userData: { b: [2] } } })
    expect(body.track.userData).to.deep.equal({ b: [2] })
    await session.patch({ track: { encoded: null } })
    expect(session.messages.find(({ type }) => type === 'TrackEndEvent').track.userData).to.deep.equal({ b: [2] })
    await session.told(['TrackStartEvent A', 'TrackEndEvent A stopped'])
  })

  it('bring a volume into its range, and keep filters as they were sent', async () => {
    for (const [asked, kept] of [
      [0, 0],
      [55, 55],
      [1000, 1000],
      [1001, 1000],
      [-5, 0],
    ]) {
      expect((await session.patch({ volume: asked })).body.volume).to.equal(kept)
    }
    const filters = { timescale: { speed: 1.5, pitch: 1, rate: 1 } }
    expect((await session.patch({ filters })).body.filters).to.deep.equal(filters)
    expect((await session.patch({ filters: {} })).body.filters).to.deep.equal({})
  })

  it('refuse what Lavalink refuses with 400, and are not made by it', async () => {
    const encoded = tokenOf('A')
    const voice = { token: 't', endpoint: 'localhost:1', sessionId: 's', channelId: '1' }
    const bodies = [
      { track: { encoded }, encodedTrack: encoded },
      { track: { encoded }, identifier: 'A' },
      { track: { encoded, identifier: 'A' } },
      { encodedTrack: encoded, identifier: 'A' },
      { track: { encoded: 'garbage' } },
      { endTime: 0 },
      { endTime: -5 },
      { volume: 'loud' },
      { volume: null },
      { paused: 'maybe' },
      { position: 1.5 },
      { track: null },
      { track: { userData: 'text' } },
      { track: { userData: { text: 'x'.repeat(17_000) } } },
      { filters: [] },
      { voice: 'here' },
      ...Object.keys(voice).flatMap((name) => [
        { voice: { ...voice, [name]: undefined } },
        { voice: { ...voice, [name]: '' } },
        { voice: { ...voice, [name]: null } },
      ]),
      '{"volume":',
      '[]',
      '',
      `{"surprise":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    ]
    for (const body of bodies) {
      const { status } = await session.patch(body)
      expect(status, JSON.stringify(body).slice(0, 100)).to.equal(400)
    }
    expect((await read()).status).to.equal(404)
    for (const guildId of ['none', '0', '-1']) expect((await read(guildId)).status).to.equal(400)
    expect((await session.patch({}, { query: '?noReplace=perhaps' })).status).to.equal(400)
    expect((await session.patch({ surprise: 1 })).status).to.equal(200)
  })

  describe('that were destroyed', () => {
    it('are not brought back by what comes late, which is answered all the same', async () => {
      await session.patch({ volume: 20, track: { encoded: tokenOf('A') } })
      await stage.call('DELETE', session.player())
      for (const body of [{ track: { encoded: null } }, { paused: true }, { track: { encoded: tokenOf('B') } }]) {
        expect((await session.patch(body)).status).to.equal(200)
      }
      expect((await read()).status).to.equal(404)
      expect((await stage.call('GET', `/v4/sessions/${session.id}/players`)).body).to.deep.equal([])
      await session.told(['TrackStartEvent A', 'TrackEndEvent A stopped'])
    })

    it('come back with voice, as new ones, with what was said meanwhile', async () => {
      await session.patch({ volume: 20, paused: true, filters: { volume: 0.5 } })
      await stage.call('DELETE', session.player())
      const { body } = await session.patch({})
      expect([body.volume, body.paused, body.filters]).to.deep.equal([100, false, {}])
      await session.patch({ volume: 60, track: { encoded: tokenOf('B') } })
      await session.told([])
      const back = await session.patch({ voice: stage.enter() })
      expect([back.body.volume, back.body.track.info.title]).to.deep.equal([60, 'B'])
      await session.told(['TrackStartEvent B'])
      expect((await read()).status).to.equal(200)
    })
  })

  it('of two bots in one guild know nothing of one another', async () => {
    const other = await stage.connect({ userId: stage.otherBotId })
    await session.patch({ track: { encoded: tokenOf('A') }, volume: 10 })
    await other.patch({ track: { encoded: tokenOf('B') }, volume: 20 })
    await session.patch({ track: { encoded: null } })
    await session.told(['TrackStartEvent A', 'TrackEndEvent A stopped'])
    await other.told(['TrackStartEvent B'])
    expect((await stage.call('GET', other.player())).body.volume).to.equal(20)
    other.socket.close()
    await other.closed()
  })

  it('count for the plan of their project together with those of its own bots, until they end', async () => {
    const other = await stage.connect({ password: passwords.other })
    otherPlayers = 3
    const guildIds = Array.from({ length: 3 }, (_, at) => `${GUILD.slice(0, -1)}${at}`)
    const statuses = []
    for (const guildId of guildIds) statuses.push((await other.patch({}, { guildId })).status)
    expect(statuses).to.deep.equal([200, 200, 403])
    await stage.call('DELETE', other.player(guildIds[0]), { password: passwords.other })
    expect((await other.patch({}, { guildId: guildIds[2]! })).status).to.equal(200)
    other.socket.close()
    await other.closed()
    const next = await stage.connect({ password: passwords.other })
    expect((await next.patch({}, { guildId: GUILD })).status).to.equal(200)
    next.socket.close()
    await next.closed()
  })
})
