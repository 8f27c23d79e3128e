import { expect } from 'chai'
import { settle } from '../../../support/manual-clock.ts'
import { BOT, createStage, faultOf, GUILD, type Stage } from '../../../support/stage.ts'

describe('the crossfade of a guild', () => {
  let stage: Stage
  beforeEach(() => {
    stage = createStage()
    stage.habits = { ...stage.habits, crossfadeMs: 8000 }
  })
  afterEach(() => stage.close())

  const patch = (crossfadeMs: number) => stage.music.patch(stage.scope, GUILD, { crossfadeMs })
  const overlap = () => stage.node.voices.get(GUILD)!.next?.overlapMs

  /** The audio node tells where it is. */
  async function reach(positionMs: number): Promise<void> {
    const { playId } = stage.node.voices.get(GUILD)!.play!
    stage.node.tell({ type: 'position', botId: BOT, guildId: GUILD, playId, positionMs })
    await settle()
  }

  /** Overlap of the first two of these tracks, in milliseconds. */
  async function overlapOf(query: string, nearEndMs = 40_000): Promise<number | undefined> {
    await stage.play(query)
    await reach(nearEndMs)
    return overlap()
  }

  it('joins two tracks, the same one under a loop, the next track, and what autoplay suggests', async () => {
    expect(await overlapOf('A B')).to.equal(8000)
    await stage.music.patch(stage.scope, GUILD, { loop: 'track' })
    await stage.music.clear(stage.scope, GUILD)
    await reach(41_000)
    expect([stage.node.voices.get(GUILD)!.next?.playable, overlap()]).to.deep.equal([
      stage.node.voices.get(GUILD)!.play?.playable,
      8000,
    ])
  })

  for (const [pair, what] of [
    ['A radio', 'a live stream'],
    ['A short', 'a track that is shorter than twice as long'],
    ['lpA-1-3 lpA-1-4', 'the next track of its album'],
    ['lpA-1-9 lpA-2-1', 'the first track of the next disc'],
  ]) {
    it(`is never mixed into ${what}`, async () => {
      expect(await overlapOf(pair!)).to.equal(0)
    })
  }

  it('is not at the end of a track that is too short, but where nothing says how long one is', async () => {
    expect(await overlapOf('short B', 10_000)).to.equal(0)
    await stage.music.clear(stage.scope, GUILD)
    await stage.play('unmeasured')
    await settle()
    expect(overlap()).to.equal(0)
    stage.habits = { ...stage.habits, crossfadeMs: 7000 }
    await stage.music.clear(stage.scope, GUILD)
    await stage.play('unmeasured')
    await reach(11_000)
    expect(overlap()).to.equal(7000)
  })

  for (const pair of ['lpA-1-4 lpA-1-3', 'lpA-1-3 lpA-1-5', 'lpA-1-3 lpB-1-4', 'lpA-1-3 lpA-2-4', 'A lpA-1-1']) {
    it(`mixes ${pair}, which do not follow each other on an album`, async () => {
      expect(await overlapOf(pair)).to.equal(8000)
    })
  }

  it('knows the album of a track that was joined without a pause, too', async () => {
    await stage.play('lpA-1-1 lpA-1-2 lpA-1-3')
    await reach(40_000)
    const { next } = stage.node.voices.get(GUILD)!
    await stage.clock.advance(1000)
    const { playId } = stage.node.voices.get(GUILD)!.play!
    const end = { type: 'trackEnded', reason: 'finished', message: null, followedBy: next!.playId } as const
    stage.node.tell({ ...end, botId: BOT, guildId: GUILD, playId })
    await settle()
    stage.node.tell({ type: 'position', botId: BOT, guildId: GUILD, playId: next!.playId, positionMs: 40_000 })
    await settle()
    expect(stage.node.voices.get(GUILD)!.next).to.deep.include({ overlapMs: 0 })
    expect((await stage.info()).current?.title).to.equal('lpA-1-2')
  })

  it('is changed for the guild by PATCH, told of, and holds for what is prepared already', async () => {
    expect(await overlapOf('A B')).to.equal(8000)
    expect(await patch(3000)).to.include({ crossfadeMs: 3000, fadeMs: 150 })
    await settle()
    expect([overlap(), stage.habits.crossfadeMs]).to.deep.equal([3000, 3000])
    stage.habits = { ...stage.habits, crossfadeMs: 0 }
    stage.player().settingsChanged()
    await settle()
    expect(overlap()).to.equal(0)
  })

  it('takes back what it prepared too early for what is set now', async () => {
    expect(await overlapOf('A B', 25_000)).to.equal(8000)
    await patch(0)
    await settle()
    expect(stage.node.voices.get(GUILD)!.next).to.equal(null)
    await reach(31_000)
    expect(overlap()).to.equal(0)
  })

  it('prepares what follows earlier by as much as it is long', async () => {
    expect(await overlapOf('A B', 21_900)).to.equal(undefined)
    await reach(22_100)
    expect(overlap()).to.equal(8000)
  })

  it('is heard in the sound at once when fades are changed', async () => {
    await stage.play('A')
    await stage.music.patch(stage.scope, GUILD, { fadeMs: 0 })
    expect(stage.node.voices.get(GUILD)!.sound).to.include({ fadeMs: 0 })
    expect(await faultOf(stage.music.patch(stage.scope, GUILD, { fadeMs: 400 }))).to.equal('no fault')
    expect((await stage.info()).fadeMs).to.equal(400)
  })
})
