/** Limit of the CPU time of hostile input, generously: a few requests take 10 to 40 ms on a quiet machine. */
export const CPU_MAX_MS = 150

/**
 * Milliseconds that this thread computes for `work`, which is not what it waits for its turn on a busy machine. The best of
 * three runs counts, without what is loaded at its first use; each asks for something else where answers are cached.
 */
export async function leastCpuMs(work: (run: number) => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < 3 && least > CPU_MAX_MS; run++) {
    const before = process.threadCpuUsage()
    await work(run)
    const { user, system } = process.threadCpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}
