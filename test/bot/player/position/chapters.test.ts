import { expect } from 'chai'
import { settle } from '../../../support/manual-clock.ts'
import { BOT, createStage, faultOf, GUILD, type Stage } from '../../../support/stage.ts'

describe('the chapters of what plays', () => {
  let stage: Stage
  beforeEach(() => {
    stage = createStage()
  })
  afterEach(() => stage.close())

  const begun = () =>
    stage.events.flatMap(({ event }) => (event.type === 'chapterStarted' ? [event.chapter.title] : []))
  const position = (positionMs: number) => {
    const { playId = 0 } = stage.node.voices.get(GUILD)?.play ?? {}
    stage.node.tell({ botId: BOT, guildId: GUILD, type: 'position', playId, positionMs })
  }

  it('are part of the player, each ending where the next begins', async () => {
    await stage.play('book A')
    await settle()
    expect((await stage.info()).chapters).to.deep.equal([
      { title: 'One', startMs: 0, endMs: 20_000 },
      { title: 'Two', startMs: 20_000, endMs: 40_000 },
      { title: 'Three', startMs: 40_000, endMs: 60_000 },
    ])
    await stage.music.skip(stage.scope, GUILD)
    await settle()
    expect((await stage.info()).chapters).to.deep.equal([])
  })

  it('are told as each begins, once, at its moment', async () => {
    await stage.play('book')
    await settle()
    expect(begun()).to.deep.equal(['One'])
    position(19_100)
    await stage.clock.advance(890)
    expect(begun()).to.deep.equal(['One'])
    await stage.clock.advance(60)
    expect(begun()).to.deep.equal(['One', 'Two'])
    position(20_100)
    position(21_100)
    await stage.clock.advance(5000)
    expect(begun()).to.deep.equal(['One', 'Two'])
    expect(stage.events.at(-1)?.event).to.deep.include({ number: 2, guildId: GUILD })
  })

  it('are told when the player moves into one, and not while it is paused before one', async () => {
    await stage.play('book')
    await stage.music.patch(stage.scope, GUILD, { positionMs: 45_000 })
    await stage.music.patch(stage.scope, GUILD, { positionMs: 1000 })
    expect(begun()).to.deep.equal(['One', 'Three', 'One'])
    await stage.music.patch(stage.scope, GUILD, { paused: true })
    position(19_900)
    await stage.clock.advance(10_000)
    expect(begun()).to.have.length(3)
  })

  it('are told again when the track repeats', async () => {
    await stage.play('book')
    await stage.music.patch(stage.scope, GUILD, { loop: 'track' })
    await settle()
    await stage.finish()
    expect(begun()).to.deep.equal(['One', 'One'])
  })

  it('are where the player can seek to, by their numbers', async () => {
    await stage.play('book')
    await settle()
    const { positionMs } = await stage.music.seekToChapter(stage.scope, GUILD, { chapter: 3 })
    expect(positionMs).to.equal(40_000)
    expect(stage.node.calls.at(-1)).to.equal('seek 40000')
    const refusal = (chapter: number) => faultOf(stage.music.seekToChapter(stage.scope, GUILD, { chapter }))
    expect(await refusal(4)).to.equal('validation_error no_such_chapter')
    await stage.play('A')
    await stage.music.skip(stage.scope, GUILD)
    expect(await refusal(1)).to.equal('conflict')
    await stage.music.skip(stage.scope, GUILD)
    expect(await refusal(1)).to.equal('conflict')
  })

  it('leave no timer behind when the track or the player ends', async () => {
    await stage.play('book A')
    await settle()
    position(19_900)
    await stage.music.skip(stage.scope, GUILD)
    await stage.clock.advance(2000)
    expect(begun()).to.deep.equal(['One'])
    await stage.play('book')
    await stage.music.skip(stage.scope, GUILD)
    await settle()
    position(19_900)
    await stage.music.close(stage.scope, GUILD)
    await stage.clock.advance(2000)
    expect(begun()).to.deep.equal(['One', 'One'])
  })
})
