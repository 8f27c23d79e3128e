import { expect } from 'chai'
import { ChannelType } from 'discord.js'
import {
  addChannel,
  changeFlags,
  getMember,
  moveInVoice,
  Permission,
  setServerMute,
  tellChannelUpdate,
} from 'bandstand-sandbox/world'
import { systemClock } from '../../../bot/player/timers.ts'
import { until } from '../../support/bots.ts'
import { hear, startConcert, type Concert } from '../../support/playing-service.ts'

/** The pause before the bot raises its hand again, which the test ends by itself. */
const PAUSE_MS = 10_000

describe('on a stage', () => {
  const pauses = new Set<() => void>()
  const clock: typeof systemClock = {
    ...systemClock,
    after(delayMs, call) {
      if (delayMs !== PAUSE_MS) return systemClock.after(delayMs, call)
      pauses.add(call)
      return () => void pauses.delete(call)
    },
  }
  const endPauses = () => {
    const ended = [...pauses]
    pauses.clear()
    for (const call of ended) call()
  }
  let concert: Concert
  let stageId: string

  before(async () => {
    concert = await startConcert({ clock })
    stageId = concert.sandbox.demo.stageChannelId
  })
  afterEach(async () => {
    forbid(0n)
    await concert.clear()
  })
  after(() => concert.close())

  /** Denies the bot these permissions on the stage. */
  function forbid(deny: bigint): void {
    const { guild, sandbox, botId } = concert
    const channel = guild.channels.get(stageId)
    if (!channel || !('permission_overwrites' in channel)) throw new Error('There is no stage.')
    channel.permission_overwrites = [{ id: botId, type: 1, allow: '0', deny: String(deny) }]
    tellChannelUpdate(sandbox.world, guild, channel)
  }
  const own = () => concert.guild.voice.get(concert.botId)
  const suppress = (isSuppressed: boolean) => {
    const voice = own()
    if (voice) changeFlags(concert.sandbox.world, concert.guild, voice, { suppress: isSuppressed })
  }
  const serverMute = (mute: boolean) =>
    setServerMute(concert.sandbox.world, concert.guild, getMember(concert.guild, concert.botId), { mute })
  const playThere = () => concert.play('A', concert.guild.id, stageId)
  const isSilenced = (why: string | null) => async () => (await concert.info()).silenced === why

  it('takes the word where it may, and is heard there, in clear as Discord has it', async () => {
    const { member, heard } = await concert.listen(0, stageId)
    await playThere()
    await hear(heard, 40)
    expect(own()).to.include({ suppress: false, channelId: stageId })
    expect(member.report).to.include({ daveVersion: 0, decrypted: 0, failed: 0 })
    expect(await concert.info()).to.include({ silenced: null, privacyCode: null })
  })

  it('raises its hand where it may only ask, waits with the music, and begins when it gets the word', async () => {
    forbid(Permission.MuteMembers)
    const { heard } = await concert.listen(0, stageId)
    await playThere()
    await until('it asks to speak', () => typeof own()?.requestedToSpeakAt === 'string')
    await until('it knows that it is not heard', isSilenced('suppressed'))
    await new Promise((resolve) => setTimeout(resolve, 300))
    const { positionMs, paused } = await concert.info()
    expect([paused, positionMs < 500, heard.length]).to.deep.equal([false, true, 0])
    suppress(false)
    await hear(heard, 20)
    expect((heard[0]?.frame ?? 999) * 20, 'nothing of the track was played to nobody').to.be.below(1500)
    expect(await concert.info()).to.include({ silenced: null })
  })

  it('asks for nothing where it may not, and says that it is not heard', async () => {
    forbid(Permission.MuteMembers | Permission.RequestToSpeak)
    await concert.listen(0, stageId)
    await playThere()
    await until('it knows that it is not heard', isSilenced('suppressed'))
    expect(own()).to.include({ requestedToSpeakAt: null, suppress: true })
  })

  it('does not argue with a moderator who sends it to the audience: the music waits and continues', async () => {
    const { heard } = await concert.listen(0, stageId)
    await playThere()
    await hear(heard, 30)
    suppress(true)
    await until('it knows', isSilenced('suppressed'))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(own()).to.include({ suppress: true, requestedToSpeakAt: null })
    const last = heard.at(-1)?.frame ?? 0
    const waiting = (await concert.info()).positionMs
    suppress(false)
    await hear(heard, heard.length + 20)
    const next = heard.find(({ frame }) => frame > last)?.frame ?? 0
    expect((next - last) * 20, 'left out, in ms').to.be.below(1000)
    expect((await concert.info()).positionMs).to.be.within(waiting, waiting + 15_000)
    expect(concert.told()).to.deep.equal(['trackStarted'])
  })

  it('raises its hand once more after a pause when it is moved to the audience, and only once in a stay', async () => {
    const { heard } = await concert.listen(0, stageId)
    await playThere()
    await hear(heard, 10)
    suppress(true)
    await until('it knows', isSilenced('suppressed'))
    expect(own()).to.include({ requestedToSpeakAt: null })
    endPauses()
    await until('it asks to speak', () => typeof own()?.requestedToSpeakAt === 'string')
    expect(own(), 'it does not take the word by itself').to.include({ suppress: true })
    suppress(false)
    await until('it is heard again', isSilenced(null))
    const voice = own()
    if (voice) {
      changeFlags(concert.sandbox.world, concert.guild, voice, { suppress: true, requestedToSpeakAt: null })
    }
    await until('it knows', isSilenced('suppressed'))
    endPauses()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(own()).to.include({ suppress: true, requestedToSpeakAt: null })
  })

  it('takes the word again when it is moved from a voice channel to the stage', async () => {
    await concert.listen(0)
    const { heard } = await concert.listen(1, stageId)
    await concert.play()
    moveInVoice(concert.sandbox.world, concert.guild, concert.botId, stageId)
    await hear(heard, 20)
    expect(own()).to.include({ suppress: false, channelId: stageId })
  })

  it('says that it lacks the permission to speak in a voice channel, which no moderator of a stage can give', async () => {
    const { guild, sandbox, botId } = concert
    await concert.listen(0)
    await concert.play()
    const quiet = addChannel(sandbox.world, guild, { name: 'Quiet', type: ChannelType.GuildVoice })
    quiet.permission_overwrites = [{ id: botId, type: 1, allow: '0', deny: String(Permission.Speak) }]
    tellChannelUpdate(sandbox.world, guild, quiet)
    moveInVoice(sandbox.world, guild, botId, quiet.id)
    await until('it says what it lacks', isSilenced('mayNotSpeak'))
    moveInVoice(sandbox.world, guild, botId, sandbox.demo.voiceChannelId)
    await until('it may speak again', isSilenced(null))
  })

  it('notices a server mute in any channel, waits, and stays paused if it was', async () => {
    const { heard } = await concert.listen()
    await concert.play()
    await hear(heard, 20)
    serverMute(true)
    await until('it knows', isSilenced('serverMute'))
    await concert.music.patch(concert.scope, concert.guild.id, { paused: true })
    serverMute(false)
    await until('it is heard again', isSilenced(null))
    const { length } = heard
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(heard.length - length).to.be.below(5)
    expect((await concert.info()).paused).to.equal(true)
    await concert.music.patch(concert.scope, concert.guild.id, { paused: false })
    await hear(heard, length + 20)
  })
})
