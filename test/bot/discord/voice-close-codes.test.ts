import { expect } from 'chai'
import { backOff, lossOf, MAX_JOINS, reactionTo } from '../../../bot/audio/voice/close-codes.ts'

/** Every close code of the voice gateway, and what follows: how often the bot asks to join again, or that it does not. */
const POLICY: readonly (readonly [code: number | null, reaction: string, loss: string])[] = [
  [null, 'rejoin 5', 'unreachable'],
  [1000, 'rejoin 5', 'unreachable'],
  [1006, 'rejoin 5', 'unreachable'],
  [4001, 'rejoin 1', 'refused'],
  [4002, 'rejoin 1', 'refused'],
  [4003, 'rejoin 1', 'refused'],
  [4004, 'rejoin 3', 'refused'],
  [4005, 'rejoin 1', 'refused'],
  [4006, 'rejoin 5', 'unreachable'],
  [4009, 'rejoin 5', 'unreachable'],
  [4011, 'rejoin 3', 'refused'],
  [4012, 'rejoin 1', 'refused'],
  [4014, 'wait', 'kicked'],
  [4015, 'rejoin 5', 'unreachable'],
  [4016, 'rejoin 1', 'refused'],
  [4017, 'end', 'refused'],
  [4020, 'rejoin 1', 'refused'],
  [4021, 'end', 'refused'],
  [4022, 'wait', 'kicked'],
  [4099, 'rejoin 5', 'unreachable'],
]

describe('close codes of voice', () => {
  for (const [code, expected, loss] of POLICY) {
    it(`${code ?? 'none'}: ${expected}; when that fails, voice is ${loss}`, () => {
      const reaction = reactionTo(code)
      expect(reaction.act === 'rejoin' ? `rejoin ${reaction.joins}` : reaction.act).to.equal(expected)
      expect(lossOf(code)).to.equal(loss)
    })
  }

  it('lead to no more than five joins, each waiting twice as long as the one before', () => {
    expect(MAX_JOINS).to.equal(5)
    expect([0, 1, 2, 3, 4].map((joins) => backOff(joins, 500))).to.deep.equal([0, 500, 1000, 2000, 4000])
  })
})
