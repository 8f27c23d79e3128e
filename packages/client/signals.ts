/** Resolves after the given milliseconds, or immediately when `signal` aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done, { once: true })
    if (signal?.aborted) done()
    function done(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
  })
}

/** A controller that aborts with `parent` too. `AbortSignal.any` is missing in Node 18. */
export function linkedController(parent?: AbortSignal) {
  const own = new AbortController()
  const onAbort = (): void => own.abort(parent?.reason)
  if (parent?.aborted) onAbort()
  parent?.addEventListener('abort', onAbort, { once: true })
  return {
    signal: own.signal,
    abort: (reason?: unknown) => own.abort(reason),
    /** Lets go of `parent`, which may outlive many of these. */
    unlink: () => parent?.removeEventListener('abort', onAbort),
  }
}
