import { Readable } from 'node:stream'
import {
  createAudioPlayer,
  createAudioResource,
  EndBehaviorType,
  NoSubscriberBehavior,
  StreamType,
  VoiceConnectionStatus,
  type VoiceConnection,
} from '@discordjs/voice'
import { expect } from 'chai'
import { VoiceOpcodes } from 'discord-api-types/voice/v8'
import { createOggWriter, type MemberVoice } from 'bandstand-sandbox/voice'
import { TRANSPORT_MODES, type TransportMode } from '../../voice/udp/cipher.ts'
import { connectLibrary, joinWithLibrary, type LibraryClient } from './library-client.ts'
import { createStage, frames, GUILD, until, type Stage } from './stage.ts'

/** A player that sends these packets through the library, as an Ogg Opus file would be played. */
function play(connection: VoiceConnection, packets: readonly Buffer[]): void {
  const ogg = createOggWriter()
  const file = [ogg.header(), ogg.pages(packets.map((bytes) => ({ bytes, samples: 960 })))]
  const player = createAudioPlayer({ behaviors: { noSubscriber: NoSubscriberBehavior.Play, maxMissedFrames: 500 } })
  connection.subscribe(player)
  player.play(createAudioResource(Readable.from(file), { inputType: StreamType.OggOpus }))
}

/** The library and the member see the same group. */
async function untilPrivate(library: LibraryClient, member: MemberVoice): Promise<void> {
  await until(() => {
    const { privacyCode } = member.report
    return privacyCode !== null && library.connection.voicePrivacyCode === privacyCode
  }, 'the same privacy code')
}

function hearSound(member: MemberVoice): Buffer[] {
  const heard: Buffer[] = []
  member.onOpus((_from, opus) => {
    if (opus.length > 3) heard.push(opus)
  })
  return heard
}

