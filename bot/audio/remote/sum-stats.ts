import { createCounters } from '../node/counters.ts'
import type { NodeStats } from '../node/protocol.ts'

const NONE: NodeStats = {
  ...createCounters(),
  cacheBytes: 0,
  cacheEntries: 0,
  players: 0,
  rejoins: {},
  lagMs: 0,
  utilization: 0,
}

/** Sums the stats of several threads. Timer lag and utilization are those of the worst thread. */
export function sumStats(all: readonly NodeStats[]): NodeStats {
  const rejoins: Record<string, number> = {}
  for (const one of all) {
    for (const [code, count] of Object.entries(one.rejoins)) rejoins[code] = (rejoins[code] ?? 0) + count
  }
  const names = Object.keys(NONE).filter((name) => name !== 'rejoins') as (keyof Omit<NodeStats, 'rejoins'>)[]
  const sums = names.map((name) => [name, all.reduce((sum, one) => sum + one[name], 0)])
  const lagMs = Math.max(0, ...all.map((one) => one.lagMs))
  const utilization = Math.max(0, ...all.map((one) => one.utilization))
  return { ...NONE, ...Object.fromEntries(sums), rejoins, lagMs, utilization }
}
