import { availableParallelism, cpus, freemem } from 'node:os'
import { memoryUsage, cpuUsage, uptime } from 'node:process'
import { getHeapStatistics } from 'node:v8'
import type { StatsObject } from '../protocol/stats.ts'

/** Loads are means of at least this time. */
const CPU_EVERY_MS = 30_000

type Machine = Pick<StatsObject, 'uptime' | 'memory' | 'cpu'>

/** Uptime, memory and CPU load of the process and its machine. The loads are measured at most every half minute. */
export function createMachineStats(nowMs: () => number): () => Machine {
  const cores = availableParallelism()
  let before = { ...ticks(), processMs: processMs(), atMs: nowMs() }
  let cpu = { cores, systemLoad: 0, lavalinkLoad: 0 }
  return () => {
    const passedMs = nowMs() - before.atMs
    if (passedMs >= CPU_EVERY_MS) {
      const now = { ...ticks(), processMs: processMs(), atMs: nowMs() }
      const total = now.total - before.total
      cpu = {
        cores,
        systemLoad: total > 0 ? share((now.busy - before.busy) / total) : 0,
        lavalinkLoad: share((now.processMs - before.processMs) / passedMs / cores),
      }
      before = now
    }
    return { uptime: Math.round(uptime() * 1000), memory: memory(), cpu }
  }
}

function memory(): StatsObject['memory'] {
  const { rss, heapTotal, heapUsed } = memoryUsage()
  const { heap_size_limit: limit } = getHeapStatistics()
  return { free: heapTotal - heapUsed, used: rss, allocated: rss, reservable: Math.max(limit, rss + freemem()) }
}

/** CPU time of all cores since the machine started. */
function ticks() {
  let busy = 0
  let total = 0
  for (const { times } of cpus()) {
    const all = times.user + times.nice + times.sys + times.irq + times.idle
    total += all
    busy += all - times.idle
  }
  return { busy, total }
}

function processMs(): number {
  const { user, system } = cpuUsage()
  return (user + system) / 1000
}

function share(load: number): number {
  return Math.min(Math.max(load, 0), 1)
}
