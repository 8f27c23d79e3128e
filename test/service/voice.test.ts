import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { HearingReport } from 'bandstand-sandbox/voice'
import { eventually, startService, type Answer, type RunningService } from '../support/service.ts'

/** The whole way: the API, the bot, Discord's sockets, encryption, and a member who listens. */
describe('a call that continues', () => {
  let service: RunningService
  let listenerId: string

  before(async () => {
    service = await startService({ env: { PLAYER_ALONE_SECONDS: '600' } })
    const { body } = await service.sandbox('GET', `/sandbox/guilds/${service.demo.guildId}`)
    const states: { userId: string; channelId: string; connected: boolean }[] = body.voiceStates
    listenerId = states.find((it) => it.channelId === service.demo.voiceChannelId && it.connected)!.userId
  })
  after(() => service.stop())

  const music = (method: string, path: string, body?: unknown) =>
    service.call(method, `/v1/music/guilds/${service.demo.guildId}${path}`, { body })
  const member = (id: string) => `/sandbox/guilds/${service.demo.guildId}/members/${id}`
  const positionMs = async (): Promise<number> => (await music('GET', '/player')).body.data.positionMs
  async function hearing(reset = false): Promise<HearingReport> {
    return (await service.sandbox('GET', `${member(listenerId)}/hearing${reset ? '?reset=true' : ''}`)).body
  }

  /** Plays a track from its beginning and waits until it is heard. */
  async function playing(query: string): Promise<void> {
    await music('DELETE', '/player')
    await service.sandbox('POST', `${member(listenerId)}/join`, { channelId: service.demo.voiceChannelId })
    await hearing(true)
    const { status, body } = await music('POST', '/play', { query, channelId: service.demo.voiceChannelId })
    expect(status, JSON.stringify(body)).to.equal(200)
    await eventually(
      () => hearing(),
      ({ decrypted }) => decrypted > 25,
    )
  }

  it('is decrypted by the listener: at least 99.5 % of 20 s, and nothing fails after the first second', async () => {
    await playing('tin robot lullaby')
    // The last 20 s of it are left.
    await music('PATCH', '/player', { positionMs: 42_200 })
    await eventually(
      async () => (await music('GET', '/player')).body.data.current,
      (current) => current === null,
    )
    const heard = await hearing()
    // A frame is 20 ms; what is quiet enough to be a silence frame was never encrypted.
    expect(heard.decrypted).to.be.at.least(0.995 * 1000)
    expect(heard.clear).to.equal(0)
    const failedLate = heard.lastFailedAtMs !== null && heard.lastFailedAtMs > heard.firstHeardAtMs! + 1000
    expect(failedLate, JSON.stringify(heard)).to.equal(false)
  })

  const disturbances: readonly { what: string; disturb: () => Promise<Answer>; follow?: boolean }[] = [
    {
      what: 'Discord closing the voice socket with 4015',
      disturb: () => service.sandbox('POST', `${member(service.demo.botId)}/voice-socket`, { code: 4015 }),
    },
    {
      what: 'Discord closing the voice socket with 4006',
      disturb: () => service.sandbox('POST', `${member(service.demo.botId)}/voice-socket`, { code: 4006 }),
    },
    {
      what: 'a TCP connection that drops',
      disturb: () => service.sandbox('POST', `${member(service.demo.botId)}/voice-socket`, { drop: true }),
    },
    {
      what: 'a gateway that asks for a reconnect',
      disturb: () =>
        service.sandbox('POST', `/sandbox/applications/${service.demo.botId}/gateway`, { action: 'reconnect' }),
    },
    {
      what: 'being pulled to the second channel',
      follow: true,
      disturb: () =>
        service.sandbox('POST', `${member(service.demo.botId)}/move`, { channelId: service.demo.secondVoiceChannelId }),
    },
  ]
  for (const { what, disturb, follow } of disturbances) {
    it(`survives ${what}: silence under 2 s, position kept`, async () => {
      await playing('harbour lights')
      await sleep(500)
      const before = await positionMs()
      const at = performance.now()
      expect((await disturb()).status).to.be.below(300)
      if (follow)
        await service.sandbox('POST', `${member(listenerId)}/move`, { channelId: service.demo.secondVoiceChannelId })
      await hearing(true)
      await eventually(
        () => hearing(),
        ({ decrypted }) => decrypted > 50,
      )
      const heard = await hearing()
      const elapsed = performance.now() - at
      const soundMs = (heard.decrypted + heard.silence) * 20
      expect(elapsed - soundMs, 'silence').to.be.below(2000)
      const gone = (await positionMs()) - before
      expect(gone).to.be.within(elapsed - 2000, elapsed + 500)
      const { body } = await music('GET', '/player')
      expect(body.data.channelId).to.equal(follow ? service.demo.secondVoiceChannelId : service.demo.voiceChannelId)
    })
  }

  for (const code of [4017, 4021, 4022]) {
    it(`ends with playerClosed when voice closes with ${code}, after at most 5 attempts to join`, async () => {
      await playing('harbour lights')
      await service.sandbox('POST', `${member(service.demo.botId)}/voice-socket`, { code })
      await eventually(
        async () => (await music('GET', '/player')).status,
        (status) => status === 404,
      )
    })
  }

  it('ends with playerClosed `disconnected` when the bot is thrown out (4014) and nothing new comes', async () => {
    await playing('harbour lights')
    await service.sandbox('POST', `${member(service.demo.botId)}/disconnect`, { code: 4014 })
    await eventually(
      async () => (await music('GET', '/player')).status,
      (status) => status === 404,
    )
  })
})
