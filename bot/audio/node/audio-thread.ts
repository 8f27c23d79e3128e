import { MessageChannel, Worker } from 'node:worker_threads'
import { threadEnv } from '../../../lib/workers/child-process.ts'
import { Fault } from '../../../lib/errors.ts'
import { monotonicNow } from '../../../lib/clock.ts'
import type { ReadHlsWindow } from '../../sources/hls/hls-windows.ts'
import { createHlsServer } from '../input/hls-server.ts'
import type { FromThread, HlsQuestion, ThreadSetup, ToThread } from './rpc.ts'
import { programFile } from '../../../lib/installation.ts'

/** A hundred players take a tenth of it. */
const HEAP_MIB = 1024

/** One life of an audio thread. */
export interface WorkerHandle {
  readonly startedAtMs: number
  post(message: ToThread): void
  /** Resolves when nothing of it runs any more. Safe to repeat. */
  end(): Promise<void>
}

interface WorkerHandleOptions {
  readonly setup: ThreadSetup
  /** Node's own options for the thread; its parent's if omitted. */
  readonly execArgv?: readonly string[] | undefined
  /** Reads HLS playlists in a thread that plays nothing. Left out: none can be played. */
  readonly readHlsWindow?: ReadHlsWindow | undefined
  readonly onMessage: (message: Exclude<FromThread, HlsQuestion>) => unknown
  /** Called when the thread ends, requested or not; never before `start…` has returned. */
  readonly onEnd: (error: Error | null) => void
}

export function startWorkerThread(options: WorkerHandleOptions): WorkerHandle {
  const worker = new Worker(programFile('bot/audio/node/worker'), {
    name: 'audio',
    workerData: options.setup,
    env: threadEnv(),
    ...(options.execArgv && { execArgv: [...options.execArgv] }),
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  })
  let error: Error | null = null
  const { receive, end } = receiver(options, (message) => worker.postMessage(message))
  worker.on('message', receive)
  worker.on('error', (cause: unknown) => {
    error = cause instanceof Error ? cause : new Error(String(cause))
  })
  worker.once('exit', () => end(error))
  return {
    startedAtMs: monotonicNow(),
    post: (message) => worker.postMessage(message),
    end: async () => {
      await worker.terminate()
    },
  }
}

/** The same without a thread of its own. What fails in here fails the whole process. */
export function startInline(options: WorkerHandleOptions): WorkerHandle {
  const { port1, port2 } = new MessageChannel()
  const { receive, end } = receiver(options, (message) => port1.postMessage(message))
  port1.on('message', receive)
  port1.once('close', () => end(null))
  // Not with the first modules: a service whose sound is made in a thread would hold it for nothing. What is posted until
  // then waits in the channel.
  import('./engine.ts').then(
    ({ startEngine }) => startEngine(port2, options.setup),
    () => port1.close(),
  )
  return {
    startedAtMs: monotonicNow(),
    post: (message) => port1.postMessage(message),
    end: () => {
      port1.close()
      return Promise.resolve()
    },
  }
}

/** Answers the thread's questions about playlists, and hands everything else on. */
function receiver(
  { readHlsWindow = noPlaylists, onMessage, onEnd }: WorkerHandleOptions,
  post: (message: ToThread) => void,
) {
  const hls = createHlsServer(readHlsWindow, post)
  return {
    receive: (message: FromThread) => {
      if (message.kind === 'hlsQuestion') hls.receive(message)
      else onMessage(message)
    },
    end: (error: Error | null) => {
      hls.close()
      onEnd(error)
    },
  }
}

async function noPlaylists(): Promise<never> {
  throw new Fault('service_unavailable', "The audio thread doesn't read playlists.")
}
