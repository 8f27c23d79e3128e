import { Readable } from 'node:stream'
import { expect } from 'chai'
import type { Dispatcher } from 'undici'
import {
  createDiscordFetch,
  createDiscordGate,
  guardDiscord,
  type DiscordCaller,
} from '../../../upstream/discord/discord-fetch.ts'
import { post } from '../../../api/webhooks/http-post.ts'

const API = 'https://discord.test/api/v10'

/** Discord answers what the test says; the hands of the clock are the test's. */
function stage() {
  const clock = { nowMs: 1_000_000 }
  const discord = { status: 200, headers: {} as Record<string, string>, calls: 0 }
  const gate = createDiscordGate(() => clock.nowMs)
  const fetchFor = createDiscordFetch(async () => {
    discord.calls += 1
    return new Response(null, { status: discord.status, headers: discord.headers })
  }, gate)
  const call = async (by: DiscordCaller, { path = '/users/@me', token = 'Bot one', api = API } = {}) => {
    const before = discord.calls
    const answer = await fetchFor(by)(`${api}${path}`, { headers: { authorization: token } })
    return { status: answer.status, wasSent: discord.calls > before, retryAfter: answer.headers.get('retry-after') }
  }
  const answer = (status: number, headers: Record<string, string> = {}) => Object.assign(discord, { status, headers })
  const dispatcher = guardDiscord(
    {
      async request() {
        discord.calls += 1
        const { status: statusCode, headers } = discord
        return { statusCode, headers, body: Readable.from(['{}']) }
      },
    } as unknown as Dispatcher,
    gate,
  )
  const deliver = async (url: string) => {
    const before = discord.calls
    const signal = AbortSignal.timeout(5000)
    const options = { dispatcher, now: () => clock.nowMs, deadlineMs: 1000, signal }
    const posted = await post({ url, headers: {}, body: '{}' }, options)
    return { status: posted?.status, wasSent: discord.calls > before, retryAfterMs: posted?.retryAfterMs }
  }
  return { clock, call, answer, deliver }
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

  it('include deliveries of webhooks that lead to Discord, which stop before all others', async () => {
    const hook = 'https://discord.com/api/webhooks/1/token'
    const api = 'https://discord.com/api/v10'
    const { clock, call, answer, deliver } = stage()
    answer(429, { 'retry-after': '30' })
    expect(await deliver('https://canary.discordapp.com/api/webhooks/1/token')).to.include({ wasSent: true })
    expect((await call('bot', { api })).wasSent, 'a bot waits, too').to.equal(false)
    expect(await deliver(hook)).to.deep.equal({ status: 429, wasSent: false, retryAfterMs: 31_000 })
    expect((await deliver('https://example.org/discord.com')).wasSent, 'another host').to.equal(true)
    clock.nowMs += 31_000
    answer(401)
    for (let at = 0; at < 600; at += 1) await deliver(hook)
    expect((await deliver(hook)).wasSent).to.equal(false)
    expect((await call('stranger', { api })).wasSent).to.equal(true)
  })
})
