import { expect } from 'chai'
import { createStage, GUILD, tokenOf, type Stage } from '../../../support/stage.ts'

describe('the positions of a queue', () => {
  it('are named when a request asks for another one', async () => {
    const stage = createStage()
    await stage.play('A B')
    const remove = (position: number) => stage.music.remove(stage.scope, GUILD, { position })
    const refused = (position: number) => remove(position).catch((error: unknown) => error)
    const reason = 'no_such_position'
    expect(await refused(2)).to.include({ reason, message: 'Must be from 1 to 1, a position in the queue.' })
    await remove(1)
    expect(await refused(1)).to.include({ reason, message: 'The queue is empty.' })
    stage.close()
  })
})

describe('skipping to a position of the queue', () => {
  let stage: Stage
  beforeEach(() => {
    stage = createStage()
  })
  afterEach(() => stage.close())

  const skipTo = (position: number) => stage.music.skipTo(stage.scope, GUILD, { position })

  it('plays the track there at once, and passes over those before it', async () => {
    await stage.play('A B C D E')
    expect((await skipTo(3)).track?.title).to.equal('D')
    expect(await stage.titles()).to.equal('D E')
    expect((await skipTo(1)).track?.title).to.equal('E')
    expect((await stage.music.previous(stage.scope, GUILD)).track?.title).to.equal('D')
  })

  it('puts what it left and what it passed over at the back under loop queue, in the order of the queue', async () => {
    await stage.play('A B C D E')
    await stage.music.patch(stage.scope, GUILD, { loop: 'queue' })
    await skipTo(3)
    expect(await stage.titles()).to.equal('D E A B C')
    await skipTo(4)
    expect(await stage.titles()).to.equal('C D E A B')
    await skipTo(1)
    expect(await stage.titles()).to.equal('D E A B C')
    await stage.music.previous(stage.scope, GUILD)
    expect(await stage.titles()).to.equal('C D E A B')
  })

  it('passes over what was set as the next track', async () => {
    await stage.play('A B C')
    await stage.music.setNextTrack(stage.scope, GUILD, { track: { encoded: tokenOf('X') } })
    await skipTo(2)
    expect(await stage.titles()).to.equal('C')
    expect((await stage.music.nextTrack(stage.scope, GUILD)).track).to.equal(null)
  })

  it('changes nothing for a position that there is not', async () => {
    await stage.play('A B')
    const fault = await skipTo(2).catch((error: unknown) => error)
    expect(fault).to.include({ reason: 'no_such_position', message: 'Must be from 1 to 1, a position in the queue.' })
    expect(await stage.titles()).to.equal('A B')
  })
})

function reasonOf(asked: Promise<unknown>): Promise<string | null | undefined> {
  return asked.then(
    () => null,
    ({ reason }: { reason?: string }) => reason,
  )
}

describe('several tracks of a queue', () => {
  let stage: Stage
  beforeEach(async () => {
    stage = createStage()
    await stage.play('A B C D E F')
  })
  afterEach(() => stage.close())

  const remove = (...positions: number[]) => stage.music.removeSeveral(stage.scope, GUILD, { positions })
  const move = (positions: number[], to: number) => stage.music.moveSeveral(stage.scope, GUILD, { positions, to })

  it('are taken out, or moved in their order, at once', async () => {
    await move([5, 2], 1)
    expect(await stage.titles()).to.equal('A C F B D E')
    await move([1, 2], 4)
    expect(await stage.titles()).to.equal('A B D E C F')
    await move([1, 2], 5)
    expect(await stage.titles()).to.equal('A E C F B D')
    await remove(5, 1, 3)
    expect(await stage.titles()).to.equal('A C B')
  })

  it('stay where they are when one of the positions is none', async () => {
    expect(await reasonOf(remove(1, 6))).to.equal('no_such_position')
    expect(await reasonOf(move([1, 6], 1))).to.equal('no_such_position')
    expect(await reasonOf(move([1], 6))).to.equal('no_such_target')
    expect(await stage.titles()).to.equal('A B C D E F')
  })

  it('come back by one step, for as long as nothing else has changed the queue', async () => {
    const undo = () => stage.music.undo(stage.scope, GUILD)
    await remove(2, 4)
    await undo()
    expect(await stage.titles()).to.equal('A B C D E F')
    expect(await reasonOf(undo())).to.equal('nothing_to_undo')
    await stage.music.shuffle(stage.scope, GUILD)
    await stage.music.clear(stage.scope, GUILD)
    await stage.music.clear(stage.scope, GUILD)
    await undo()
    expect((await stage.titles()).split(' ').toSorted().join(' ')).to.equal('A B C D E F')
    expect(await reasonOf(undo())).to.equal('nothing_to_undo')
    await stage.music.clear(stage.scope, GUILD)
    await stage.play('G')
    expect(await reasonOf(undo())).to.equal('nothing_to_undo')
  })

  it('have numbers that stay theirs wherever they move, and a version that changes with the queue', async () => {
    const items = () => stage.music.queueItems(stage.scope, GUILD)
    const first = await items()
    expect((await items()).version).to.equal(first.version)
    await stage.music.move(stage.scope, GUILD, { from: 4, to: 1 })
    const second = await items()
    const [a, b, c, d, e] = first.ids
    expect(second.ids).to.deep.equal([d, a, b, c, e])
    expect(second.version).not.to.equal(first.version)
    expect(second.tracks.map(({ info }) => info.title).join(' ')).to.equal('E B C D F')
  })
})
