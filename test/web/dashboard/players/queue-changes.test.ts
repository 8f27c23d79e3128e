import { expect } from 'chai'
import { changeBetween, type ListChange } from '../../../../web/dashboard/pages/players/player/queue-changes.ts'

/** Applies a change like the script of the page. */
function applied(before: readonly number[], change: ListChange, after: readonly number[]): readonly number[] {
  const taken = new Map(change.out.map((at) => [at, before[at]]))
  const rows = before.filter((_, at) => !taken.has(at))
  for (const { at, from } of change.in) rows.splice(at, 0, (from === null ? after[at] : taken.get(from)) ?? -1)
  return rows
}

/** Park and Miller: the same numbers in every run. */
function numbersFrom(seed: number): () => number {
  let last = seed
  return () => {
    last = (last * 48_271) % 2_147_483_647
    return last / 2_147_483_647
  }
}

describe('the change between two queues', () => {
  it('is one row for one track that moved, and none for those that moved up by it', () => {
    const all = Array.from({ length: 2000 }, (_, at) => at)
    const moved = all.toSpliced(1500, 1).toSpliced(3, 0, 1500)
    expect(changeBetween(all, moved)).to.deep.equal({ out: [1500], in: [{ at: 3, from: 1500 }] })
    expect(changeBetween(moved, all)).to.deep.equal({ out: [3], in: [{ at: 1500, from: 3 }] })
    expect(changeBetween(all, all.slice(1))).to.deep.equal({ out: [0], in: [] })
    expect(changeBetween(all, [...all, 7000])).to.deep.equal({ out: [], in: [{ at: 2000, from: null }] })
  })

  it('turns any queue into any other, tracks that stand in it twice as well', () => {
    const random = numbersFrom(20_261_122)
    const pick = (most: number) => Math.floor(random() * most)
    for (let round = 0; round < 500; round += 1) {
      const before = Array.from({ length: pick(30) }, () => pick(25))
      const after = before.filter(() => random() < 0.8)
      for (let edits = pick(6); edits > 0; edits -= 1) {
        const [row] = after.splice(pick(after.length), pick(2))
        after.splice(pick(after.length + 1), 0, row ?? pick(40))
      }
      expect(applied(before, changeBetween(before, after), after), JSON.stringify([before, after])).to.deep.equal(after)
    }
  })
})
