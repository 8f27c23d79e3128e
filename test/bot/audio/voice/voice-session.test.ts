import { expect } from 'chai'
import { makeAudio } from '../../../support/audio-files.ts'
import { closing } from '../../../support/closing.ts'
import { tempFolder } from '../folder.ts'
import { ATTIC, createHall, HALL, PLAYER, type Hall } from '../hall.ts'

const SOUND = { volume: 100, muted: false, paused: false }

describe('the voice of a player', () => {
  const close = closing()
  const folder = tempFolder()
  let song = ''
  before(() => {
    song = makeAudio(folder.path('song.ogg'), { seconds: 30, options: ['-c:a', 'libopus', '-b:a', '64k'] })
  })

  async function joined(voiceTimings = {}): Promise<Hall> {
    const hall = close(await createHall({ voiceTimings }))
    await hall.node.join({ ...PLAYER, channelId: HALL })
    return hall
  }

  async function playing(voiceTimings = {}): Promise<Hall> {
    const hall = await joined(voiceTimings)
    const playable = { kind: 'file', path: song, codec: 'ogg-opus' } as const
    await hall.node.play({ ...PLAYER, ...SOUND, playId: 1, playable, positionMs: 0 })
    await hall.heard('trackStarted')
    return hall
  }

  it('sends what a member hears, end-to-end encrypted from the first frame', async () => {
    const hall = close(await createHall())
    const member = await hall.listen()
    await hall.node.join({ ...PLAYER, channelId: HALL })
    const playable = { kind: 'file', path: song, codec: 'ogg-opus' } as const
    await hall.node.play({ ...PLAYER, ...SOUND, playId: 1, playable, positionMs: 0 })
    await hall.heard('position')
    const { decrypted, failed, clear, privacyCode } = member.report
    expect({ failed, clear }).to.deep.equal({ failed: 0, clear: 0 })
    expect(decrypted).to.be.greaterThan(40)
    const told = await hall.heard('privacyCode')
    expect(told.code)
      .to.match(/^\d{30}$/)
      .and.to.equal(privacyCode)
  })

  it('lets sound wait while keys are agreed with a member who comes later', async () => {
    const hall = await playing()
    const member = await hall.listen()
    await hall.heard('privacyCode')
    await hall.heard('position', 2)
    expect(member.report).to.include({ failed: 0, clear: 0 })
    expect(member.report.decrypted).to.be.greaterThan(20)
  })

  it('takes the two halves of a join in either order', async () => {
    const hall = close(await createHall())
    hall.rule.serverFirst = true
    await hall.node.join({ ...PLAYER, channelId: HALL })
    await hall.node.join({ ...PLAYER, channelId: ATTIC })
    expect(hall.events.findLast(({ type }) => type === 'voiceReady')).to.include({ channelId: ATTIC })
  })

  it("is Discord's silence, not the caller's fault, when a join is never answered", async () => {
    const hall = close(await createHall({ voiceTimings: { attemptMs: 100 } }))
    hall.rule.silent = true
    const failure = await hall.node.join({ ...PLAYER, channelId: HALL }).catch((error: unknown) => error)
    expect(failure).to.include({ code: 'service_unavailable' })
    expect(hall.asked).to.deep.equal([HALL, HALL, null])
  })

  it('stays where it is when a move is not answered', async () => {
    const hall = await playing({ attemptMs: 1000 })
    hall.rule.silent = true
    const failure = await hall.node.join({ ...PLAYER, channelId: ATTIC }).catch((error: unknown) => error)
    expect(failure).to.include({ code: 'service_unavailable' })
    hall.rule.silent = false
    hall.server.closeSocket(PLAYER.guildId, PLAYER.botId, 4006)
    expect(await hall.heard('voiceReady', 2)).to.include({ channelId: HALL })
    expect(hall.asked).to.deep.equal([HALL, ATTIC, HALL])
  })

  it("waits for as long as Discord's limit holds its new join back", async () => {
    const hall = await playing({ attemptMs: 2000 })
    hall.rule.silent = true
    hall.node.onEvent(({ type }) => type === 'gatewayPayload' && hall.node.joinHeld(PLAYER, true))
    hall.server.closeSocket(PLAYER.guildId, PLAYER.botId, 4003)
    await hall.heard('voiceRestoring')
    // Longer than the only join that may follow this loss takes.
    await new Promise((resolve) => setTimeout(resolve, 2500))
    expect(hall.events.filter(({ type }) => type === 'voiceLost')).to.deep.equal([])
    hall.node.joinHeld(PLAYER, false)
    hall.place(HALL)
    await hall.heard('voiceReady', 2)
  })

  for (const how of [4015, 4006, 4009, 'drop'] as const) {
    it(`continues with the track after ${how === 'drop' ? 'a cut connection' : `close code ${how}`}`, async () => {
      const hall = await playing()
      const before = await hall.node.position(PLAYER)
      await hall.server.packets(PLAYER.guildId, PLAYER.botId, { reset: true })
      hall.server.closeSocket(PLAYER.guildId, PLAYER.botId, how)
      await hall.heard('voiceRestoring')
      await hall.heard('voiceReady', 2)
      await hall.heard('position', 2)
      const after = await hall.node.position(PLAYER)
      const { sent } = await hall.node.stats()
      expect(after).to.be.at.least(before)
      expect(after, 'position counts what was sent').to.be.closeTo(sent * 20, 60)
      expect(hall.asked).to.have.length(how === 4006 || how === 4009 ? 2 : 1)
      const { longestSilenceMs } = await hall.server.packets(PLAYER.guildId, PLAYER.botId)
      expect(longestSilenceMs).to.be.below(2000)
    })
  }

  it('follows when it is pulled to another channel, even when the old session is closed first', async () => {
    const hall = await playing()
    hall.server.remove(PLAYER.guildId, PLAYER.botId, 4014)
    await hall.heard('voiceRestoring')
    hall.place(ATTIC)
    expect(await hall.heard('voiceReady', 2)).to.include({ channelId: ATTIC })
    expect(hall.asked).to.deep.equal([HALL])
  })

  for (const code of [4014, 4022]) {
    it(`gives up when no new server follows close code ${code}`, async () => {
      const hall = await playing({ moveMs: 200 })
      hall.server.remove(PLAYER.guildId, PLAYER.botId, code)
      const { loss } = await hall.heard('voiceLost')
      expect(loss).to.deep.equal({ why: 'kicked', closeCode: code })
      expect(hall.asked).to.deep.equal([HALL, null])
    })
  }

  it('gives up at once when Discord says that it is in no channel any more', async () => {
    const hall = await playing()
    hall.place(null)
    const { loss } = await hall.heard('voiceLost')
    expect(loss).to.deep.equal({ why: 'kicked', closeCode: null })
    expect(hall.asked).to.deep.equal([HALL])
  })

  for (const code of [4017, 4021]) {
    it(`gives up at once after close code ${code}`, async () => {
      const hall = await playing()
      hall.server.remove(PLAYER.guildId, PLAYER.botId, code)
      const { loss } = await hall.heard('voiceLost')
      expect(loss).to.deep.equal({ why: 'refused', closeCode: code })
      expect(hall.asked).to.deep.equal([HALL, null])
    })
  }

  it('asks again five times at most, ever more slowly, when sessions are refused', async () => {
    const hall = await playing({ backOffMs: 20 })
    hall.rule.refuse = 4006
    hall.server.closeSocket(PLAYER.guildId, PLAYER.botId, 4006)
    const { loss } = await hall.heard('voiceLost')
    expect(loss).to.deep.equal({ why: 'unreachable', closeCode: 4006 })
    expect(hall.asked).to.deep.equal([HALL, HALL, HALL, HALL, HALL, HALL, null])
  })

  it('asks once more after a broken protocol, three times after a bad token', async () => {
    for (const [code, joins] of [
      [4012, 1],
      [4004, 3],
    ] as const) {
      const hall = await playing({ backOffMs: 20 })
      hall.rule.refuse = code
      hall.server.closeSocket(PLAYER.guildId, PLAYER.botId, code)
      const { loss } = await hall.heard('voiceLost')
      expect(loss).to.deep.equal({ why: 'refused', closeCode: code })
      expect(hall.asked.filter((channel) => channel !== null)).to.have.length(1 + joins)
    }
  })

  it('survives proposals that make no sense, and malformed messages', async () => {
    const hall = await playing()
    const member = await hall.listen()
    await hall.heard('privacyCode')
    const { guildId, botId } = PLAYER
    hall.server.sendBinary(guildId, botId, 27, Buffer.from('00ffffff', 'hex'))
    hall.server.sendBinary(guildId, botId, 25, Buffer.from('01', 'hex'))
    hall.server.sendBinary(guildId, botId, 29, Buffer.alloc(0))
    hall.server.send(guildId, botId, 11, null)
    hall.server.send(guildId, botId, 24, null)
    const count = hall.events.filter(({ type }) => type === 'position').length
    await hall.heard('position', count + 2)
    member.resetReport()
    await hall.heard('position', count + 3)
    expect(member.report).to.include({ failed: 0, clear: 0 })
    expect(member.report.decrypted).to.be.greaterThan(30)
  })

  it('leaves, and can come back', async () => {
    const hall = await playing()
    await hall.node.leave(PLAYER)
    await hall.node.leave(PLAYER)
    await hall.node.join({ ...PLAYER, channelId: HALL })
    expect(hall.asked).to.deep.equal([HALL, null, HALL])
    expect(hall.events.some(({ type }) => type === 'voiceLost')).to.equal(false)
  })

  it('loses all players of a bot whose gateway is gone', async () => {
    const hall = await playing()
    hall.node.dropBot(PLAYER.botId)
    expect((await hall.heard('voiceLost')).loss).to.deep.equal({ why: 'unreachable', closeCode: null })
    expect(hall.asked).to.deep.equal([HALL])
  })
})
