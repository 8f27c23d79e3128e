import { parentPort } from 'node:worker_threads'
import { drawFigure } from '../figure.ts'
import type { Drawing, Order } from './renderer.ts'

parentPort?.on('message', ({ id, spec }: Order) => {
  const pixels = drawFigure(spec)
  parentPort?.postMessage({ id, pixels } satisfies Drawing, [pixels.rgba.buffer])
})
