import type { FigureSpec, Pixels } from 'bandstand-figures'
import type { Logger } from '../../lib/log.ts'
import { TaskThread } from '../../lib/workers/task-thread.ts'
import { programFile } from '../../lib/installation.ts'

/** Draws figures in a thread, one after the other. */
export type Renderer = ReturnType<typeof createFigureRenderer>

/** The largest figure takes a tenth of it on a slow machine that has much else to do. */
const DRAWING_MS = 15_000
const IDLE_MS = 60_000
const HEAP_MB = 256

/** The thread starts with the first figure. */
export function createFigureRenderer(log: Logger) {
  const thread = new TaskThread<FigureSpec, Pixels, null>({
    file: programFile('jobs/figures/figure-worker'),
    name: 'figures',
    log,
    data: null,
    heapMb: HEAP_MB,
    hungMs: DRAWING_MS,
    idleMs: IDLE_MS,
    env: {},
  })
  return { draw: (spec: FigureSpec, signal: AbortSignal) => thread.run(spec, signal) }
}
