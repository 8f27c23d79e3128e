/** Waits for the end of `work`, however it ends, and no longer than `ms`. */
export async function settleWithin(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(() => resolve(), ms)
  await Promise.race([work.catch(() => undefined), promise])
  clearTimeout(timer)
}
