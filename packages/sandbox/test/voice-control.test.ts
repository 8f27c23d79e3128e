import { once } from 'node:events'
import tls from 'node:tls'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createAudioPlayer,
  createAudioResource,
  entersState,
  joinVoiceChannel,
  StreamType,
  VoiceConnectionStatus as Status,
  type AudioPlayer,
  type VoiceConnection,
} from '@discordjs/voice'
import { expect } from 'chai'
import { Readable } from 'node:stream'
import { createTone } from '../control/tone.ts'
import { connectMember } from 'bandstand-sandbox/voice'
import { Events, type Client } from 'discord.js'
import type { Sandbox } from 'bandstand-sandbox'
import { createCaller, logIn, openSandbox, type Rest } from './stage.ts'

describe('voice under the controls of the stand-in', () => {
  const trusted = tls.getCACertificates('default')
  let sandbox: Sandbox
  let client: Client<true>
  let call: Rest
  let guild: string
  let bot: string
  let connection: VoiceConnection
  let player: AudioPlayer

  before(async () => {
    sandbox = await openSandbox()
    tls.setDefaultCACertificates([...trusted, sandbox.certificate])
    client = await logIn(sandbox)
    call = createCaller(`${sandbox.url}/sandbox`)
    guild = `/guilds/${sandbox.demo.guildId}`
    bot = `${guild}/members/${client.user.id}`
    connection = join(sandbox.demo.voiceChannelId)
    await entersState(connection, Status.Ready, 5000)
    player = createAudioPlayer()
    connection.subscribe(player)
    const tone = await createTone({ seconds: 30, hz: 440 })
    player.play(createAudioResource(Readable.from(tone), { inputType: StreamType.Opus }))
  })
  after(async () => {
    player.stop(true)
    connection.destroy()
    await client.destroy()
    await sandbox.close()
    tls.setDefaultCACertificates(trusted)
  })

  function join(channelId: string): VoiceConnection {
    const place = client.guilds.cache.get(sandbox.demo.guildId)!
    return joinVoiceChannel({ guildId: place.id, channelId, adapterCreator: place.voiceAdapterCreator, selfDeaf: true })
  }

  /** Waits until fresh packets of the bot are heard end-to-end encrypted in its channel. */
  async function heard(memberId: string): Promise<void> {
    const path = `${guild}/members/${memberId}/hearing`
    await call('GET', `${path}?reset=true`)
    for (let i = 0; i < 100; i += 1) {
      const { body } = await call('GET', path)
      if (body.decrypted >= 10) return
      await sleep(50)
    }
    throw new Error(`nothing was heard: ${JSON.stringify((await call('GET', path)).body)}`)
  }

  const mira = () => sandbox.demo.memberIds[0]!
  const jonas = () => sandbox.demo.memberIds[1]!

  it('lets the one who sits there hear the bot, encrypted', async () => {
    await heard(mira())
    const { body } = await call('GET', `${bot}/packets`)
    expect(body.packets).to.be.greaterThan(9)
    const state = await call('GET', `${bot}/voice`)
    expect(state.body).to.include({ channelId: sandbox.demo.voiceChannelId, selfDeaf: true, connected: true })
  })

  it('sounds in the browser and in ffmpeg', async () => {
    const abort = new AbortController()
    const path = `${guild}/channels/${sandbox.demo.voiceChannelId}/listen.ogg`
    const response = await fetch(`${sandbox.url}/sandbox${path}`, { signal: abort.signal })
    expect(response.headers.get('content-type')).to.equal('audio/ogg')
    let bytes = 0
    for await (const chunk of response.body!) {
      if (bytes === 0) expect(Buffer.from(chunk).toString('latin1', 0, 4)).to.equal('OggS')
      bytes += chunk.length
      if (bytes > 8000) break
    }
    abort.abort()
  })

  it('pulls the bot to the other channel, where a listener who joins hears it', async () => {
    await call('POST', `${guild}/members/${jonas()}/join`, { channelId: sandbox.demo.secondVoiceChannelId })
    const moved = await call('POST', `${bot}/move`, { channelId: sandbox.demo.secondVoiceChannelId })
    expect(moved.body.channelId).to.equal(sandbox.demo.secondVoiceChannelId)
    await heard(jonas())
    expect(connection.state.status).to.equal(Status.Ready)
  })

  it('takes members along when they are moved, and lets them leave', async () => {
    await call('POST', `${guild}/members/${mira()}/move`, { channelId: sandbox.demo.secondVoiceChannelId })
    await heard(mira())
    expect((await call('POST', `${guild}/members/${jonas()}/leave`)).status).to.equal(204)
    expect((await call('GET', `${guild}/members/${jonas()}/voice`)).body).to.equal(null)
    await heard(mira())
  })

  it('closes and cuts voice sockets, after which the bot comes back', async () => {
    for (const body of [{ code: 4015 }, { drop: true }, { code: 4006 }]) {
      expect((await call('POST', `${bot}/voice-socket`, body)).status).to.equal(204)
      await heard(mira())
    }
  })

  it('takes the voice server away and gives it back', async () => {
    await call('PATCH', guild, { voiceAway: true })
    await entersState(connection, Status.Disconnected, 3000)
    await call('PATCH', guild, { voiceAway: false })
    await entersState(connection, Status.Ready, 5000)
    await heard(mira())
  })

  it('survives a gateway that asks to reconnect, without a word in voice', async () => {
    const resumed = once(client, Events.ShardResume)
    expect(
      (await call('POST', `/applications/${client.user.id}/gateway`, { action: 'reconnect' })).body.sockets,
    ).to.equal(1)
    await resumed
    expect(connection.state.status).to.equal(Status.Ready)
    await heard(mira())
  })

  it('mutes the bot for everyone, and stalls its packets', async () => {
    const muted = once(client, Events.VoiceStateUpdate)
    await call('POST', `${bot}/server-mute`, { muted: true })
    const [, now] = await muted
    expect(now.serverMute).to.equal(true)
    await call('POST', `${bot}/server-mute`, { muted: false })
    await call('PUT', `${guild}/faults`, { stalled: true })
    await call('GET', `${guild}/members/${mira()}/hearing?reset=true`)
    await sleep(200)
    const still = await call('GET', `${guild}/members/${mira()}/hearing`)
    expect(still.body.decrypted).to.be.lessThan(5)
    await call('PUT', `${guild}/faults`, {})
    await heard(mira())
  })

  it('lets any voice client join as a member, who is gone when it is', async () => {
    const place = `${guild}/channels/${sandbox.demo.secondVoiceChannelId}/connect`
    const { body } = await call('POST', place, { userId: sandbox.demo.memberIds[2] })
    expect(body).to.have.keys('endpoint', 'token', 'sessionId', 'userId', 'guildId', 'channelId')
    const pem = await (await fetch(`${sandbox.url}/sandbox/certificate.pem`)).text()
    const outside = await connectMember({ ...body, certificate: pem })
    const sound = new Promise<string>((resolve) => outside.onOpus((from) => resolve(from)))
    expect(await sound).to.equal(client.user.id)
    const left = once(client, Events.VoiceStateUpdate)
    outside.close()
    const [, now] = await left
    expect(now.id).to.equal(body.userId)
    expect(now.channelId).to.equal(null)
  })

  it('lets members speak, which others hear', async () => {
    await call('POST', `${guild}/members/${jonas()}/join`, { channelId: sandbox.demo.secondVoiceChannelId })
    const voice = sandbox.crowd.find(sandbox.demo.guildId, jonas())!
    const heardMira = new Promise<void>((resolve) => voice.onOpus((from) => from === mira() && resolve()))
    expect((await call('POST', `${guild}/members/${mira()}/speak`, { seconds: 1 })).body.packets).to.be.greaterThan(49)
    await heardMira
  })

  it('keeps out who may not enter: a full channel is met with silence', async () => {
    await call('PATCH', `${guild}/channels/${sandbox.demo.voiceChannelId}`, { userLimit: 1 })
    await call('POST', `${guild}/members/${jonas()}/join`, { channelId: sandbox.demo.voiceChannelId })
    const zola = await call('POST', `${guild}/members/${sandbox.demo.memberIds[4]}/join`, {
      channelId: sandbox.demo.voiceChannelId,
    })
    expect(zola.status).to.equal(403)
    expect(zola.body.error.message).to.match(/full/)
  })

  it('deletes the channel under the bot: 4014 and out', async () => {
    await call('DELETE', `${guild}/channels/${sandbox.demo.secondVoiceChannelId}`)
    await entersState(connection, Status.Disconnected, 3000)
    expect(connection.state).to.include({ closeCode: 4014 })
    expect((await call('GET', `${bot}/voice`)).body).to.equal(null)
  })
})
