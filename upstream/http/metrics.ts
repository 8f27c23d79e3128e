import type { CallOutcome } from '../../lib/telemetry-hooks.ts'

/** `shared`: waited for somebody else's call for the same. `stale`: an old answer, since the call failed. */
export type CacheOutcome = 'hit' | 'miss' | 'shared' | 'stale'

/** Where the clients of outside services report what they do. */
export interface UpstreamMetrics {
  /** One call that was asked of an upstream, retries included, whatever came of it. */
  called(upstream: string, outcome: CallOutcome, durationMs: number): void
  retried(upstream: string): void
  looked(cache: string, outcome: CacheOutcome): void
}

export interface UpstreamCounts {
  readonly calls: Readonly<Partial<Record<CallOutcome, number>>>
  readonly retries: number
  readonly cache: Readonly<Partial<Record<CacheOutcome, number>>>
  /** Time spent in calls, all together. */
  readonly busyMs: number
}

export interface UpstreamCounters extends UpstreamMetrics {
  /** Since the start, by upstream. */
  snapshot(): Readonly<Record<string, UpstreamCounts>>
}

interface Tally {
  calls: Map<CallOutcome, number>
  cache: Map<CacheOutcome, number>
  retries: number
  busyMs: number
}

/** Counts in memory. There are as many entries as there are upstreams, never one per request. */
export function createUpstreamCounters(): UpstreamCounters {
  const tallies = new Map<string, Tally>()
  const tallyOf = (name: string): Tally => {
    const known = tallies.get(name)
    if (known) return known
    const fresh: Tally = { calls: new Map(), cache: new Map(), retries: 0, busyMs: 0 }
    tallies.set(name, fresh)
    return fresh
  }

  return {
    called(upstream, outcome, durationMs) {
      const tally = tallyOf(upstream)
      count(tally.calls, outcome)
      tally.busyMs += durationMs
    },
    retried(upstream) {
      tallyOf(upstream).retries += 1
    },
    looked(cache, outcome) {
      count(tallyOf(cache).cache, outcome)
    },
    snapshot: () =>
      Object.fromEntries(
        [...tallies].map(([name, { calls, cache, retries, busyMs }]) => [
          name,
          { calls: Object.fromEntries(calls), cache: Object.fromEntries(cache), retries, busyMs: Math.round(busyMs) },
        ]),
      ),
  }
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
