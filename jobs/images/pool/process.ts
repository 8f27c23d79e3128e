import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import type { Duplex } from 'node:stream'
import { LIMITS, Refusal, type ImageResult } from 'bandstand-images'
import type { Logger } from '../../../lib/log.ts'
import { listenTo, nodeWithMemoryLimit, setNice } from '../../../lib/workers/child-process.ts'
import { releaseBuffer, concatAndRelease } from '../../../lib/buffers.ts'
import { FILES_FD, OUT_OF_MEMORY, type Work, type WorkerMessage, type WorkHead } from './protocol.ts'
import { programFile } from '../../../lib/installation.ts'

/** One piece of work and who waits for it. */
export interface ImageTask {
  readonly work: Work
  readonly resolve: (result: ImageResult) => void
  readonly reject: (error: Error) => void
}

export interface WorkerRules {
  readonly log: Logger
  readonly jobMs: number
  readonly idleMs: number
  /** Called when it can take the next task. */
  readonly onFree: (worker: WorkerProcess) => void
  /** Called when it has ended; `wasReady`: it could work; `wasBusy`: it crashed at its work or was killed for it. */
  readonly onGone: (worker: WorkerProcess, how: { readonly wasReady: boolean; readonly wasBusy: boolean }) => void
}

/** A process that works on one picture at a time. */
export interface WorkerProcess {
  readonly state: 'starting' | 'free' | 'busy' | 'gone'
  /** Only to a free one. */
  give(task: ImageTask): void
  /** Ends it where it stands; what it was at fails with `reason`. */
  end(reason: Error): Promise<void>
}

const START_MS = 60_000
/** Above LIMITS.memoryBytes, at which the worker ends itself: allocations beyond this fail at once. */
const MEMORY_MIB = 1536

export function startWorker({ log, jobMs, idleMs, onFree, onGone }: WorkerRules): WorkerProcess {
  const { child, files } = forkChild(log)
  let state: WorkerProcess['state'] = 'starting'
  let task: ImageTask | null = null
  let timer = setTimeout(kill, START_MS)
  let wasReady = false

  function kill(): void {
    state = 'gone'
    child.kill('SIGKILL')
  }
  const fail = (reason: Error): void => {
    task?.reject(reason)
    task = null
  }
  const rest = (): void => {
    clearTimeout(timer)
    timer = setTimeout(kill, idleMs).unref()
    state = 'free'
    onFree(worker)
  }
  const overrun = (): void => {
    log.warn({ effect: task?.work.effect, jobMs }, 'image work timed out')
    kill()
    task?.reject(tooSlow(jobMs))
  }
  const onAnswer = (answer: Answer): void => {
    wasReady = true
    if (state === 'gone') return
    settle(answer, task, log)
    task = null
    rest()
  }
  const worker: WorkerProcess = {
    get state() {
      return state
    },
    give(next) {
      clearTimeout(timer)
      task = next
      state = 'busy'
      timer = setTimeout(overrun, jobMs)
      send(child, files, next.work)
    },
    async end(reason) {
      fail(reason)
      kill()
      await once(child, 'exit')
    },
  }
  listen(child, files, onAnswer, kill)
  child.once('exit', (code, signal) => {
    clearTimeout(timer)
    state = 'gone'
    if (task) log.error({ code, signal, effect: task.work.effect }, 'image worker crashed')
    onGone(worker, { wasReady, wasBusy: task !== null })
    fail(diedWith(code))
  })
  return worker
}

function forkChild(log: Logger): { readonly child: ChildProcess; readonly files: Duplex } {
  const child = fork(programFile('jobs/images/pool/worker'), [], {
    // Nothing of the service's environment: an attacker who breaks out of a decoder finds no secret there.
    env: { UV_THREADPOOL_SIZE: '2', VIPS_WARNING: '0' },
    ...nodeWithMemoryLimit(MEMORY_MIB, { heapMebibytes: 256 }),
    stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'ipc'],
  })
  child.on('error', (err) => log.error({ err }, 'image worker unreachable'))
  // Sound comes first on a machine that has little to spare. From here, before it has threads: they inherit it.
  setNice(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  return { child, files: child.stdio[FILES_FD] as Duplex }
}

/** A message of the worker, with the file that belongs to it. */
type Answer = Exclude<WorkerMessage, { type: 'done' }> | { readonly type: 'done'; readonly result: ImageResult }

function listen(child: ChildProcess, files: Duplex, onAnswer: (answer: Answer) => void, tooMuch: () => void): void {
  const incoming = receive(files, tooMuch)
  listenTo(child, (told) => {
    const message = told as WorkerMessage
    if (message.type !== 'done') return onAnswer(message)
    const { dataBytes, ...result } = message.result
    return incoming.take(dataBytes, (data) => onAnswer({ type: 'done', result: { ...result, data } }))
  })
}

function send(child: ChildProcess, files: Duplex, { pictures, ...head }: Work): void {
  child.send({ ...head, pictureBytes: pictures.map(({ length }) => length) } satisfies WorkHead)
  for (const picture of pictures) files.write(picture, () => releaseBuffer(picture))
}

/** Collects what comes through the pipe; the message that says how much it is may come before or after. */
function receive(pipe: Duplex, tooMuch: () => void) {
  let chunks: Buffer[] = []
  let haveBytes = 0
  let wanted: { readonly bytes: number; readonly got: (data: Buffer) => void } | null = null
  const check = (): void => {
    if (!wanted || haveBytes < wanted.bytes) return
    const { got } = wanted
    const data = concatAndRelease(chunks)
    wanted = null
    chunks = []
    haveBytes = 0
    got(data)
  }
  pipe.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    haveBytes += chunk.length
    // Nothing that we sent it to do makes so much of it.
    if (haveBytes > LIMITS.outputBytes) tooMuch()
    else check()
  })
  // The process has exited; its exit event is handled elsewhere.
  pipe.on('error', () => undefined)
  return {
    take(bytes: number, got: (data: Buffer) => void) {
      wanted = { bytes, got }
      check()
    },
  }
}

/** Settles the pending call with the worker's answer. */
function settle(message: Answer, task: ImageTask | null, log: Logger): void {
  switch (message.type) {
    case 'done':
      task?.resolve(message.result)
      return
    case 'ready':
      return
    case 'refused':
      task?.reject(new Refusal(message.message, message.reason, message.input))
      return
    case 'failed':
      log.error({ effect: task?.work.effect, error: message.error }, 'image effect failed')
      task?.reject(new Error(`An image effect failed: ${message.error}`))
  }
}

function tooSlow(jobMs: number): Refusal {
  const limit = `${jobMs / 1000} s`
  return new Refusal(
    `This takes longer than ${limit}. Send a smaller image, or use a smaller \`size\`.`,
    'picture_too_slow',
  )
}

function diedWith(code: number | null): Error {
  if (code === OUT_OF_MEMORY)
    return new Refusal('This needs too much memory. Send a smaller image.', 'picture_too_large')
  return new Refusal("The service can't process this image.", 'picture_unreadable')
}
