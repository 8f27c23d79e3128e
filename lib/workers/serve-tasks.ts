import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import { parentPort, workerData, type Transferable } from 'node:worker_threads'
import { Fault } from '../errors.ts'
import { collectAfterLoading } from '../process/collect-garbage.ts'
import { setThreadPriority } from './thread-priority.ts'
import { BEAT_MS, PULSE, type FromTaskThread, type TaskThreadData, type ToTaskThread } from './task-protocol.ts'

type TaskHandler<I, O> = (input: I, signal: AbortSignal) => O | Promise<O>

/** Tasks are what strangers sent; where the processor is short, sound and requests come first. */
const TASK_NICE = 5

/**
 * The thread's side of `TaskThread`. It writes down which task runs, so that a thread that hangs or crashes
 * leaves the name of the task that did it.
 * @param transferOf what of an output moves to the caller instead of being copied.
 */
export function serveTasks<I, O>(
  handle: TaskHandler<I, O>,
  transferOf: (output: O) => Transferable[] = () => [],
): void {
  setThreadPriority(TASK_NICE)
  collectAfterLoading()
  const { pulse } = workerData as TaskThreadData<unknown>
  const running = new Map<number, AbortController>()
  const current = new AsyncLocalStorage<number>()

  createHook({
    before: () => {
      pulse[PULSE.current] = current.getStore() ?? 0
    },
  }).enable()
  setInterval(() => Atomics.add(pulse, PULSE.beats, 1), BEAT_MS)
  Atomics.add(pulse, PULSE.beats, 1)

  async function perform(id: number, input: I): Promise<void> {
    const stopping = new AbortController()
    running.set(id, stopping)
    pulse[PULSE.current] = id
    try {
      const output = await handle(input, stopping.signal)
      post<O>({ id, output }, transferOf(output))
    } catch (error) {
      if (error instanceof Fault) {
        post<O>({ id, fault: { code: error.code, message: error.message, reason: error.reason } })
      } else post<O>({ id, error: error instanceof Error ? error.message : String(error) })
    } finally {
      running.delete(id)
    }
  }

  parentPort?.on('message', (message: ToTaskThread<I>) => {
    if ('cancel' in message) running.get(message.id)?.abort()
    else void current.run(message.id, () => perform(message.id, message.input))
  })
}

/** Tells the watchdog of a load of data that holds the thread up: its time counts for no task. */
export async function whileLoading<T>(load: () => Promise<T>): Promise<T> {
  const { pulse } = workerData as TaskThreadData<unknown>
  Atomics.add(pulse, PULSE.loading, 1)
  try {
    return await load()
  } finally {
    Atomics.sub(pulse, PULSE.loading, 1)
    Atomics.add(pulse, PULSE.beats, 1)
  }
}

/** Returns the `data` of `TaskThread`. */
export function threadData(): unknown {
  return (workerData as TaskThreadData<unknown>).data
}

function post<O>(message: FromTaskThread<O>, transfer: Transferable[] = []): void {
  parentPort?.postMessage(message, transfer)
}
