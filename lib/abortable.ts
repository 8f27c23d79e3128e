/** What the task answers, or the signal's reason as soon as it aborts; the task's own end is then nobody's business. */
export async function abortable<T>(task: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    task.catch(() => undefined)
    throw signal.reason
  }
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([task, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
