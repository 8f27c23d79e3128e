/** The change from one list to another: positions, from 0, to remove from the first and to fill in the second. */
export type ListChange = ReturnType<typeof changeBetween>

/** The smallest change: as many as possible stay as they are. */
export function changeBetween(before: readonly number[], after: readonly number[]) {
  const start = sharedStart(before, after)
  const end = sharedEnd(before, after, start)
  const beforeEnd = before.length - end
  const places = new Map(before.slice(start, beforeEnd).map((id, at) => [id, start + at]))
  const middle = after
    .slice(start, after.length - end)
    .map((id, at) => ({ at: start + at, from: places.get(id) ?? null }))
  const known = middle.filter((it): it is { at: number; from: number } => it.from !== null)
  const stays = longestRising(known.map(({ from }) => from)).flatMap((index) => known[index] ?? [])
  const staysFrom = new Set(stays.map(({ from }) => from))
  const staysAt = new Set(stays.map(({ at }) => at))
  const out = Array.from({ length: beforeEnd - start }, (_, index) => start + index)
  return {
    /** Removed positions, in rising order. */
    out: out.filter((at) => !staysFrom.has(at)),
    // A kept row is used only once: a duplicate of it counts as new.
    /** Filled positions, in rising order of `at`; `from` is the old position, null if it is new. */
    in: middle
      .filter(({ at }) => !staysAt.has(at))
      .map(({ at, from }) => ({ at, from: from !== null && staysFrom.has(from) ? null : from })),
  }
}

function sharedStart(a: readonly number[], b: readonly number[]): number {
  const most = Math.min(a.length, b.length)
  let count = 0
  while (count < most && a[count] === b[count]) count += 1
  return count
}

function sharedEnd(a: readonly number[], b: readonly number[], start: number): number {
  const most = Math.min(a.length, b.length) - start
  let count = 0
  while (count < most && a[a.length - 1 - count] === b[b.length - 1 - count]) count += 1
  return count
}

/** The indices of the longest run of rising numbers, others left out in between: patience sorting, n log n. */
function longestRising(numbers: readonly number[]): readonly number[] {
  // For each length, the end of the run of that length with the lowest last number.
  const ends: number[] = []
  const previous: number[] = []
  for (const [at, value] of numbers.entries()) {
    const length = firstAtLeast(ends, numbers, value)
    previous[at] = ends[length - 1] ?? -1
    ends[length] = at
  }
  const run: number[] = []
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) run.push(at)
  return run.toReversed()
}

function firstAtLeast(ends: readonly number[], numbers: readonly number[], value: number): number {
  let low = 0
  let high = ends.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[ends[middle] ?? 0] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
