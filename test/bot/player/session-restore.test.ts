import { expect } from 'chai'
import { MOVED, SHUTDOWN } from '../../../bot/player/voice-lifecycle.ts'
import { settle } from '../../support/manual-clock.ts'
import { faultOf } from '../../support/web.ts'
import { BOT, CHANNEL, createStage, GUILD, tokenOf, type Stage } from '../../support/stage.ts'

describe('a saved player', () => {
  let stage: Stage
  beforeEach(() => {
    stage = createStage()
  })
  afterEach(() => stage.close())

  const ref = { botId: BOT, guildId: GUILD }
  const saved = () => [...stage.saved.values()][0]

  it('is saved in the end when the database cannot be written at first, and the caller hears of it', async () => {
    await stage.play('A')
    stage.cannotSave = true
    const fault = await faultOf(stage.play('B'))
    expect(fault).to.include({ code: 'service_unavailable' })
    expect(fault.message).to.include("The change took effect but isn't saved")
    expect(saved()?.queue).to.deep.equal([])
    stage.cannotSave = false
    await stage.clock.advance(2500)
    expect(saved()?.queue).to.have.length(1)
  })

  it('stays away when it was closed while the database could not be written, and is removed as soon as that works', async () => {
    await stage.play('A')
    stage.cannotSave = true
    expect(await faultOf(stage.music.close(stage.scope, GUILD))).to.include({ code: 'service_unavailable' })
    comeBack(1)
    await settle()
    expect([stage.players.count, stage.saved.size]).to.deep.equal([0, 1])
    stage.cannotSave = false
    await stage.clock.advance(2500)
    expect(stage.saved.size).to.equal(0)
  })

  it('is not removed when the next one has taken its place meanwhile', async () => {
    await stage.play('A')
    stage.cannotSave = true
    await faultOf(stage.music.close(stage.scope, GUILD))
    stage.cannotSave = false
    await stage.play('B')
    await stage.clock.advance(5000)
    expect(saved()?.current).to.equal(tokenOf('B'))
  })

  it('is written on every change and its position every few seconds', async () => {
    await stage.play('A B')
    await stage.music.mute(stage.scope, GUILD, { muted: true })
    await stage.music.patch(stage.scope, GUILD, { volume: 30, loop: 'queue' })
    expect(saved()).to.deep.equal({
      projectId: 'project',
      ...ref,
      channelId: CHANNEL,
      current: tokenOf('A'),
      queue: [tokenOf('B')],
      past: [],
      requesterIds: [null, null],
      positionMs: 0,
      volume: 30,
      muted: true,
      volumeBeforeMute: 100,
      paused: false,
      loop: 'queue',
      filters: {},
      nextTrack: null,
      sleep: null,
      recommendation: null,
    })
    await stage.clock.advance(4500)
    stage.node.tell({ ...ref, type: 'position', playId: 1, positionMs: 4500 })
    await stage.clock.advance(500)
    expect(saved()?.positionMs).to.equal(5000)
  })

  const comeBack = (
    listeners: number,
    ownChannelId: string | null = null,
    { isTakenOver = false, formerSilentAtMs = null as number | null } = {},
  ) => {
    let left = 0
    const guild = {
      id: GUILD,
      ownChannelId,
      isTakenOver,
      joinable: (channelId: string) => channelId,
      countListeners: () => listeners,
      leave: () => (left += 1),
    }
    void stage.sessionRestore.comeBack({ id: BOT, projectId: 'project', formerSilentAtMs }, [guild])
    return { left: () => left }
  }

  const leavesWith = async (ownChannelId: string | null) => {
    const { left } = comeBack(1, ownChannelId)
    await settle()
    return left()
  }

  for (const [what, settings, positionMs] of [
    ['plays', {}, 12_000 + 3000],
    ['plays twice as fast', { filters: { timescale: { speed: 2, pitch: 1, rate: 1 } } }, 12_000 + 6000],
    ['is paused', { paused: true }, 12_000],
  ] as const) {
    it(`comes back where its service fell silent that was lost, if it ${what}`, async () => {
      await stage.play('A B')
      await stage.music.patch(stage.scope, GUILD, { positionMs: 12_000, ...settings })
      await stage.players.closeAll(BOT, SHUTDOWN)
      stage.savedAges.set(GUILD, 7000)
      comeBack(2, null, { formerSilentAtMs: stage.clock.nowMs() - 4000 })
      await settle()
      expect((await stage.info()).positionMs).to.equal(positionMs)
    })
  }

  it('is saved where its lost service fell silent before it is back, for the service that runs it next', async () => {
    await stage.play('A B')
    await stage.music.patch(stage.scope, GUILD, { positionMs: 12_000 })
    await stage.players.closeAll(BOT, SHUTDOWN)
    stage.savedAges.set(GUILD, 7000)
    stage.node.gate = new Promise(() => undefined)
    comeBack(2, null, { isTakenOver: true, formerSilentAtMs: stage.clock.nowMs() - 4000 })
    await settle()
    expect(saved()?.positionMs).to.equal(15_000)
  })

  it('is saved where it was, and paused, as long as it has not begun to play again', async () => {
    await stage.play('A B')
    await stage.music.patch(stage.scope, GUILD, { positionMs: 12_000, paused: true })
    await stage.players.closeAll(BOT, SHUTDOWN)
    const written: unknown[] = []
    const set = stage.saved.set.bind(stage.saved)
    stage.saved.set = (key, state) => {
      written.push([state.positionMs, state.paused])
      return set(key, state)
    }
    comeBack(2)
    await settle()
    expect(written.length).to.be.greaterThan(0)
    for (const one of written) expect(one).to.deep.equal([12_000, true])
  })

  it('comes back after a restart where it was, while humans listen', async () => {
    await stage.play('A B')
    await stage.music.mute(stage.scope, GUILD, { muted: true })
    await stage.music.patch(stage.scope, GUILD, { volume: 30, loop: 'queue', positionMs: 12_000, paused: true })
    const before = await stage.info()
    await stage.players.closeAll(BOT, SHUTDOWN)
    expect(stage.told.slice(1)).to.deep.equal(['trackEnded cleanup', 'playerClosed disconnected'])
    comeBack(2)
    await settle()
    const { queueVersion, ...after } = await stage.info()
    const { queueVersion: versionBefore, ...known } = before
    expect(after).to.deep.equal(known)
    // Clients that knew the queue before the restart must read it again before they change it.
    expect(queueVersion).not.to.equal(versionBefore)
    await stage.music.unmute(stage.scope, GUILD)
    expect((await stage.info()).volume).to.equal(100)
  })

  it('is not replaced by a request that comes while it returns: nothing of its queue is lost', async () => {
    await stage.play('A B')
    await stage.players.closeAll(BOT, SHUTDOWN)
    stage.cannotSave = true
    comeBack(1, null, { isTakenOver: true })
    await settle()
    expect(await faultOf(stage.play('C'))).to.include({ code: 'service_unavailable' })
    stage.cannotSave = false
    await stage.clock.advance(2000)
    await settle()
    await stage.play('C')
    expect(await stage.titles()).to.equal('A B C')
  })

  it('that moves while a track is opened has its start told once: by the service that it leaves', async () => {
    await stage.play('A')
    const opened = Promise.withResolvers<void>()
    stage.node.gate = opened.promise
    const replacing = stage.music.play(stage.scope, GUILD, { query: 'B', when: 'now' })
    await settle()
    await stage.players.closeAll(BOT, MOVED)
    opened.resolve()
    await replacing.catch(() => undefined)
    comeBack(1, null, { isTakenOver: true })
    await settle()
    expect(await stage.titles()).to.contain('B')
    expect(stage.told).to.deep.equal(['trackStarted A', 'trackEnded replaced', 'trackStarted B'])
  })

  it('is known to return from the moment that its guild is taken over, though the former owner has left the channel', async () => {
    await stage.play('A')
    await stage.players.closeAll(BOT, SHUTDOWN)
    comeBack(1, null, { isTakenOver: true })
    expect(stage.sessionRestore.isRestoring(BOT, GUILD), 'while saved players are read').to.equal(true)
    await settle()
    expect(stage.sessionRestore.isRestoring(BOT, GUILD)).to.equal(false)
    expect(stage.players.count).to.equal(1)
  })

  it('is forgotten when no one listens any more, and the call that Discord still shows is left', async () => {
    await stage.play('A')
    await stage.players.closeAll(BOT, SHUTDOWN)
    const { left } = comeBack(0, CHANNEL)
    await settle()
    expect([stage.players.count, stage.saved.size, left()]).to.deep.equal([0, 0, 1])
  })

  it('comes back with no one there and nothing to play where it stays around the clock', async () => {
    stage.habits = { ...stage.habits, stays: true }
    await stage.play('A')
    await stage.music.skip(stage.scope, GUILD)
    await stage.players.closeAll(BOT, SHUTDOWN)
    const { left } = comeBack(0, CHANNEL)
    await settle()
    expect(await stage.info()).to.deep.include({ channelId: CHANNEL, current: null })
    expect([stage.saved.size, left()]).to.deep.equal([1, 0])
    await stage.clock.advance(3_600_000)
    expect(stage.players.count).to.equal(1)
  })

  it('leaves a call that no player belongs to, and none that one does', async () => {
    expect(await leavesWith(CHANNEL)).to.equal(1)
    await stage.play('A')
    expect([await leavesWith(CHANNEL), await leavesWith(null)]).to.deep.equal([0, 0])
  })

  it('comes back before those with fewer listeners, and the count says how far all are', async () => {
    const guildIds = ['1001', '1002', '1003']
    for (const guildId of guildIds) await stage.music.play(stage.scope, guildId, { query: 'A', channelId: CHANNEL })
    await stage.players.closeAll(BOT, SHUTDOWN)
    const gate = Promise.withResolvers<void>()
    stage.node.gate = gate.promise
    const guilds = guildIds.map((id, at) => ({
      id,
      ownChannelId: null,
      joinable: (channelId: string) => channelId,
      countListeners: () => [1, 5, 3][at] ?? 0,
      leave: () => undefined,
    }))
    void stage.sessionRestore.comeBack({ id: BOT, projectId: 'project' }, guilds)
    await settle()
    expect(stage.sessionRestore.progress()).to.deep.equal({ waiting: 3, restored: 0, failed: 0 })
    expect(stage.sessionRestore.progress('another bot').waiting).to.equal(0)
    gate.resolve()
    await settle()
    expect(stage.sessionRestore.progress(BOT)).to.deep.equal({ waiting: 0, restored: 3, failed: 0 })
    const order = [...stage.node.voices.keys()].map((key) => guildIds.find((id) => key.includes(id)))
    expect(order).to.deep.equal(['1002', '1003', '1001'])
  })

  it('is forgotten when the join fails for good', async () => {
    await stage.play('A')
    await stage.players.closeAll(BOT, SHUTDOWN)
    stage.node.refusedChannels.add(CHANNEL)
    comeBack(1)
    await settle()
    expect([stage.players.count, stage.saved.size]).to.deep.equal([0, 0])
  })

  it('loses nothing that is played while it comes back', async () => {
    await stage.play('A')
    await stage.players.closeAll(BOT, SHUTDOWN)
    const gate = Promise.withResolvers<void>()
    stage.node.gate = gate.promise
    comeBack(1)
    await settle()
    const played = stage.play('B')
    gate.resolve()
    expect((await played).position).to.equal(1)
    const { current, queue } = await stage.info()
    expect([current?.title, queue.map(({ title }) => title)]).to.deep.equal(['A', ['B']])
  })

  it('is kept for the next start when it is shut down again on its way back, or no audio node runs', async () => {
    await stage.play('A')
    await stage.players.closeAll(BOT, SHUTDOWN)
    const gate = Promise.withResolvers<void>()
    stage.node.gate = gate.promise
    comeBack(1)
    await settle()
    const closing = stage.players.closeAll(BOT, SHUTDOWN)
    gate.resolve()
    await closing
    await settle()
    expect([stage.players.count, stage.saved.size]).to.deep.equal([0, 1])
    stage.node.die()
    comeBack(1)
    await settle()
    expect([stage.players.count, stage.saved.size]).to.deep.equal([0, 1])
  })
})
