import { Fault } from '../../lib/errors.ts'
import type { ResultMessage, LocalTask, TaskResults } from './protocol.ts'

interface Waiting {
  readonly resolve: (result: TaskResults[LocalTask['task']]) => void
  readonly reject: (error: Error) => void
  timer: NodeJS.Timeout | undefined
}

/**
 * The tasks that a thread has not answered yet.
 * @param timeoutMs for one task, the wait for its turn included and the loading of data left out.
 * @param loadTimeoutMs for the start of the thread, and for the loading of what a task needs.
 */
export function createTaskList(timeoutMs: number, loadTimeoutMs: number, onTimeout: (what: 'task' | 'load') => void) {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let loadTimer: NodeJS.Timeout | undefined
  const startTimer = () => (loadTimer ? undefined : setTimeout(onTimeout, timeoutMs, 'task'))
  const take = (id: number): Waiting | undefined => {
    const one = waiting.get(id)
    waiting.delete(id)
    clearTimeout(one?.timer)
    return one
  }
  /** While the thread loads, the time of no task runs; afterwards each has all of it. */
  const setLoading = (isLoading: boolean): void => {
    clearTimeout(loadTimer)
    loadTimer = isLoading ? setTimeout(onTimeout, loadTimeoutMs, 'load').unref() : undefined
    for (const one of waiting.values()) {
      clearTimeout(one.timer)
      one.timer = startTimer()
    }
  }
  return {
    count: () => waiting.size,
    add(): { readonly id: number; readonly result: Promise<TaskResults[LocalTask['task']]> } {
      const { promise, resolve, reject } = Promise.withResolvers<TaskResults[LocalTask['task']]>()
      waiting.set(++lastId, { resolve, reject, timer: startTimer() })
      return { id: lastId, result: promise }
    },
    setLoading,
    settle(message: ResultMessage) {
      const one = take(message.id)
      if ('result' in message) one?.resolve(message.result)
      else if ('missing' in message) one?.reject(new Fault('service_unavailable', message.missing))
      else one?.reject(new Error(`The worker thread failed: ${message.error}`))
    },
    failAll(reason: Error) {
      setLoading(false)
      for (const id of waiting.keys()) take(id)?.reject(reason)
    },
  }
}
