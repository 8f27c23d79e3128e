import { expect } from 'chai'
import { passwords, startLavalink, tokenOf, type LavalinkStage } from '../../support/lavalink.ts'

const GUILD = '817327181659111454'

const ONE_ADDRESS =
  "Can't access disabled route planner: requests to music sites go out from one address, within a budget for each site."

describe('answers of a Lavalink node', () => {
  let stage: LavalinkStage

  before(async () => {
    stage = await startLavalink()
  })

  after(() => stage.close())

  it('refuse who sends no password with 401 and who sends a wrong one with 403', async () => {
    for (const path of ['/v4/stats', '/version', '/v4/nothing', '/v4/sessions/1/players']) {
      expect((await stage.call('GET', path, { password: null })).status, path).to.equal(401)
      expect((await stage.call('GET', path, { password: 'wrong' })).status, path).to.equal(403)
    }
    expect((await stage.call('GET', '/v4/stats', { password: passwords.images })).status).to.equal(403)
    expect((await stage.call('GET', '/v4/stats', { password: `Bearer ${passwords.one}` })).status).to.equal(200)
  })

  it('name the version of the API, also on refusals', async () => {
    const answers = [
      await stage.call('GET', '/v4/stats'),
      await stage.call('GET', '/v4/nothing'),
      await stage.call('GET', '/v4/stats', { password: null }),
    ]
    for (const { headers } of answers) expect(headers.get('lavalink-api-version')).to.equal('4')
  })

  it('have the content types of Lavalink to the letter, which clients compare', async () => {
    const typeOf = async (...call: Parameters<LavalinkStage['call']>) =>
      (await stage.call(...call)).headers.get('content-type')
    const session = await stage.connect()
    const player = `/v4/sessions/${session.id}/players/${GUILD}`
    expect(await typeOf('PATCH', player, { body: { track: { encoded: tokenOf('A') } } })).to.equal('application/json')
    const json = [
      await typeOf('GET', '/v4/info'),
      await typeOf('GET', '/v4/stats'),
      await typeOf('GET', player),
      await typeOf('GET', `/v4/decodetrack?encodedTrack=${encodeURIComponent(tokenOf('A'))}`),
      await typeOf('PATCH', `/v4/sessions/${session.id}`, { body: { resuming: true, timeout: 60 } }),
      // Refusals of the password, of the path, of the verb, of the input, and of HTTP itself.
      await typeOf('GET', '/v4/stats', { password: null }),
      await typeOf('GET', '/v4/stats', { password: 'wrong' }),
      await typeOf('GET', '/v4/nothing'),
      await typeOf('PUT', '/v4/stats'),
      await typeOf('GET', '/v4/loadtracks'),
      await typeOf('GET', `/v4/loadtracks?identifier=${'x'.repeat(140_000)}`),
    ]
    expect(new Set(json)).to.deep.equal(new Set(['application/json']))
    expect(await typeOf('DELETE', player)).to.equal(null)
  })

  it('say what is wrong, and where in our code it was noticed when they are asked', async () => {
    const { status, body } = await stage.call('GET', '/v4/sessions/none/players?trace=false')
    expect(status).to.equal(404)
    expect({ ...body, timestamp: 0 }).to.deep.equal({
      timestamp: 0,
      status: 404,
      error: 'Not Found',
      message: 'Session not found',
      path: '/v4/sessions/none/players',
    })
    const { trace } = (await stage.call('GET', '/v4/sessions/none/players?trace=true')).body
    expect(trace).to.match(/^Fault: Session not found\n {4}at .*lavalink\/sessions\/sessions\.ts:\d+/)
    expect(trace).to.not.include(process.cwd())
  })

  it('know HEAD and OPTIONS, and tell a wrong verb from a wrong path', async () => {
    const head = await stage.call('HEAD', '/v4/stats')
    expect([head.status, head.body]).to.deep.equal([200, ''])
    const options = await stage.call('OPTIONS', '/v4/sessions/none/players/1')
    expect(options.status).to.equal(200)
    expect(options.headers.get('allow')).to.equal('HEAD, GET, PATCH, DELETE, OPTIONS')
    const wrong = await stage.call('PUT', '/v4/stats')
    expect([wrong.status, wrong.body.error]).to.deep.equal([405, 'Method Not Allowed'])
    expect((await stage.call('GET', '/v4')).status).to.equal(404)
  })

  it('have the same form where HTTP itself refuses', async () => {
    const { status, body } = await stage.call('GET', `/v4/loadtracks?identifier=${'x'.repeat(140_000)}`)
    expect([status, body.path]).to.deep.equal([414, '/v4/loadtracks'])
  })

  it('have no route planner', async () => {
    expect((await stage.call('GET', '/v4/routeplanner/status')).status).to.equal(204)
    for (const path of ['free/all', 'free/address']) {
      const { status, body } = await stage.call('POST', `/v4/routeplanner/${path}`, { body: { address: '1.0.0.1' } })
      expect([status, body.message], path).to.deep.equal([500, ONE_ADDRESS])
    }
  })

  it('count the players of all sessions', async () => {
    const sessions = [await stage.connect(), await stage.connect({ password: passwords.other })]
    await sessions[0]!.patch({ track: { encoded: tokenOf('A') } })
    await sessions[0]!.patch({ track: { encoded: tokenOf('B') }, paused: true }, { guildId: GUILD })
    await sessions[1]!.patch({})
    const { body } = await stage.call('GET', '/v4/stats')
    expect(body).to.deep.include({ players: 3, playingPlayers: 1, frameStats: null })
  })

  it('slow down who guesses passwords, and go on for clients with the right one', async () => {
    await stage.call('GET', '/v4/stats')
    const guess = (at: number) => stage.call('GET', '/v4/stats', { password: `guess ${at}` })
    const statuses: number[] = []
    for (let at = 0; at < 40; at += 1) statuses.push((await guess(at)).status)
    expect(statuses.filter((status) => status === 403).length).to.be.within(1, 25)
    const refused = await guess(41)
    expect([refused.status, refused.body.status]).to.deep.equal([429, 429])
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 5)
    expect((await stage.call('GET', '/v4/stats')).status).to.equal(200)
    expect((await stage.call('GET', '/v4/stats', { password: passwords.oneToo })).status, 'not looked at').to.equal(429)
  })
})
