import { expect } from 'chai'
import { SHUTDOWN } from '../../../../bot/player/voice-lifecycle.ts'
import { settle } from '../../../support/manual-clock.ts'
import { BOT, CHANNEL, createStage, faultOf, GUILD, type Stage } from '../../../support/stage.ts'

const MINUTE = 60_000

describe('the sleep timer', () => {
  let stage: Stage
  beforeEach(() => {
    stage = createStage()
  })
  afterEach(() => stage.close())

  const sleep = (minutes: number | null) => stage.music.sleep(stage.scope, GUILD, { minutes })
  const volume = () => stage.node.voices.get(GUILD)?.sound?.volume ?? 100
  const comeBack = async () => {
    const guild = { id: GUILD, ownChannelId: null, joinable: () => CHANNEL, countListeners: () => 1, leave: () => {} }
    void stage.sessionRestore.comeBack({ id: BOT, projectId: 'project' }, [guild])
    await settle()
  }

  it('fades the sound out, then ends the music and leaves', async () => {
    await stage.play('radio B')
    const endsAt = new Date(stage.clock.dateMs() + 30 * MINUTE).toISOString()
    expect(await sleep(30)).to.deep.equal({ sleep: { endsAt } })
    expect((await stage.info()).sleep).to.deep.equal({ endsAt })
    await stage.clock.advance(30 * MINUTE - 12_001)
    expect(volume()).to.equal(100)
    const levels: number[] = []
    for (let second = 0; second < 12; second++) {
      await stage.clock.advance(1000)
      levels.push(volume())
    }
    const steps = levels.slice(1).map((level, i) => 20 * Math.log10(level / levels[i]!))
    for (const step of steps) expect(step).to.be.closeTo(-3, 0.01)
    expect(levels.at(-1)).to.be.below(2)
    expect((await stage.info()).volume, 'as it was set').to.equal(100)
    await stage.clock.advance(1000)
    expect(stage.told.slice(-2)).to.deep.equal(['trackEnded cleanup', 'playerClosed idle'])
    expect([stage.players.count, stage.saved.size]).to.deep.equal([0, 0])
  })

  it('can be set again and called off, and the sound is as loud as before', async () => {
    await stage.play('radio')
    await stage.music.patch(stage.scope, GUILD, { volume: 80 })
    await sleep(1)
    await stage.clock.advance(55_000)
    expect(volume()).to.be.below(30)
    await sleep(2)
    await settle()
    expect(volume()).to.equal(80)
    await sleep(1)
    await stage.clock.advance(55_000)
    expect(await sleep(0)).to.deep.equal({ sleep: null })
    await settle()
    expect(volume()).to.equal(80)
    await stage.clock.advance(10 * MINUTE)
    expect(stage.players.count).to.equal(1)
  })

  it('ends the music with the track that plays, of which nothing is prepared to follow', async () => {
    await stage.play('A B')
    expect(await sleep(null)).to.deep.equal({ sleep: { endsAt: null } })
    stage.node.tell({ botId: BOT, guildId: GUILD, type: 'position', playId: 1, positionMs: 55_000 })
    await settle()
    expect(stage.node.calls.some((call) => call.startsWith('prepare /B'))).to.equal(false)
    await stage.finish()
    expect(stage.told).to.deep.equal(['trackStarted A', 'trackEnded cleanup', 'playerClosed idle'])
  })

  it('waits for the end of the next track where this one is skipped', async () => {
    await stage.play('A B C')
    await sleep(null)
    await stage.music.skip(stage.scope, GUILD)
    expect(stage.players.count).to.equal(1)
    await stage.finish()
    expect(stage.told.at(-1)).to.equal('playerClosed idle')
  })

  it('wants a track with an end to wait for, and no more than twelve hours', async () => {
    await stage.play('radio')
    expect(await faultOf(sleep(null))).to.equal('conflict')
    await stage.music.skip(stage.scope, GUILD)
    expect(await faultOf(sleep(null))).to.equal('conflict')
    expect((await sleep(720)).sleep?.endsAt).to.equal(new Date(stage.clock.dateMs() + 720 * MINUTE).toISOString())
  })

  it('runs on through a restart, and lets no player come back whose time is up', async () => {
    await stage.play('radio')
    const { sleep: set } = await sleep(30)
    await stage.players.closeAll(BOT, SHUTDOWN)
    await stage.clock.advance(10 * MINUTE)
    await comeBack()
    expect((await stage.info()).sleep).to.deep.equal(set)
    await stage.clock.advance(20 * MINUTE - 6000)
    expect(volume()).to.be.closeTo(100 * 10 ** (-21 / 20), 0.1)
    await stage.clock.advance(6000)
    expect(stage.players.count).to.equal(0)
    await stage.play('radio')
    await sleep(30)
    await stage.players.closeAll(BOT, SHUTDOWN)
    await stage.clock.advance(31 * MINUTE)
    await comeBack()
    expect([stage.players.count, stage.saved.size]).to.deep.equal([0, 0])
  })
})
