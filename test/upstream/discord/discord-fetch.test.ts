import { expect } from 'chai'
import { createDiscordFetch, type DiscordCaller } from '../../../upstream/discord/discord-fetch.ts'

const API = 'https://discord.test/api/v10'

/** Discord answers what the test says; the hands of the clock are the test's. */
function stage() {
  const clock = { nowMs: 1_000_000 }
  const discord = { status: 200, headers: {} as Record<string, string>, calls: 0 }
  const fetchFor = createDiscordFetch(
    async () => {
      discord.calls += 1
      return new Response(null, { status: discord.status, headers: discord.headers })
    },
    () => clock.nowMs,
  )
  const call = async (by: DiscordCaller, { path = '/users/@me', token = 'Bot one', api = API } = {}) => {
    const before = discord.calls
    const answer = await fetchFor(by)(`${api}${path}`, { headers: { authorization: token } })
    return { status: answer.status, wasSent: discord.calls > before, retryAfter: answer.headers.get('retry-after') }
  }
  const answer = (status: number, headers: Record<string, string> = {}) => Object.assign(discord, { status, headers })
  return { clock, call, answer }
}

describe('calls to Discord', () => {
  it('wait together after a 429 from before Discord, whoever got it', async () => {
    const { clock, call, answer } = stage()
    answer(429, { 'retry-after': '30' })
    await call('stranger', { path: '/oauth2/token', token: 'Basic x' })
    answer(200)
    const held = { status: 429, wasSent: false, retryAfter: '30' }
    expect(await call('bot')).to.deep.equal(held)
    expect(await call('person', { token: 'Bearer x' })).to.deep.equal(held)
    clock.nowMs += 30_000
    expect((await call('stranger', { token: 'Basic x' })).wasSent, 'strangers come last').to.equal(false)
    expect((await call('bot')).wasSent).to.equal(true)
    clock.nowMs += 1000
    expect((await call('stranger', { token: 'Basic x' })).wasSent).to.equal(true)
  })

  it('of one bot wait for its global limit, and those of other bots do not', async () => {
    const { call, answer } = stage()
    answer(429, { 'retry-after': '2', 'x-ratelimit-global': 'true', 'x-ratelimit-scope': 'global' })
    await call('bot', { path: '/channels/1' })
    answer(200)
    expect((await call('bot', { path: '/users/@me' })).wasSent).to.equal(false)
    expect((await call('bot', { token: 'Bot two' })).wasSent).to.equal(true)
  })

  it('wait for the global limit of the address where no bot is named', async () => {
    const { call, answer } = stage()
    answer(429, { 'retry-after': '2', 'x-ratelimit-global': 'true' })
    await call('stranger', { path: '/oauth2/token', token: 'Basic x' })
    answer(200)
    expect((await call('bot')).wasSent).to.equal(false)
  })

  it('of one route wait for the limit of that route alone', async () => {
    const { call, answer } = stage()
    answer(429, { 'retry-after': '0.5', 'x-ratelimit-scope': 'user' })
    await call('bot', { path: '/channels/1' })
    answer(200)
    expect(await call('bot', { path: '/channels/1' })).to.deep.equal({ status: 429, wasSent: false, retryAfter: '1' })
    expect((await call('bot', { path: '/channels/2' })).wasSent).to.equal(true)
  })

  it('share one count of invalid answers: strangers stop first, signed-in people next, bots before the ban', async () => {
    const { clock, call, answer } = stage()
    const invalid = async (by: DiscordCaller, most: number) => {
      for (let sent = 0; sent < most; sent += 1) if (!(await call(by)).wasSent) return sent
      return most
    }
    answer(401)
    expect(await invalid('stranger', 20_000)).to.equal(1000)
    answer(403)
    expect(await invalid('person', 20_000)).to.equal(3000)
    clock.nowMs += 60_000
    expect(await invalid('bot', 20_000)).to.equal(5000)
    answer(200)
    clock.nowMs += 550_000
    expect((await call('bot')).wasSent, 'the first answers are older than ten minutes').to.equal(true)
    expect((await call('person')).wasSent).to.equal(false)
    clock.nowMs += 70_000
    expect((await call('stranger')).wasSent).to.equal(true)
  })

  it('count neither a shared limit nor a good answer, and one Discord apart from another', async () => {
    const { call, answer } = stage()
    answer(404)
    for (let at = 0; at < 1500; at += 1) await call('stranger')
    answer(429, { 'retry-after': '0', 'x-ratelimit-scope': 'shared' })
    for (let at = 0; at < 1500; at += 1) await call('person')
    answer(401)
    expect((await call('stranger', { path: '/other' })).wasSent).to.equal(true)
    for (let at = 0; at < 1000; at += 1) await call('person', { path: '/other' })
    expect((await call('stranger', { path: '/other' })).wasSent).to.equal(false)
    expect((await call('stranger', { api: 'http://127.0.0.1:1/api/v10' })).wasSent).to.equal(true)
  })

  it('wait five seconds where an answer names no time, and an hour at most', async () => {
    const { clock, call, answer } = stage()
    answer(429)
    await call('bot')
    expect((await call('bot')).retryAfter).to.equal('5')
    clock.nowMs += 5000
    answer(429, { 'retry-after': '99999999999' })
    await call('bot')
    expect((await call('bot')).retryAfter).to.equal('3600')
  })
})
