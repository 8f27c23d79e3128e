import { expect } from 'chai'
import { createStage, GUILD, type Stage } from '../../support/stage.ts'

describe('a player with nothing to do', () => {
  let stage: Stage
  beforeEach(() => {
    stage = createStage()
  })
  afterEach(() => stage.close())

  it('stays for five minutes and then closes, told in order', async () => {
    await stage.play('A')
    await stage.finish()
    await stage.clock.advance(299_000)
    expect(stage.player().isClosed).to.equal(false)
    await stage.clock.advance(1000)
    expect(stage.told).to.deep.equal(['trackStarted A', 'trackEnded finished', 'queueEmptied', 'playerClosed idle'])
    expect([stage.node.voices.size, stage.saved.size]).to.deep.equal([0, 0])
  })

  it('stays when something is played meanwhile, and begins to wait again afterwards', async () => {
    await stage.play('A')
    await stage.finish()
    await stage.clock.advance(200_000)
    await stage.play('B')
    await stage.clock.advance(200_000)
    expect((await stage.info()).current?.title).to.equal('B')
    await stage.finish()
    await stage.clock.advance(299_000)
    expect(stage.player().isClosed).to.equal(false)
  })

  it('closes a minute after the last listener left', async () => {
    await stage.play('A')
    await stage.finish()
    stage.listeners = 0
    stage.player().listenersChanged()
    await stage.clock.advance(59_000)
    expect(stage.told.at(-1)).to.equal('queueEmptied')
    await stage.clock.advance(1000)
    expect(stage.told.at(-1)).to.equal('playerClosed idle')
  })

  it('closes a minute after the last listener left while it plays, too', async () => {
    await stage.play('A')
    stage.listeners = 0
    stage.player().listenersChanged()
    await stage.clock.advance(60_000)
    expect(stage.told.slice(1)).to.deep.equal(['trackEnded cleanup', 'playerClosed idle'])
  })

  it('stays while it is paused and someone listens, and a minute at most when no one does', async () => {
    await stage.play('A')
    await stage.music.patch(stage.scope, GUILD, { paused: true })
    await stage.clock.advance(3_600_000)
    expect((await stage.info()).paused).to.equal(true)
    stage.listeners = 0
    stage.player().listenersChanged()
    await stage.clock.advance(60_000)
    expect(stage.told.slice(1)).to.deep.equal(['trackEnded cleanup', 'playerClosed idle'])
  })

  it('closes by whichever time is over first, idle or alone', async () => {
    await stage.play('A')
    await stage.finish()
    await stage.clock.advance(270_000)
    stage.listeners = 0
    stage.player().listenersChanged()
    await stage.clock.advance(29_000)
    expect(stage.player().isClosed).to.equal(false)
    await stage.clock.advance(1000)
    expect(stage.told.at(-1)).to.equal('playerClosed idle')
  })

  it('stays around the clock where that is set, with no one there and nothing to play', async () => {
    stage.habits = { ...stage.habits, stays: true }
    await stage.play('A')
    await stage.finish()
    stage.listeners = 0
    stage.player().listenersChanged()
    await stage.clock.advance(3_600_000)
    expect(stage.player().isClosed).to.equal(false)
    await stage.play('B')
    await stage.clock.advance(3_600_000)
    expect((await stage.info()).current?.title).to.equal('B')
  })

  it('begins to wait when staying is no longer wanted, and waits no more when it is', async () => {
    await stage.play('A')
    stage.listeners = 0
    stage.player().listenersChanged()
    await stage.clock.advance(50_000)
    stage.habits = { ...stage.habits, stays: true }
    stage.player().listenersChanged()
    await stage.clock.advance(3_600_000)
    expect(stage.player().isClosed).to.equal(false)
    stage.habits = { ...stage.habits, stays: false }
    stage.player().listenersChanged()
    await stage.clock.advance(60_000)
    expect(stage.told.at(-1)).to.equal('playerClosed idle')
  })

  it('stays when a listener comes back within the minute', async () => {
    await stage.play('A')
    stage.listeners = 0
    stage.player().listenersChanged()
    await stage.clock.advance(50_000)
    stage.listeners = 1
    stage.player().listenersChanged()
    await stage.clock.advance(50_000)
    stage.listeners = 0
    stage.player().listenersChanged()
    await stage.clock.advance(50_000)
    expect(stage.player().isClosed).to.equal(false)
  })
})
