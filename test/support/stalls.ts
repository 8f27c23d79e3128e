import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** What one thread may spend on a request, many times over: machines that run tests are busy. */
export const STALL_MAX_MS = 1000

/**
 * The longest time in milliseconds for which the event loop of this process stood still while `work` ran. What stalls it
 * every time is slow; a single stall may be the machine's, so the best of three runs counts. `work` must ask for
 * something else in each run where answers are cached.
 */
export async function longestStall(work: (run: number) => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < 3 && best > STALL_MAX_MS; run++) {
    const delay = monitorEventLoopDelay({ resolution: 10 })
    delay.enable()
    await work(run)
    await sleep(30)
    delay.disable()
    best = Math.min(best, delay.max / 1e6)
  }
  return best
}
