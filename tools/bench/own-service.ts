import { readFileSync } from 'node:fs'
import type { RunningService } from '../../test/support/service.ts'
import { descendantsOf } from '../stage/process.ts'

/** CPU seconds of the main thread of a service since its start, without the time that other programs had the processor. */
function mainThreadSeconds({ process }: RunningService): number {
  const [ranNanos] = readFileSync(`/proc/${process.pid}/task/${process.pid}/schedstat`, 'utf8').split(' ')
  return Number(ranNanos) / 1e9
}

/** Milliseconds of CPU of the main thread for one of the `times` that `work` runs. */
export async function mainThreadMs(service: RunningService, times: number, work: (i: number) => Promise<unknown>) {
  const before = mainThreadSeconds(service)
  for (let i = 0; i < times; i += 1) await work(i)
  return ((mainThreadSeconds(service) - before) * 1000) / times
}

/** Proportional memory of a process: shared memory divided among its users. Linux only. */
export function pssMiB(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024
}

/** Memory of a service without the stand-in, its Redis and other processes that it started. */
export function serviceMiB({ process }: RunningService): number {
  return pssMiB(process.pid ?? 0)
}

/** Memory of the service and all that it started, but the stand-in. */
export function treeMiB({ process }: RunningService): number {
  const pids = [process.pid ?? 0, ...descendantsOf(process.pid ?? 0).map(({ pid }) => pid)]
  return pids.reduce((sum, pid) => {
    try {
      return sum + (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('sandbox') ? 0 : pssMiB(pid))
    } catch {
      // Ended in between.
      return sum
    }
  }, 0)
}
