import { type Pen, type Size } from './canvas.ts'
import { edgeOf } from './scene.ts'

export type Point = readonly [x: number, y: number]

/** Lays the closed path through the points. */
export function polygon(pen: Pen, points: readonly Point[]): void {
  for (const [i, [x, y]] of points.entries()) {
    if (i === 0) pen.moveTo(x, y)
    else pen.lineTo(x, y)
  }
  pen.closePath()
}

/** The size of a result that two pictures share. */
export function sizeOfPair(sizes: readonly Size[]): Size {
  const height = edgeOf(sizes[0]!, [320, 640])
  return { width: Math.round(height * 1.6), height }
}
