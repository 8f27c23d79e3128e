import type { CacheOutcome, UpstreamHooks } from '../../../lib/telemetry-hooks.ts'

export interface UpstreamCounters extends UpstreamHooks {
  /** By upstream. */
  snapshot(): Readonly<Record<string, UpstreamCounts>>
}

interface UpstreamCounts {
  readonly calls: Record<string, number>
  readonly cache: Partial<Record<CacheOutcome, number>>
  retries: number
}

/** Counts what the clients of outside services report. */
export function createUpstreamCounters(): UpstreamCounters {
  const counts: Record<string, UpstreamCounts> = {}
  const of = (name: string) => (counts[name] ??= { calls: {}, retries: 0, cache: {} })
  return {
    called: (upstream, outcome) => count(of(upstream).calls, outcome),
    retried: (upstream) => void of(upstream).retries++,
    looked: (upstream, outcome) => count(of(upstream).cache, outcome),
    snapshot: () => counts,
  }
}

function count<K extends string>(all: Partial<Record<K, number>>, key: K): void {
  all[key] = (all[key] ?? 0) + 1
}
