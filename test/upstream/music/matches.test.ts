import { expect } from 'chai'
import { isSameSong } from '../../../upstream/music/title-matching.ts'
import { scoreMatches } from '../../../tools/bench/matches/score.ts'

describe('the matching of songs', () => {
  it('is right about at least 97 of 100 of the public pairs, in either direction', () => {
    const { pairs, right, wrong } = scoreMatches()
    const mistaken = wrong.filter(({ same }) => !same).map(({ kind }) => kind)
    expect([pairs >= 200, right >= 0.97, mistaken.length <= 3], `${right}: ${mistaken.join(', ')}`).to.deep.equal([
      true,
      true,
      true,
    ])
  })

  it('takes no longer for long titles of strangers', () => {
    const long = `${'( ['.repeat(20_000)} - ${'live '.repeat(20_000)}`
    const startedMs = performance.now()
    for (const [wanted, found] of [
      [long, 'x'],
      ['x', long],
      [long, long],
    ] as const) {
      isSameSong({ title: wanted, author: long, lengthMs: 0, isrc: null }, { title: found, author: long, ...OTHER })
    }
    expect(performance.now() - startedMs).to.be.lessThan(200)
  })
})

const OTHER = { lengthMs: 0, isStream: false, isrc: null }
