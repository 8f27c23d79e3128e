import { expect } from 'chai'
import { SHUTDOWN } from '../../../../bot/player/voice-lifecycle.ts'
import { settle } from '../../../support/manual-clock.ts'
import { BOT, CHANNEL, createStage, faultOf, GUILD, tokenOf, type Stage } from '../../../support/stage.ts'

describe('the next track', () => {
  let stage: Stage
  beforeEach(() => {
    stage = createStage()
  })
  afterEach(() => stage.close())

  const set = (name: string | null) =>
    name === null
      ? stage.music.clearNextTrack(stage.scope, GUILD)
      : stage.music.setNextTrack(stage.scope, GUILD, { track: { encoded: tokenOf(name) } })
  const next = async () => (await stage.music.nextTrack(stage.scope, GUILD)).track?.title ?? null
  const prepared = () => stage.node.calls.filter((call) => call.startsWith('prepare'))
  const plays = () => stage.node.calls.filter((call) => call.startsWith('play'))

  /** The audio node tells where it is. */
  async function reach(positionMs: number): Promise<void> {
    const { playId } = stage.node.voices.get(GUILD)!.play!
    stage.node.tell({ type: 'position', botId: BOT, guildId: GUILD, playId, positionMs })
    await settle()
  }

  async function finish(): Promise<void> {
    // A track that ends within 100 ms counts as empty.
    await stage.clock.advance(1000)
    stage.node.finish(GUILD)
    await settle()
  }

  it('plays once, after the current track and ahead of the queue, and can be read and taken back', async () => {
    await stage.play('A B')
    expect(await next()).to.equal(null)
    expect((await set('N')).track?.title).to.equal('N')
    expect([await next(), await stage.titles()]).to.deep.equal(['N', 'A B'])
    expect((await set(null)).track).to.equal(null)
    expect(await next()).to.equal(null)
    await set('N')
    await finish()
    expect([await next(), await stage.titles()]).to.deep.equal([null, 'N B'])
    await set('M')
    await stage.music.skip(stage.scope, GUILD)
    expect([await next(), await stage.titles()]).to.deep.equal([null, 'M B'])
    expect(stage.told).to.deep.equal([
      'trackStarted A',
      'trackEnded finished',
      'trackStarted N',
      'trackEnded replaced',
      'trackStarted M',
    ])
  })

  it('is opened again when the queue changes near the end of the current track', async () => {
    await stage.play('A B C')
    await reach(40_000)
    await stage.music.remove(stage.scope, GUILD, { position: 1 })
    await settle()
    await stage.music.clear(stage.scope, GUILD)
    await settle()
    expect(prepared()).to.deep.equal(['prepare /B.ogg', 'prepare /C.ogg', 'prepare nothing'])
  })

  it('is opened a few times at once and then each second, however often the queue changes', async () => {
    await stage.play('A B C')
    await reach(40_000)
    for (let times = 0; times < 20; times += 1) {
      await stage.music.move(stage.scope, GUILD, { from: 1, to: 2 })
      await settle()
    }
    const opened = () => prepared().filter((call) => call !== 'prepare nothing')
    expect(opened().length).to.be.within(4, 6)
    await stage.clock.advance(1000)
    await settle()
    expect(prepared().at(-1)).to.equal('prepare /B.ogg')
    expect(opened().length).to.be.within(5, 7)
  })

  for (const [loop, after] of [
    ['off', 'N B'],
    ['track', 'N B'],
    ['queue', 'N B A'],
  ] as const) {
    it(`goes before any repetition · loop ${loop}`, async () => {
      await stage.play('A B')
      await stage.music.patch(stage.scope, GUILD, { loop })
      await set('N')
      await finish()
      expect(await stage.titles()).to.equal(after)
    })
  }

  it('is refused where there is no player, nothing plays, or the token cannot be played', async () => {
    expect(await faultOf(set('N'))).to.equal('not_found')
    await stage.play('A')
    expect(await faultOf(stage.music.setNextTrack(stage.scope, GUILD, { track: { encoded: 'nonsense' } }))).to.contain(
      'validation_error',
    )
    expect(await faultOf(set('gone'))).to.contain('validation_error')
    await finish()
    expect(await faultOf(set('N'))).to.equal('conflict')
    expect((await set(null)).track).to.equal(null)
  })

  it('is prepared in the last half minute, and becomes the current track without being played again', async () => {
    await stage.play('A B')
    await set('N')
    await reach(29_000)
    expect(prepared()).to.deep.equal([])
    await reach(31_000)
    await reach(32_000)
    expect(prepared()).to.deep.equal(['prepare /N.ogg'])
    expect(stage.node.voices.get(GUILD)?.next?.isSeamless).to.equal(true)
    await finish()
    expect(plays()).to.deep.equal(['play /A.ogg'])
    expect(await stage.titles()).to.equal('N B')
    expect(stage.told).to.deep.equal(['trackStarted A', 'trackEnded finished', 'trackStarted N'])
    await reach(31_000)
    expect(stage.node.voices.get(GUILD)?.next?.isSeamless, 'the queue').to.equal(false)
    await finish()
    expect([await stage.titles(), plays()]).to.deep.equal(['B', ['play /A.ogg']])
    expect((await stage.info()).positionMs).to.equal(0)
    await reach(45_000)
    await finish()
    expect(stage.told.slice(-2)).to.deep.equal(['trackEnded finished', 'queueEmptied'])
  })

  it('is prepared again when another one is asked for, and taken back with the queue', async () => {
    await stage.play('A B')
    await reach(31_000)
    await set('N')
    await settle()
    await set(null)
    await settle()
    await stage.music.clear(stage.scope, GUILD)
    await reach(32_000)
    expect(prepared()).to.deep.equal(['prepare /B.ogg', 'prepare /N.ogg', 'prepare /B.ogg', 'prepare nothing'])
  })

  it('gives way when it was decided otherwise a moment too late', async () => {
    await stage.play('A B C')
    await reach(31_000)
    const edit = stage.music.remove(stage.scope, GUILD, { position: 1 })
    stage.node.finish(GUILD)
    await edit
    await settle()
    expect([await stage.titles(), plays()]).to.deep.equal(['C', ['play /A.ogg', 'play /C.ogg']])
    await reach(31_000)
    await stage.music.patch(stage.scope, GUILD, { loop: 'track' })
    await reach(31_500)
    await stage.music.patch(stage.scope, GUILD, { loop: 'off' })
    await finish()
    expect(stage.told.slice(-2)).to.deep.equal(['trackEnded finished', 'queueEmptied'])
    expect(stage.node.voices.get(GUILD)?.play).to.equal(null)
  })

  it('is tried in its turn when it could not be prepared, and dropped then', async () => {
    await stage.play('A')
    await set('N')
    await reach(31_000)
    stage.node.voices.get(GUILD)!.next = null
    await finish()
    expect([await stage.titles(), plays()]).to.deep.equal(['N', ['play /A.ogg', 'play /N.ogg']])
  })

  it('outlives a restart', async () => {
    await stage.play('A B')
    await set('N')
    await stage.players.closeAll(BOT, SHUTDOWN)
    const guild = { id: GUILD, ownChannelId: null, joinable: () => CHANNEL, countListeners: () => 1, leave: () => {} }
    void stage.sessionRestore.comeBack({ id: BOT, projectId: 'project' }, [guild])
    await settle()
    expect([await next(), await stage.titles()]).to.deep.equal(['N', 'A B'])
  })
})
