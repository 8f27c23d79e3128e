import { SLACK } from './sampler.ts'
import { ALONG, DIVISOR, DOWN, STRIDE } from '../model/surface.ts'

interface Rectangle {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** A square of the picture, and the faces that can be seen in it. */
export interface Tile extends Rectangle {
  readonly faces: Int32Array
}

/** A row of squares: those in which there is anything. */
export interface Band {
  readonly top: number
  readonly bottom: number
  readonly faces: Int32Array
  readonly tiles: readonly Tile[]
}

/** The edge of a square, in pixels. */
export const EDGE = 16

/** The rows of squares of a picture in which there is anything. */
export function bandsOf(surfaces: Float64Array, width: number, height: number): readonly Band[] {
  const all = Int32Array.from({ length: surfaces.length / STRIDE }, (_, face) => face)
  const bands: Band[] = []
  for (let top = 0; top < height; top += EDGE) {
    const bottom = Math.min(height, top + EDGE)
    const faces = all.filter((face) => mayShow(surfaces, face, { left: 0, top, right: width, bottom }))
    const tiles: Tile[] = []
    for (let left = 0; left < width && faces.length > 0; left += EDGE) {
      const rectangle = { left, top, right: Math.min(width, left + EDGE), bottom }
      const shown = faces.filter((face) => mayShow(surfaces, face, rectangle))
      if (shown.length > 0) tiles.push({ ...rectangle, faces: shown })
    }
    if (tiles.length > 0) bands.push({ top, bottom, faces, tiles })
  }
  return bands
}

/**
 * Whether a face can be seen somewhere in a rectangle: not if one of the four conditions on its shares fails at all
 * corners. They are linear, and so fail in between as well.
 */
function mayShow(surfaces: Float64Array, face: number, rectangle: Rectangle): boolean {
  const at = face * STRIDE
  for (let k = ALONG; k <= DOWN; k += DOWN - ALONG) {
    if (most(surfaces, at, k, 0, rectangle) < 0 || most(surfaces, at, k, 1, rectangle) < 0) return false
  }
  return true
}

/** The greatest value of a condition in a rectangle: of the share itself, or of what it lacks to 1. */
// oxlint-disable-next-line max-params -- called for every face of every square
function most(
  surfaces: Float64Array,
  at: number,
  k: number,
  end: 0 | 1,
  { left, top, right, bottom }: Rectangle,
): number {
  const own = end === 0 ? 1 : -1
  const divisors = end === 0 ? SLACK : 1 + SLACK
  const x = own * surfaces[at + k]! + divisors * surfaces[at + DIVISOR]!
  const y = own * surfaces[at + k + 1]! + divisors * surfaces[at + DIVISOR + 1]!
  const constant = own * surfaces[at + k + 2]! + divisors * surfaces[at + DIVISOR + 2]!
  return x * (x > 0 ? right : left) + y * (y > 0 ? bottom : top) + constant
}
