import { sleep, type Service, type Tools } from './tools.ts'

interface Tried {
  readonly atMs: number
  readonly ms: number
  /** 0: there was no answer at all. */
  readonly status: number
}

interface ProbeReport {
  readonly calls: number
  readonly statuses: Readonly<Record<number, number>>
  readonly medianMs: number
  readonly longestMs: number
}

export interface ProbeOptions {
  readonly path: string
  readonly everyMs?: number
  readonly key?: string
}

/** Someone who calls the same route all the time. */
export function startProbe(
  tools: Tools,
  service: Service,
  { path, everyMs = 50, key = service.keys.unlinked }: ProbeOptions,
) {
  const tried: Tried[] = []
  const over = new AbortController()
  async function go(): Promise<void> {
    while (!over.signal.aborted) {
      const atMs = performance.now()
      const answer = await service.call('GET', path, { key }).catch(() => null)
      tried.push({ atMs, ms: performance.now() - atMs, status: answer?.status ?? 0 })
      await sleep(everyMs)
    }
  }
  const going = go()
  tools.own(over, (it) => {
    it.abort()
    return going
  })
  return {
    /** Summarizes the calls since a moment; all of them by default. */
    report(sinceMs = 0): ProbeReport {
      const some = tried.filter(({ atMs }) => atMs >= sinceMs)
      const times = some.map(({ ms }) => ms).toSorted((a, b) => a - b)
      const statuses: Record<number, number> = {}
      for (const { status } of some) statuses[status] = (statuses[status] ?? 0) + 1
      const [medianMs, longestMs] = [times[times.length >> 1] ?? 0, times.at(-1) ?? 0].map(Math.round)
      return { calls: some.length, statuses, medianMs: medianMs ?? 0, longestMs: longestMs ?? 0 }
    },
  }
}

/** Whether all calls were answered so. */
export function areAll({ calls, statuses }: ProbeReport, status: number): boolean {
  return calls > 0 && statuses[status] === calls
}

export function inWords({ calls, statuses, medianMs, longestMs }: ProbeReport): string {
  const by = Object.entries(statuses).map(([status, many]) => `${many} × ${status === '0' ? 'nothing' : status}`)
  return `${calls} calls: ${by.join(', ')}, median ${medianMs} ms, longest ${longestMs} ms`
}
