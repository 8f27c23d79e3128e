import { SLACK } from './sampler.ts'
import { ALONG, DIVISOR, DOWN, STRIDE } from './surface.ts'

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

const EDGE = 16

/** The squares of a picture in which there is anything. */
export function tilesOf(surfaces: Float64Array, width: number, height: number): readonly Tile[] {
  const all = Array.from({ length: surfaces.length / STRIDE }, (_, face) => face)
  return steps(height).flatMap(([top, bottom]) => {
    const band = all.filter((face) => mayShow(surfaces, face, { left: 0, top, right: width, bottom }))
    return steps(width).flatMap(([left, right]): Tile[] => {
      const rectangle = { left, top, right, bottom }
      const faces = Int32Array.from(band.filter((face) => mayShow(surfaces, face, rectangle)))
      return faces.length === 0 ? [] : [{ ...rectangle, faces }]
    })
  })
}

function steps(length: number): readonly (readonly [from: number, to: number])[] {
  return Array.from({ length: Math.ceil(length / EDGE) }, (_, i) => [i * EDGE, Math.min(length, (i + 1) * EDGE)])
}

/** Whether a face can be seen somewhere in a rectangle. A plane's shares have no extremes but at the corners. */
function mayShow(surfaces: Float64Array, face: number, { left, top, right, bottom }: Rectangle): boolean {
  const at = face * STRIDE
  const value = (k: number, x: number, y: number) =>
    surfaces[at + k]! * x + surfaces[at + k + 1]! * y + surfaces[at + k + 2]!
  const overCorners = (k: number) => [
    value(k, left, top),
    value(k, right, top),
    value(k, left, bottom),
    value(k, right, bottom),
  ]
  const divisors = overCorners(DIVISOR)
  if (Math.min(...divisors) <= 0 && Math.max(...divisors) >= 0) return true
  return [ALONG, DOWN].every((k) => {
    const shares = overCorners(k).map((each, i) => each / divisors[i]!)
    return Math.max(...shares) >= -SLACK && Math.min(...shares) <= 1 + SLACK
  })
}
