import { Worker } from 'node:worker_threads'
import { Fault } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { Release } from '../sharing/fair-share.ts'
import { createQuarantine, type Subject } from './quarantine.ts'
import { PULSE, type FromTaskThread, type TaskThreadData, type ToTaskThread } from './task-protocol.ts'
import type { WorkerHealth } from './worker-health.ts'

interface TaskThreadOptions<I, D> {
  /** The module that calls `serveTasks`. */
  readonly file: string
  readonly name: string
  readonly log: Logger
  /** The return value of `threadData` in the thread. */
  readonly data: D
  readonly heapMb: number
  /** The most time for one task, from the moment that the thread gets it. Defaults to 30 s. */
  readonly taskMs?: number
  /** A thread that shows no sign of life for this long is replaced. Defaults to 4 s. */
  readonly hungMs?: number
  /** The same for its start, and while it loads data (`whileLoading`). Defaults to 30 s. */
  readonly loadMs?: number
  /** A thread without work ends after so long, which frees its memory. Defaults to never. */
  readonly idleMs?: number
  /** The environment of the thread. Defaults to that of the process. */
  readonly env?: NodeJS.ProcessEnv
  /** Names what a task reads, for the quarantine; null if no caller chose it. */
  readonly subjectOf?: (input: I) => Subject | null
  /** Waits for the project's place in the thread; it is held until the task has ended in the thread. */
  readonly acquire?: (input: I, signal: AbortSignal | undefined) => Promise<Release>
  /** The thread was lost, and with it what it had under way; another one takes its place. */
  readonly onReplaced?: () => void
}

interface Task<I, O> {
  readonly id: number
  readonly input: I
  readonly subject: Subject | null
  readonly outcome: PromiseWithResolvers<O>
  readonly release: Release | undefined
  runs: number
  isAbandoned: boolean
  timer: NodeJS.Timeout | undefined
}

const TASK_MS = 30_000
const CHECK_MS = 500
const HUNG_MS = 4000
/** A thread that starts on a busy machine compiles its modules first. */
const LOAD_MS = 30_000

/**
 * A thread that runs tasks on what strangers send. A watchdog looks after each task until the thread has ended it,
 * whether its caller still waits or not. A thread that hangs or crashes is replaced: the task that did it fails and
 * its subject is quarantined, the others run again.
 */
export class TaskThread<I, O, D> {
  readonly #options: TaskThreadOptions<I, D>
  readonly #tasks = new Map<number, Task<I, O>>()
  readonly #quarantine = createQuarantine()
  #thread: Worker | null = null
  #pulse = newPulse()
  #watchdog: NodeJS.Timeout | undefined
  #idleTimer: NodeJS.Timeout | undefined
  #lastBeats = 0
  #missedChecks = 0
  #lastId = 0
  #restarts = 0
  #isClosed = false

  constructor(options: TaskThreadOptions<I, D>) {
    this.#options = options
  }

