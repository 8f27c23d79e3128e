import { expect } from 'chai'
import type { Player } from '../../bot/player.ts'
import { settle } from '../support/hand-clock.ts'
import { BOT, CHANNEL, createStage, GUILD, type Stage } from '../support/stage.ts'

describe('a player with nothing to do', () => {
  let stage: Stage
  beforeEach(() => {
    stage = createStage()
  })
  afterEach(() => stage.close())

  const play = (query: string) => stage.music.play(stage.who, GUILD, { query, channelId: CHANNEL })
  const info = () => stage.music.info(stage.who, GUILD)
  const player = (): Player => {
    const found = stage.players.find(BOT, GUILD)
    if (!found) throw new Error('There is no player.')
    return found
  }
  const finish = async (reason: 'finished' | 'loadFailed' = 'finished'): Promise<void> => {
    await stage.clock.advance(1000)
    stage.node.finish(GUILD, reason)
    await settle()
  }

  it('stays for five minutes and then closes, told in order', async () => {
    await play('A')
    await finish()
    await stage.clock.advance(299_000)
    expect(player().isClosed).to.equal(false)
    await stage.clock.advance(1000)
    expect(stage.told).to.deep.equal(['trackStarted A', 'trackEnded finished', 'queueEmptied', 'playerClosed idle'])
    expect([stage.node.voices.size, stage.saved.size]).to.deep.equal([0, 0])
  })

  it('stays when something is played meanwhile, and begins to wait anew afterwards', async () => {
    await play('A')
    await finish()
    await stage.clock.advance(200_000)
    await play('B')
    await stage.clock.advance(200_000)
    expect((await info()).current?.title).to.equal('B')
    await finish()
    await stage.clock.advance(299_000)
    expect(player().isClosed).to.equal(false)
  })

  it('closes a minute after the last listener left', async () => {
    await play('A')
    await finish()
    stage.listeners = 0
    player().listenersChanged()
    await stage.clock.advance(59_000)
    expect(stage.told.at(-1)).to.equal('queueEmptied')
    await stage.clock.advance(1000)
    expect(stage.told.at(-1)).to.equal('playerClosed idle')
  })

  it('closes a minute after the last listener left while it plays, too', async () => {
    await play('A')
    stage.listeners = 0
    player().listenersChanged()
    await stage.clock.advance(60_000)
    expect(stage.told.slice(1)).to.deep.equal(['trackEnded cleanup', 'playerClosed idle'])
  })

  it('stays while it is paused and somebody listens, and a minute at most when nobody does', async () => {
    await play('A')
    await stage.music.patch(stage.who, GUILD, { paused: true })
    await stage.clock.advance(3_600_000)
    expect((await info()).paused).to.equal(true)
    stage.listeners = 0
    player().listenersChanged()
    await stage.clock.advance(60_000)
    expect(stage.told.slice(1)).to.deep.equal(['trackEnded cleanup', 'playerClosed idle'])
  })

  it('closes by whichever time is over first, idle or alone', async () => {
    await play('A')
    await finish()
    await stage.clock.advance(270_000)
    stage.listeners = 0
    player().listenersChanged()
    await stage.clock.advance(29_000)
    expect(player().isClosed).to.equal(false)
    await stage.clock.advance(1000)
    expect(stage.told.at(-1)).to.equal('playerClosed idle')
  })

  it('stays around the clock where that is set, with nobody there and nothing to play', async () => {
    stage.habits = { ...stage.habits, stays: true }
    await play('A')
    await finish()
    stage.listeners = 0
    player().listenersChanged()
    await stage.clock.advance(3_600_000)
    expect(player().isClosed).to.equal(false)
    await play('B')
    await stage.clock.advance(3_600_000)
    expect((await info()).current?.title).to.equal('B')
  })

  it('begins to wait when staying is no longer wanted, and waits no more when it is', async () => {
    await play('A')
    stage.listeners = 0
    player().listenersChanged()
    await stage.clock.advance(50_000)
    stage.habits = { ...stage.habits, stays: true }
    player().listenersChanged()
    await stage.clock.advance(3_600_000)
    expect(player().isClosed).to.equal(false)
    stage.habits = { ...stage.habits, stays: false }
    player().listenersChanged()
    await stage.clock.advance(60_000)
    expect(stage.told.at(-1)).to.equal('playerClosed idle')
  })

  it('stays when a listener comes back within the minute', async () => {
    await play('A')
    stage.listeners = 0
    player().listenersChanged()
    await stage.clock.advance(50_000)
    stage.listeners = 1
    player().listenersChanged()
    await stage.clock.advance(50_000)
    stage.listeners = 0
    player().listenersChanged()
    await stage.clock.advance(50_000)
    expect(player().isClosed).to.equal(false)
  })
})
