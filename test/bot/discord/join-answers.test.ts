import { expect } from 'chai'
import { createJoinAnswers } from '../../../bot/discord/joins/join-answers.ts'

describe('joins that Discord does not answer', () => {
  it('show after four seconds, until a join of the same connection is answered or two minutes have passed', () => {
    let nowMs = 0
    const answers = createJoinAnswers(() => nowMs)
    const silentAt = (ms: number) => {
      nowMs = ms
      return answers.isSilent
    }
    answers.asked('1 a')
    answers.asked('2 b')
    expect([silentAt(3999), silentAt(4000)]).to.deep.equal([false, true])
    answers.answered((guildId) => guildId.startsWith('1'))
    expect(silentAt(4001)).to.equal(true)
    answers.answered((guildId) => guildId.startsWith('2'))
    expect(silentAt(4002)).to.equal(false)

    answers.asked('3')
    // A repeated request restarts the two minutes.
    nowMs = 100_000
    answers.asked('3')
    expect([silentAt(200_000), silentAt(220_001)]).to.deep.equal([true, false])
    answers.asked('3')
    expect(silentAt(220_002)).to.equal(false)
  })
})
