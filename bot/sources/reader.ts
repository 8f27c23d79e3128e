import { Worker } from 'node:worker_threads'
import { Fault } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import type { FromReader, ReaderData, ReaderTasks, TaskName, ToReader } from './reader-protocol.ts'

export interface Reader {
  /** @throws {Fault} as the task does; `service_unavailable` when the thread died, is swamped or took too long over it. */
  run<T extends TaskName>(
    task: T,
    input: ReaderTasks[T]['input'],
    signal?: AbortSignal,
  ): Promise<ReaderTasks[T]['output']>
  /** Something changed in a folder that was walked through. Also fires after the thread died, since nobody watched then. */
  onChanged(listener: () => void): void
  close(): Promise<void>
}

export interface ReaderOptions extends ReaderData {
  readonly log: Logger
}

type Output = ReaderTasks[TaskName]['output']

const TASK_MS = 30_000
const TASKS_MAX = 200
/** A file that makes the parser take more than this is not music; the thread dies and the next task gets a new one. */
const HEAP_MB = 256

/** One thread that reads files and probes URLs. Started with the first task and again after it died. */
export function createReader({ log, allowHosts }: ReaderOptions): Reader {
  const calls = new Map<number, PromiseWithResolvers<Output>>()
  let changed: (() => void) | null = null
  let thread: Worker | null = null
  let lastId = 0
  let isClosed = false

  function onExit(): void {
    thread = null
    for (const call of calls.values()) call.reject(new Fault('service_unavailable', 'Reading the audio was cut off.'))
    if (!isClosed) changed?.()
  }

  function send(message: ToReader): void {
    thread ??= startThread({ allowHosts }, (answer) => (answer.id === null ? changed?.() : settle(calls, answer)))
      .on('error', (err) => log.warn({ err }, 'reader thread failed'))
      .on('exit', onExit)
    thread.postMessage(message)
  }

  return {
    run: async (task, input, signal) => {
      if (isClosed) throw new Fault('service_unavailable', 'The service is shutting down.')
      if (calls.size >= TASKS_MAX)
        throw new Fault('service_unavailable', 'Too much audio is being read. Try again soon.')
      signal?.throwIfAborted()
      const id = ++lastId
      const call = Promise.withResolvers<Output>()
      calls.set(id, call)
      const onAbort = () => {
        call.reject(signal?.reason)
        send({ id, task: 'cancel' })
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      const timer = setTimeout(() => {
        log.warn({ task, waitedMs: TASK_MS }, 'reader thread hung')
        call.reject(new Fault('service_unavailable', 'Reading the audio took too long.'))
        void thread?.terminate()
      }, TASK_MS)
      try {
        send({ id, task, input } as ToReader)
        return await call.promise
      } finally {
        clearTimeout(timer)
        calls.delete(id)
        signal?.removeEventListener('abort', onAbort)
      }
    },
    onChanged: (listener) => {
      changed = listener
    },
    close: async () => {
      isClosed = true
      await thread?.terminate()
    },
  }
}

function startThread(data: ReaderData, receive: (message: FromReader) => void): Worker {
  const thread = new Worker(new URL('reader-thread.ts', import.meta.url), {
    workerData: data,
    name: 'reader',
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  // Whoever waits for an answer keeps the process alive; the thread alone does not.
  thread.unref()
  return thread.on('message', receive)
}

function settle(calls: ReadonlyMap<number, PromiseWithResolvers<Output>>, answer: FromReader & { id: number }): void {
  const call = calls.get(answer.id)
  if ('output' in answer) call?.resolve(answer.output)
  else if ('error' in answer) call?.reject(new Error(answer.error))
  else {
    const { code, message, details } = answer.fault
    call?.reject(new Fault(code, message, details ? { details } : {}))
  }
}
