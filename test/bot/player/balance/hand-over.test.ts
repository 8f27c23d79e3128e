import { expect } from 'chai'
import { hear, type Concert } from '../../../support/playing-service.ts'
import { eventually } from '../../../support/service.ts'
import { startMovingConcert, type MovingConcert } from './moving-concert.ts'

/** On their way to the voice server in the moment in which it ends the old session. */
const MOST_MISSING = 10

describe('a player on an audio thread that is full', () => {
  let stage: MovingConcert
  let concert: Concert
  before(async () => {
    stage = await startMovingConcert()
    concert = stage.concert
  })
  after(() => concert.close())

  it('goes on in the other one with the next frame, and Discord is not asked to let it in again', async () => {
    const { heard } = await concert.listen()
    const filling = stage.fillFirst()
    await hear(heard, 20)
    expect((await concert.info()).node.id).to.equal('audio-1')
    const { privacyCode } = await concert.info()
    await filling
    await eventually(
      () => concert.info(),
      ({ node }) => node.id === 'audio-2',
    )
    await hear(heard, heard.length + 50)
    const steps = heard.slice(1).map(({ frame }, at) => frame - (heard[at]?.frame ?? 0))
    expect(Math.min(...steps), 'none is heard twice').to.equal(1)
    expect(steps.reduce((sum, step) => sum + step - 1, 0)).to.be.at.most(MOST_MISSING)
    expect(stage.joins.filter((guildId) => guildId === concert.guild.id)).to.have.length(1)
    expect(concert.told()).to.deep.equal(['trackStarted'])
    await eventually(
      () => concert.info(),
      (info) => info.privacyCode !== null && info.privacyCode !== privacyCode,
    )
    // It takes orders there.
    await concert.music.patch(concert.scope, concert.guild.id, { paused: true })
    expect((await concert.info()).paused).to.equal(true)
  })
})
