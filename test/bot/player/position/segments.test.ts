import { expect } from 'chai'
import { settle } from '../../../support/manual-clock.ts'
import { BOT, createStage, GUILD, type Stage } from '../../../support/stage.ts'

const skip = (startMs: number, endMs: number) => ({ category: 'sponsor', action: 'skip', startMs, endMs }) as const

describe('what viewers marked in a track', () => {
  let stage: Stage
  beforeEach(() => {
    stage = createStage()
  })
  afterEach(() => stage.close())

  const voice = () => stage.node.voices.get(GUILD)
  const told = () =>
    stage.events.flatMap(({ event }) =>
      event.type === 'segmentSkipped' ? [`${event.segment.startMs}-${event.segment.endMs}`] : [],
    )
  const switchOn = () => stage.segments.set(['sponsor'])
  const mark = (name: string, ...segments: readonly ReturnType<typeof skip>[]) =>
    stage.segments.marked.set(name, segments)

  it('is not even asked for until a category is switched on', async () => {
    mark('A', skip(10_000, 20_000))
    await stage.play('A')
    await settle()
    expect(stage.segments.asked).to.deep.equal([])
    expect(await stage.info()).to.deep.include({ sponsorBlock: [], segments: [] })
    await stage.music.patch(stage.scope, GUILD, { sponsorBlock: ['sponsor', 'sponsor'] })
    expect(await stage.info()).to.deep.include({ sponsorBlock: ['sponsor'], segments: [skip(10_000, 20_000)] })
    expect(voice()?.segments).to.deep.equal([skip(10_000, 20_000)])
    await stage.music.patch(stage.scope, GUILD, { sponsorBlock: [] })
    expect(voice()?.segments).to.deep.equal([])
  })

  it('is passed over by the audio node, and told', async () => {
    await switchOn()
    mark('A', skip(10_000, 20_000))
    await stage.play('A')
    await settle()
    const segment = skip(10_000, 20_000)
    expect(voice()?.segments).to.deep.equal([segment])
    const { playId = 0 } = voice()?.play ?? {}
    stage.node.tell({ botId: BOT, guildId: GUILD, type: 'segmentSkipped', playId: playId + 7, segment })
    expect(told()).to.deep.equal([])
    stage.node.tell({ botId: BOT, guildId: GUILD, type: 'segmentSkipped', playId, segment })
    expect(told()).to.deep.equal(['10000-20000'])
  })

  it('at the very beginning is never heard: the track is opened behind it', async () => {
    await switchOn()
    mark('A', skip(0, 15_000))
    await stage.play('A B')
    expect(voice()?.play?.positionMs).to.equal(15_000)
    expect((await stage.info()).positionMs).to.equal(15_000)
    expect(stage.told.slice(0, 2)).to.deep.equal(['trackStarted A', 'segmentSkipped'])
    expect(told()).to.deep.equal(['0-15000'])
  })

  it('at the beginning of what follows keeps it from being joined at its beginning', async () => {
    await switchOn()
    mark('B', skip(0, 15_000))
    await stage.play('A B')
    const { playId = 0 } = voice()?.play ?? {}
    stage.node.tell({ botId: BOT, guildId: GUILD, type: 'position', playId, positionMs: 45_000 })
    await settle()
    expect(voice()?.next).to.equal(null)
    await stage.finish()
    expect(voice()?.play?.positionMs).to.equal(15_000)
    expect((await stage.info()).current?.title).to.equal('B')
  })

  it('at the very end ends the track, which is told as far as it is long', async () => {
    await switchOn()
    mark('A', skip(50_000, 59_800))
    await stage.play('A B')
    await settle()
    const [segment] = voice()?.segments ?? []
    expect(segment).to.deep.equal({ ...skip(50_000, 0), endMs: Infinity })
    const { playId = 0 } = voice()?.play ?? {}
    if (segment) stage.node.tell({ botId: BOT, guildId: GUILD, type: 'segmentSkipped', playId, segment })
    expect(told()).to.deep.equal(['50000-60000'])
  })

  it('is jumped behind when the player seeks into it', async () => {
    await switchOn()
    mark('A', skip(10_000, 20_000))
    await stage.play('A')
    await settle()
    expect((await stage.music.patch(stage.scope, GUILD, { positionMs: 12_000 })).positionMs).to.equal(20_000)
    expect(stage.node.calls.at(-1)).to.equal('seek 20000')
    expect(told()).to.deep.equal(['10000-20000'])
    expect((await stage.music.patch(stage.scope, GUILD, { positionMs: 20_000 })).positionMs).to.equal(20_000)
    expect((await stage.music.patch(stage.scope, GUILD, { positionMs: 9000 })).positionMs).to.equal(9000)
    expect(told()).to.have.length(1)
  })

  it('does not hold up the music: what is found out late is passed over from then on', async () => {
    await switchOn()
    mark('A', skip(0, 15_000))
    const gate = Promise.withResolvers<void>()
    stage.segments.gate = gate.promise
    const playing = stage.play('A')
    await settle()
    await stage.clock.advance(1600)
    await playing
    expect(voice()?.play?.positionMs).to.equal(0)
    gate.resolve()
    await settle()
    expect(voice()?.segments).to.deep.equal([skip(0, 15_000)])
  })

  it('goes with its track, and comes again when that repeats', async () => {
    await switchOn()
    mark('A', skip(10_000, 20_000))
    await stage.play('A B')
    await stage.music.skip(stage.scope, GUILD)
    await settle()
    expect((await stage.info()).segments).to.deep.equal([])
    expect(voice()?.segments).to.deep.equal([])
    await stage.music.previous(stage.scope, GUILD)
    await settle()
    expect(voice()?.segments).to.have.length(1)
  })
})