  /**
   * @throws what the task throws, as a `Fault` or an `Error` with its message; `signal.reason`; {Fault}
   *   `validation_error` for a quarantined subject, `service_unavailable` if the thread cannot finish the task.
   */
  async run(input: I, signal?: AbortSignal): Promise<O> {
    const { subjectOf, acquire } = this.#options
    const subject = subjectOf?.(input) ?? null
    const refusal = subject && this.#quarantine.refusalOf(subject)
    if (refusal) throw refusal
    signal?.throwIfAborted()
    const release = acquire && (await acquire(input, signal))
    if (this.#isClosed || signal?.aborted) {
      release?.()
      throw signal?.reason ?? new Fault('service_unavailable', 'The service is shutting down.')
    }
    const outcome = Promise.withResolvers<O>()
    const task: Task<I, O> = {
      id: ++this.#lastId,
      input,
      subject,
      outcome,
      release,
      runs: 0,
      isAbandoned: false,
      timer: undefined,
    }
    const onAbort = () => {
      task.isAbandoned = true
      outcome.reject(signal?.reason)
      this.#post({ id: task.id, cancel: true })
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    this.#tasks.set(task.id, task)
    this.#send(task)
    return outcome.promise.finally(() => signal?.removeEventListener('abort', onAbort))
  }

  health(): WorkerHealth {
    const isHung = !this.#isLoading() && this.#missedChecks > this.#checksUntilReplaced() / 3
    return {
      name: this.#options.name,
      state: isHung ? 'hung' : this.#thread ? 'running' : 'idle',
      busy: this.#tasks.size,
      restarts: this.#restarts,
      quarantined: this.#quarantine.size,
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const task of this.#tasks.values()) this.#end(task).reject(cutOff())
    await this.#stop()
  }

  async #stop(): Promise<void> {
    clearInterval(this.#watchdog)
    clearTimeout(this.#idleTimer)
    const thread = this.#thread
    this.#thread = null
    await thread?.terminate()
  }

  #send(task: Task<I, O>): void {
    task.runs += 1
    clearTimeout(this.#idleTimer)
    this.#watch(task)
    this.#thread ??= this.#start()
    this.#post({ id: task.id, input: task.input })
  }

  #watch(task: Task<I, O>): void {
    task.timer = setTimeout(() => this.#onOverdue(task), this.#options.taskMs ?? TASK_MS)
  }

  #isLoading(): boolean {
    return Atomics.load(this.#pulse, PULSE.beats) === 0 || Atomics.load(this.#pulse, PULSE.loading) > 0
  }

  #checksUntilReplaced(): number {
    const { hungMs = HUNG_MS, loadMs = LOAD_MS } = this.#options
    return (this.#isLoading() ? loadMs : hungMs) / CHECK_MS
  }

  /** The thread itself turns, or the watchdog had replaced it: this task waits for something that does not come. */
  #onOverdue(task: Task<I, O>): void {
    if (this.#isLoading()) return this.#watch(task)
    this.#post({ id: task.id, cancel: true })
    this.#options.log.warn({ subject: task.subject?.identity }, `${this.#options.name} task timed out`)
    const message = 'The task timed out. Try again in a moment.'
    this.#end(task).reject(new Fault('service_unavailable', message, { retryAfterMs: 2000 }))
  }

  #post(message: ToTaskThread<I>): void {
    this.#thread?.postMessage(message)
  }

  #start(): Worker {
    const { file, name, log, data, heapMb, env } = this.#options
    const pulse = newPulse()
    const thread = new Worker(file, {
      name,
      ...(env && { env }),
      workerData: { pulse, data } satisfies TaskThreadData<D>,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    })
    thread.on('message', (message: FromTaskThread<O>) => this.#receive(message))
    thread.on('error', (err) => log.warn({ err }, `${name} thread failed`))
    thread.on('exit', () => {
      if (this.#thread === thread) this.#replace('ended', pulse[PULSE.current] ?? 0)
    })
    // A caller that waits keeps the process alive; the thread alone does not. A listener added later would undo this.
    thread.unref()
    this.#pulse = pulse
    this.#lastBeats = 0
    this.#missedChecks = 0
    clearInterval(this.#watchdog)
    this.#watchdog = setInterval(() => this.#check(), CHECK_MS).unref()
    return thread
  }

  #receive(message: FromTaskThread<O>): void {
    const task = this.#tasks.get(message.id)
    if (!task) return
    const outcome = this.#end(task)
    if ('output' in message) outcome.resolve(message.output)
    else if ('error' in message) outcome.reject(new Error(message.error))
    else {
      const { code, message: text, reason } = message.fault
      outcome.reject(new Fault(code, text, { reason }))
    }
  }

  #end(task: Task<I, O>): PromiseWithResolvers<O> {
    clearTimeout(task.timer)
    this.#tasks.delete(task.id)
    task.release?.()
    const { idleMs } = this.#options
    if (this.#tasks.size === 0 && idleMs !== undefined) {
      clearTimeout(this.#idleTimer)
      this.#idleTimer = setTimeout(() => void this.#stop(), idleMs).unref()
    }
    return task.outcome
  }

  /** Missed checks are counted, not timed: if this thread itself was held up, nothing is wrong with the other. */
  #check(): void {
    const beats = Atomics.load(this.#pulse, PULSE.beats)
    this.#missedChecks = beats === this.#lastBeats && this.#tasks.size > 0 ? this.#missedChecks + 1 : 0
    this.#lastBeats = beats
    if (this.#missedChecks >= this.#checksUntilReplaced())
      this.#replace('hung', Atomics.load(this.#pulse, PULSE.current))
  }

  /** Starts a new thread with the tasks of the old one, except the task that is to blame and those that ran before. */
  #replace(how: 'hung' | 'ended', culpritId: number): void {
    const { log, name, onReplaced } = this.#options
    void this.#stop()
    if (this.#isClosed) return
    this.#restarts += 1
    this.#missedChecks = 0
    const subject = this.#tasks.get(culpritId)?.subject
    if (subject) this.#quarantine.add(subject)
    const refusal = subject && this.#quarantine.refusalOf(subject)
    log.error({ how, busy: this.#tasks.size, quarantined: subject?.identity }, `${name} thread replaced`)
    for (const task of this.#tasks.values()) {
      clearTimeout(task.timer)
      if (task.id !== culpritId && task.runs === 1 && !task.isAbandoned) this.#send(task)
      else this.#end(task).reject((task.id === culpritId && refusal) || cutOff())
    }
    onReplaced?.()
  }
}

function newPulse(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * Object.keys(PULSE).length))
}

function cutOff(): Fault {
  const message = 'The task was interrupted: its worker thread restarted. Try again.'
  return new Fault('service_unavailable', message, { retryAfterMs: 1000 })
}
