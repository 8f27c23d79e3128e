import { MessageChannel, Worker } from 'node:worker_threads'
import { childEnv } from '../../lib/child-process.ts'
import { steadyNow } from '../../steady.ts'
import { startEngine } from './engine.ts'
import type { FromThread, ThreadSetup, ToThread } from './wire.ts'

/** A hundred players take a tenth of it. */
const HEAP_MIB = 1024

/** One life of an audio thread. */
export interface Life {
  readonly startedAtMs: number
  post(message: ToThread): void
  /** Resolves when nothing of it runs any more. Safe to repeat. */
  end(): Promise<void>
}

export interface LifeOptions {
  readonly setup: ThreadSetup
  readonly onMessage: (message: FromThread) => void
  /** It ended, asked or unasked. Never called before `start…` has returned. */
  readonly onEnd: (error: Error | null) => void
}

export function startThread({ setup, onMessage, onEnd }: LifeOptions): Life {
  const worker = new Worker(new URL('thread.ts', import.meta.url), {
    name: 'audio',
    workerData: setup,
    env: childEnv(),
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  })
  let error: Error | null = null
  worker.on('message', onMessage)
  worker.on('error', (cause: unknown) => {
    error = cause instanceof Error ? cause : new Error(String(cause))
  })
  worker.once('exit', () => onEnd(error))
  return {
    startedAtMs: steadyNow(),
    post: (message) => worker.postMessage(message),
    end: async () => {
      await worker.terminate()
    },
  }
}

/** The same without a thread of its own. What fails in here fails the whole process. */
export function startHere({ setup, onMessage, onEnd }: LifeOptions): Life {
  const { port1, port2 } = new MessageChannel()
  startEngine(port2, setup)
  port1.on('message', onMessage)
  port1.once('close', () => onEnd(null))
  return {
    startedAtMs: steadyNow(),
    post: (message) => port1.postMessage(message),
    end: () => {
      port1.close()
      return Promise.resolve()
    },
  }
}
