import { expect } from 'chai'
import { createStage, GUILD, tokenOf, type Stage } from '../../../support/stage.ts'

describe('the positions of a queue', () => {
  it('are named when a request asks for another one', async () => {
    const stage = createStage()
    await stage.play('A B')
    const remove = (position: number) => stage.music.remove(stage.scope, GUILD, { position })
    const refused = (position: number) => remove(position).catch((error: unknown) => error)
    const reason = 'no_such_position'
    expect(await refused(2)).to.include({ reason, message: 'The queue has the positions 1 to 1.' })
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

  it('puts what it passed over and what it left at the back under loop queue', async () => {
    await stage.play('A B C D')
    await stage.music.patch(stage.scope, GUILD, { loop: 'queue' })
    await skipTo(3)
    expect(await stage.titles()).to.equal('D B C A')
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
    expect(fault).to.include({ reason: 'no_such_position', message: 'The queue has the positions 1 to 1.' })
    expect(await stage.titles()).to.equal('A B')
  })
})
