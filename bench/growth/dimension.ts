/** One number at one size. */
export interface Reading {
  readonly what: string
  readonly value: number
  readonly unit: string
  /** The largest exponent that passes: 1 is as fast as the size, 0 is not at all. */
  readonly atMost: number
  /** Less than this is noise, and counts as this. */
  readonly floor: number
}

/** Something there may be more and more of. */
export interface Dimension {
  readonly name: string
  /** What the sizes count. */
  readonly of: string
  readonly sizes: readonly number[]
  /** A bound that keeps it from growing further, in words. */
  readonly bound?: string
  measure(size: number): Promise<readonly Reading[]>
}

/** Grows as the size does: memory, or time for all of it. */
export const IN_STEP = 1.15
/** A search of so many, an index in the best case. */
export const HARDLY = 0.3

/** The slope of the line through the points, both on logarithmic scales. */
export function exponentOf(points: readonly { readonly size: number; readonly value: number }[]): number {
  const logs = points.map(({ size, value }) => ({ x: Math.log(size), y: Math.log(value) }))
  const mean = (pick: (point: { x: number; y: number }) => number) =>
    logs.reduce((sum, point) => sum + pick(point), 0) / logs.length
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)]
  const top = logs.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0)
  const bottom = logs.reduce((sum, point) => sum + (point.x - x) ** 2, 0)
  return top / bottom
}

/** The median of `rounds` calls, in milliseconds. */
export async function medianMs(rounds: number, work: (round: number) => unknown): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const startedMs = performance.now()
    await work(round)
    times.push(performance.now() - startedMs)
  }
  return times.toSorted((a, b) => a - b)[rounds >> 1] ?? 0
}