describe('@discordjs/voice in the stand-in Discord', () => {
  let stage: Stage
  afterEach(() => stage.close())

  it('plays a file that arrives byte for byte after end-to-end encryption', async () => {
    stage = await createStage()
    const [bot, ada] = await Promise.all([joinWithLibrary(stage, '99'), stage.join('11')])
    await untilPrivate(bot, ada)
    const heard = hearSound(ada)
    play(bot.connection, frames(60))
    await until(() => heard.length === 60, '60 packets')
    expect(heard).to.deep.equal(frames(60))
    expect(ada.report).to.include({ decrypted: 60, failed: 0, clear: 0 })
    const { packets, lost, bytes } = await stage.server.packets(GUILD, '99')
    expect(packets).to.be.at.least(60)
    expect(bytes).to.be.above(60 * 40)
    expect(lost).to.equal(0)
  })

  for (const mode of TRANSPORT_MODES) {
    it(`speaks and hears in ${mode}`, async () => {
      const modes: readonly TransportMode[] = [mode]
      stage = await createStage({ modes })
      const [bot, ada] = await Promise.all([joinWithLibrary(stage, '99'), stage.join('11')])
      await untilPrivate(bot, ada)
      const heard = hearSound(ada)
      play(bot.connection, frames(10, 1))
      await until(() => heard.length === 10, '10 packets')
      expect(heard).to.deep.equal(frames(10, 1))

      const received: Buffer[] = []
      const stream = bot.connection.receiver.subscribe('11', { end: { behavior: EndBehaviorType.Manual } })
      stream.on('data', (opus: Buffer) => received.push(opus))
      await ada.speak(frames(10, 2))
      const sound = () => received.filter(({ length }) => length > 3)
      await until(() => sound().length === 10, 'what the library hears')
      expect(sound()).to.deep.equal(frames(10, 2))
      expect(bot.debug.some((line) => line.includes(mode))).to.equal(true)
    })
  }

  it('comes into one group with other bots and members who come at the same time', async () => {
    stage = await createStage()
    const coming = ['91', '92', '93'].map((userId) => joinWithLibrary(stage, userId))
    const [ada, ben, ...bots] = await Promise.all([stage.join('11'), stage.join('12'), ...coming])
    for (const bot of bots) for (const member of [ada, ben]) await untilPrivate(bot, member)
  })

  it('resumes after a dropped connection and after 4015, gets what it missed, and plays on', async () => {
    stage = await createStage()
    const [bot, ada] = await Promise.all([joinWithLibrary(stage, '99'), stage.join('11')])
    await untilPrivate(bot, ada)
    for (const how of ['drop', 4015] as const) {
      const answers = () => bot.debug.flatMap((line) => /<< {"op":(9|11)\b/.exec(line)?.[1] ?? [])
      const before = answers().length
      stage.server.closeSocket(GUILD, '99', how)
      // While the bot's socket is down: it learns of this by the replay.
      stage.server.send(GUILD, '99', VoiceOpcodes.ClientsConnect, { user_ids: ['77'] })
      await until(() => answers().length === before + 2, 'resumed and replayed')
      expect(answers().slice(before)).to.deep.equal(['9', '11'])
      await untilPrivate(bot, ada)
    }
    const heard = hearSound(ada)
    play(bot.connection, frames(10))
    await until(() => heard.length === 10, '10 packets')
    expect(bot.joins).to.equal(1)
  })

  it('joins again after 4006, and its old place in the group is given up', async () => {
    stage = await createStage()
    const [bot, ada] = await Promise.all([joinWithLibrary(stage, '99'), stage.join('11')])
    await untilPrivate(bot, ada)
    stage.server.closeSocket(GUILD, '99', 4006)
    await until(() => bot.joins === 2, 'a second join')
    await until(() => bot.connection.state.status === VoiceConnectionStatus.Ready, 'ready again')
    await untilPrivate(bot, ada)
    const heard = hearSound(ada)
    play(bot.connection, frames(10))
    await until(() => heard.length === 10, '10 packets')
    expect(ada.report.groupUserIds.toSorted()).to.deep.equal(['11', '99'])
  })

  it('is disconnected by 4014 and waits', async () => {
    stage = await createStage()
    const bot = await joinWithLibrary(stage, '99')
    stage.server.remove(GUILD, '99', 4014)
    await until(() => bot.connection.state.status === VoiceConnectionStatus.Disconnected, 'disconnected')
    expect(bot.joins).to.equal(1)
    expect(stage.server.isConnected(GUILD, '99')).to.equal(false)
  })

  it('asks for another join after 4017, 4021 and 4022', async () => {
    for (const code of [4017, 4021, 4022]) {
      stage = await createStage()
      const bot = await joinWithLibrary(stage, '99', { answers: 1 })
      stage.server.remove(GUILD, '99', code)
      await until(() => bot.joins === 2, `a join after ${code}`)
      if (code !== 4022) await stage.close()
    }
  })

  it('is refused with 4017 without encryption where encryption is required', async () => {
    stage = await createStage()
    stage.server.setDave({ version: 1, required: true })
    const bot = connectLibrary(stage, '99', { daveEncryption: false, answers: 1 })
    await until(() => bot.joins === 2, 'a second join')
    expect(bot.connection.state.status).to.equal(VoiceConnectionStatus.Signalling)
    await joinWithLibrary(stage, '98')
  })

  it('plays in clear without encryption, and encrypted again when the rule goes back up', async () => {
    stage = await createStage()
    stage.server.setDave({ version: 0, required: false })
    const [bot, ada] = await Promise.all([joinWithLibrary(stage, '99'), stage.join('11')])
    const heard = hearSound(ada)
    play(bot.connection, frames(10))
    await until(() => heard.length === 10, '10 packets')
    expect(ada.report).to.include({ clear: 10, decrypted: 0, failed: 0 })

    stage.server.setDave({ version: 1, required: false })
    await untilPrivate(bot, ada)
    ada.resetReport()
    play(bot.connection, frames(10, 1))
    await until(() => heard.length === 20, '20 packets')
    expect(heard.slice(10)).to.deep.equal(frames(10, 1))
    expect(ada.report).to.include({ clear: 0, decrypted: 10 })

    stage.server.setDave({ version: 0, required: false })
    await until(() => ada.report.daveVersion === 0, 'version 0')
    play(bot.connection, frames(10, 2))
    await until(() => heard.length === 30, '30 packets')
    expect(heard.slice(20)).to.deep.equal(frames(10, 2))
  })

  it('finds its way back on its own after a broken commit', async () => {
    stage = await createStage()
    const [bot, ada, ben] = await Promise.all([joinWithLibrary(stage, '99'), stage.join('11'), stage.join('12')])
    await untilPrivate(bot, ada)
    const before = ada.report.privacyCode
    stage.server.sendBinary(GUILD, '99', VoiceOpcodes.DaveMlsAnnounceCommitTransition, Buffer.from([0, 9, 1, 2, 3]))
    await until(() => ada.report.privacyCode !== before, 'a new epoch')
    await untilPrivate(bot, ada)
    await untilPrivate(bot, ben)
  })
})
