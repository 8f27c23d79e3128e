import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { PlayOptions } from '../../../../bot/audio/node/protocol.ts'
import { makeAudio } from '../../../support/audio-files.ts'
import { closing } from '../../../support/closing.ts'
import { tempFolder } from '../folder.ts'
import { ATTIC, createHall, HALL, PLAYER, type Hall } from '../hall.ts'

const { guildId } = PLAYER
const USER = '4242'
const FOREIGN = { botId: 'lavalink:abc', guildId }
const SOUND = { volume: 100, muted: false, paused: false }
/** However busy the machine is, what waits for the next voice connection waits. */
const PATIENT = { backOffMs: 5, moveMs: 60_000 }

describe('a player whose bot has its gateway elsewhere', () => {
  const close = closing()
  const folder = tempFolder()
  let song = ''
  before(() => {
    song = makeAudio(folder.path('song.ogg'), { seconds: 30, options: ['-c:a', 'libopus', '-b:a', '64k'] })
  })

  async function opened(voiceTimings = {}): Promise<Hall> {
    const hall = close(await createHall({ voiceTimings: { ...PATIENT, ...voiceTimings } }))
    await hall.node.open({ ...FOREIGN, projectId: 'p' })
    return hall
  }

  function track(options: Partial<PlayOptions> = {}): PlayOptions {
    const playable = { kind: 'file', path: song, codec: 'ogg-opus' } as const
    return { ...FOREIGN, ...SOUND, playId: 1, playable, positionMs: 0, ...options }
  }

  async function playing(voiceTimings = {}): Promise<Hall> {
    const hall = await opened(voiceTimings)
    await hall.node.connectVoice(FOREIGN, hall.placeForeign(USER, HALL))
    await hall.node.play(track())
    await hall.heard('trackStarted')
    return hall
  }

  it('sends what a member hears, end-to-end encrypted, and asks Discord for nothing', async () => {
    const hall = await opened()
    const member = await hall.listen()
    await hall.node.connectVoice(FOREIGN, hall.placeForeign(USER, HALL))
    await hall.node.play(track())
    await hall.heard('position')
    const { decrypted, failed, clear } = member.report
    expect({ failed, clear }).to.deep.equal({ failed: 0, clear: 0 })
    expect(decrypted).to.be.greaterThan(40)
    expect(hall.asked).to.deep.equal([])
    const [snapshot] = await hall.node.snapshots(FOREIGN.botId)
    expect(snapshot).to.include({ guildId, playId: 1, isConnected: true, frames: null })
    expect(snapshot?.positionMs).to.be.at.least(1000)
  })

  it('has its track ready before there is a voice connection, and starts it with the first', async () => {
    const hall = await opened()
    await hall.node.play(track({ positionMs: 4000 }))
    expect(await hall.node.snapshot(FOREIGN)).to.include({ positionMs: 4000, isConnected: false, pingMs: null })
    await hall.node.connectVoice(FOREIGN, hall.placeForeign(USER, HALL))
    await hall.heard('trackStarted')
    const { positionMs } = await hall.heard('position')
    expect(positionMs).to.be.closeTo(5000, 20)
  })

  it('gives a track up that gets no voice connection for as long as Lavalink waits', async () => {
    const hall = await opened({ cleanupMs: 50 })
    await hall.node.play(track())
    expect(await hall.heard('trackCleanedUp')).to.include({ ...FOREIGN, playId: 1 })
    expect(await hall.node.snapshot(FOREIGN)).to.include({ playId: null, positionMs: 0 })
  })

  it('continues with the track on another voice server, and loses none of it', async () => {
    const hall = await playing()
    const before = await hall.node.position(FOREIGN)
    await hall.node.connectVoice(FOREIGN, hall.placeForeign(USER, ATTIC))
    expect(await hall.heard('voiceReady', 2)).to.include({ channelId: ATTIC })
    expect(await hall.heard('voiceClosed')).to.include({ closeCode: 1000, reason: '', byRemote: false })
    await hall.heard('position', 2)
    const { sent } = await hall.node.stats()
    const after = await hall.node.position(FOREIGN)
    expect(after)
      .to.be.greaterThan(before)
      .and.closeTo(sent * 20, 60)
    expect(hall.events.filter(({ type }) => type === 'trackStarted')).to.have.length(1)
  })

  it('does nothing about the voice connection that it has already', async () => {
    const hall = await opened()
    const voice = hall.placeForeign(USER, HALL)
    await hall.node.connectVoice(FOREIGN, voice)
    await hall.heard('voiceReady')
    await hall.node.connectVoice(FOREIGN, voice)
    await hall.node.play(track())
    await hall.heard('position')
    expect(hall.events.map(({ type }) => type)).to.not.include('voiceClosed')
    expect(hall.events.filter(({ type }) => type === 'voiceReady')).to.have.length(1)
  })

  for (const how of [4015, 4009, 'drop'] as const) {
    it(`comes back on its own after ${how === 'drop' ? 'a cut connection' : `close code ${how}`}, and tells nothing`, async () => {
      const hall = await playing()
      hall.server.closeSocket(guildId, USER, how)
      await hall.heard('voiceReady', 2)
      await hall.heard('position', 2)
      expect(await hall.node.position(FOREIGN)).to.be.closeTo((await hall.node.stats()).sent * 20, 60)
      expect(hall.events.map(({ type }) => type)).to.not.include('voiceClosed')
    })
  }

  for (const code of [4006, 4014]) {
    it(`tells of close code ${code}, and waits for the next voice connection`, async () => {
      const hall = await playing()
      hall.server.remove(guildId, USER, code)
      expect(await hall.heard('voiceClosed')).to.include({ ...FOREIGN, closeCode: code, byRemote: true })
      expect(await hall.node.snapshot(FOREIGN)).to.include({ playId: 1, isConnected: false })
      await hall.node.connectVoice(FOREIGN, hall.placeForeign(USER, HALL))
      await hall.heard('voiceReady', 2)
      await hall.heard('position', 2)
      const { sent } = await hall.node.stats()
      expect(await hall.node.position(FOREIGN)).to.be.closeTo(sent * 20, 60)
      expect(hall.asked).to.deep.equal([])
    })
  }

  it('lets the track run on unheard when no other voice connection comes, as Lavalink does', async () => {
    const hall = await playing({ moveMs: 0 })
    hall.server.remove(guildId, USER, 4014)
    await hall.heard('voiceClosed')
    const { sent } = await hall.node.stats()
    await hall.heard('position', 2)
    expect((await hall.node.stats()).sent - sent).to.be.below(3)
  })

  it('gives a voice server up that refuses it again and again', async () => {
    const hall = await opened()
    hall.rule.refuse = 4009
    await hall.node.connectVoice(FOREIGN, hall.placeForeign(USER, HALL))
    expect(await hall.heard('voiceClosed')).to.include({ closeCode: 4009, byRemote: true })
  })

  it('gives a voice server up that never answers, in good time', async () => {
    const silent = createServer()
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const hall = await opened({ attemptMs: 50 })
    const endpoint = `localhost:${(silent.address() as AddressInfo).port}`
    await hall.node.connectVoice(FOREIGN, { ...hall.placeForeign(USER, HALL), endpoint })
    expect(await hall.heard('voiceClosed')).to.include({ closeCode: 1006, byRemote: false })
    silent.close()
  })

  it('connects to voice servers of Discord only', async () => {
    const hall = await opened()
    const voice = hall.placeForeign(USER, HALL)
    const elsewhere = [
      'example.com',
      '127.0.0.1:6379',
      'discord.media',
      'discord.media.example.com',
      'a.discord.media/x',
      'u@a.discord.media',
      '',
    ]
    for (const endpoint of elsewhere) {
      const refusal = await hall.node.connectVoice(FOREIGN, { ...voice, endpoint }).catch((error: unknown) => error)
      expect(refusal, endpoint).to.include({ code: 'validation_error', reason: 'invalid_address' })
    }
  })

  it('ends with its bot, while players of others play on', async () => {
    const hall = await playing()
    await hall.node.open({ botId: 'lavalink:other', guildId, projectId: 'q' })
    hall.node.dropBot(FOREIGN.botId)
    expect(await hall.node.snapshots(FOREIGN.botId)).to.deep.equal([])
    expect(await hall.node.snapshots('lavalink:other')).to.have.length(1)
    const refusal = await hall.node.play(track()).catch((error: unknown) => error)
    expect(refusal).to.include({ code: 'service_unavailable' })
  })

  it('is never a player of our own, nor the other way round', async () => {
    const hall = await opened()
    await hall.node.join({ ...PLAYER, channelId: HALL })
    const voice = hall.placeForeign(USER, HALL)
    const outcomes = await Promise.allSettled([
      hall.node.connectVoice(PLAYER, voice),
      hall.node.join({ ...FOREIGN, channelId: HALL }),
    ])
    for (const outcome of outcomes) expect(outcome).to.have.nested.property('reason.code', 'conflict')
  })
})
