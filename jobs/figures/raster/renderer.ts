import { Worker } from 'node:worker_threads'
import type { FigureSpec } from '../figure.ts'
import type { Pixels } from './rasterise.ts'

export interface Order {
  readonly id: number
  readonly spec: FigureSpec
}

export interface Drawing {
  readonly id: number
  readonly pixels: Pixels
}

/** Draws figures in a thread, one after the other. */
export interface Renderer {
  draw(spec: FigureSpec, signal: AbortSignal): Promise<Pixels>
}

/** The largest figure takes a tenth of it on a slow machine that has much else to do. */
const DRAWING_MS = 15_000
/** A thread that nobody needs gives its memory back after this. */
const IDLE_MS = 60_000
const HEAP_MIB = 256

interface Waiting {
  readonly resolve: (pixels: Pixels) => void
  readonly reject: (error: Error) => void
}

/** The thread starts with the first figure. It keeps no process alive that has nothing else to do. */
export function createFigureRenderer(): Renderer {
  const waiting = new Map<number, Waiting>()
  let thread: Worker | null = null
  let timer: NodeJS.Timeout | undefined
  let lastId = 0

  const end = (reason: Error): void => {
    const ended = thread
    thread = null
    clearTimeout(timer)
    for (const { reject } of waiting.values()) reject(reason)
    waiting.clear()
    void ended?.terminate()
  }
  const watch = (): void => {
    clearTimeout(timer)
    const isIdle = waiting.size === 0
    const reason = new Error(isIdle ? 'idle' : 'The thread that draws figures does not answer.')
    timer = setTimeout(end, isIdle ? IDLE_MS : DRAWING_MS, reason)
    if (isIdle) {
      timer.unref()
      thread?.unref()
    } else thread?.ref()
  }
  const start = (): Worker => {
    const fresh = new Worker(new URL('worker.ts', import.meta.url), {
      name: 'figures',
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    })
    const onEnd = (reason: Error) => {
      if (thread === fresh) end(reason)
    }
    fresh.on('message', ({ id, pixels }: Drawing) => {
      waiting.get(id)?.resolve(pixels)
      waiting.delete(id)
      watch()
    })
    fresh.on('error', (error) => onEnd(error instanceof Error ? error : new Error(String(error))))
    fresh.on('exit', () => onEnd(new Error('The thread that draws figures has ended.')))
    return fresh
  }

  return {
    draw(spec, signal) {
      signal.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<Pixels>()
      const id = ++lastId
      const onAbort = () => reject(signal.reason as Error)
      signal.addEventListener('abort', onAbort, { once: true })
      thread ??= start()
      const isFirst = waiting.size === 0
      waiting.set(id, { resolve, reject })
      thread.postMessage({ id, spec } satisfies Order)
      // From the moment that it has something to do; each answer begins it anew.
      if (isFirst) watch()
      return promise.finally(() => signal.removeEventListener('abort', onAbort))
    },
  }
}
