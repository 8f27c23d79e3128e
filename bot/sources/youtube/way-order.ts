/** Order of several ways to the same answer, learned from their outcomes. */
export interface WayOrder<Way> {
  /** The best first; in the order that was given where none is clearly better. */
  order(): readonly Way[]
  succeeded(way: Way): void
  failed(way: Way): void
}

/** Half of what was learned is forgotten in this time, so that a way that failed is tried first again some day. */
const HALF_LIFE_MS = 1_800_000
/** Weight of one outcome against all before it. */
const WEIGHT = 0.25
/** Ways in the same half keep their order: the second failure in a row puts one behind the others. */
const STEPS = 2

/** @param ways in the order in which they are tried as long as nothing is known */
export function createWayOrder<Way>(ways: readonly Way[], { now }: { readonly now: () => number }): WayOrder<Way> {
  const scores = new Map<Way, { readonly value: number; readonly atMs: number }>()

  /** The share of successes, of which recent ones count most; 1 where nothing is known. */
  function scoreOf(way: Way): number {
    const score = scores.get(way)
    return score ? 1 - (1 - score.value) * 0.5 ** ((now() - score.atMs) / HALF_LIFE_MS) : 1
  }
  const learn = (way: Way, outcome: 0 | 1) =>
    void scores.set(way, { value: scoreOf(way) * (1 - WEIGHT) + outcome * WEIGHT, atMs: now() })
  const stepOf = (way: Way) => Math.round(scoreOf(way) * STEPS)

  return {
    order: () => ways.toSorted((one, other) => stepOf(other) - stepOf(one)),
    succeeded: (way) => learn(way, 1),
    failed: (way) => learn(way, 0),
  }
}
