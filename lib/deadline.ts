/**
 * The result of `work`, or of `onLate` after `ms`; `onLate` may throw. The work itself continues, and what comes of it then
 * is ignored.
 */
export async function withTimeout<T, L>(ms: number, work: Promise<T>, onLate: () => L): Promise<T | L> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, ms)
  try {
    return await Promise.race([work, late.promise.then(onLate)])
  } finally {
    clearTimeout(timer)
  }
}

/** Waits for the end of `work`, however it ends, and no longer than `ms`. */
export async function settleWithin(ms: number, work: Promise<unknown>): Promise<void> {
  const settled = work.then(
    () => undefined,
    () => undefined,
  )
  await withTimeout(ms, settled, () => undefined)
}

/** The result of `task`, or the signal's reason as soon as it aborts; what comes of the task then is ignored. */
export async function abortable<T>(task: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    task.catch(() => undefined)
    throw signal.reason
  }
  const aborted = Promise.withResolvers<never>()
  const onAbort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([task, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** A deadline that can be lifted, for answers of which the head alone has one. `signal` ends it early. */
export function createDeadline(ms: number, signal?: AbortSignal) {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), ms)
  return {
    /** Aborts at the deadline, or with the signal that was given. */
    signal: signal ? AbortSignal.any([signal, over.signal]) : over.signal,
    /** Whether the time ran out. */
    get isOver() {
      return over.signal.aborted
    },
    lift: () => clearTimeout(timer),
  }
}
