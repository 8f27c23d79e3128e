import type { Size } from './canvas.ts'
import { edgeOf } from './scene.ts'

/** The size of a result that two pictures share. */
export function sizeOfPair(sizes: readonly Size[]): Size {
  const height = edgeOf(sizes[0]!, [320, 640])
  return { width: Math.round(height * 1.6), height }
}
