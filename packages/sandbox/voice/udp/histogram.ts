/** Bucket widths grow with the value, so that a percentile is exact to 1 % or better and recording costs a few sums. */
const BANDS = [
  { fromMs: 0, untilMs: 100, stepMs: 0.1 },
  { fromMs: 100, untilMs: 1000, stepMs: 1 },
  { fromMs: 1000, untilMs: 10_000, stepMs: 10 },
] as const

const SIZES = BANDS.map(({ fromMs, untilMs, stepMs }) => Math.round((untilMs - fromMs) / stepMs))
const BUCKETS = SIZES.reduce((sum, size) => sum + size, 0) + 1

/** Counts durations in about 11 kB, however many there are. */
export type Histogram = ReturnType<typeof createHistogram>

export function createHistogram() {
  const counts = new Uint32Array(BUCKETS)
  let count = 0
  let longestMs = 0

  return {
    get count(): number {
      return count
    },
    get longestMs(): number {
      return longestMs
    },
    record(durationMs: number) {
      count += 1
      longestMs = Math.max(longestMs, durationMs)
      const bucket = bucketOf(durationMs)
      counts[bucket] = (counts[bucket] ?? 0) + 1
    },
    /** The least duration that at least this share (0 to 1) of all does not exceed; 0 where nothing was recorded. */
    percentileMs(share: number): number {
      if (count === 0) return 0
      const wanted = Math.max(1, Math.ceil(share * count))
      let seen = 0
      const bucket = counts.findIndex((inBucket) => (seen += inBucket) >= wanted)
      return Math.min(upperEndMs(bucket), longestMs)
    },
    reset() {
      counts.fill(0)
      count = 0
      longestMs = 0
    },
  }
}

function bucketOf(durationMs: number): number {
  let offset = 0
  for (const [index, { fromMs, untilMs, stepMs }] of BANDS.entries()) {
    if (durationMs < untilMs) return offset + Math.max(0, Math.floor((durationMs - fromMs) / stepMs))
    offset += SIZES[index] ?? 0
  }
  return offset
}

function upperEndMs(bucket: number): number {
  let offset = 0
  for (const [index, { fromMs, stepMs }] of BANDS.entries()) {
    const size = SIZES[index] ?? 0
    if (bucket < offset + size) return fromMs + (bucket - offset + 1) * stepMs
    offset += size
  }
  return Number.POSITIVE_INFINITY
}
