import { ALONG, DIVISOR, DOWN, NEAREST, NEARNESS, STRIDE } from '../model/surface.ts'
import { litAt, texelAt, type Paint } from './texels.ts'
import { createOverlayLayers } from '../model/overlay-layers.ts'

/**
 * Returns the colour of the faces with these numbers at a point of the picture: alpha, blue, green and red from the
 * highest byte. The first of several faces in one plane counts.
 */
export type Look = (faces: Int32Array, x: number, y: number) => number

/** So that a point exactly on the edge between two faces belongs to one of them. */
export const SLACK = 1e-7
/** Faces whose distances differ less, in units, lie in one plane. */
export const SAME_PLANE = 1e-4

export function createLook(surfaces: Float64Array, paints: readonly Paint[]): Look {
  const veils = createOverlayLayers()
  return (faces, x, y) => {
    let nearest = Infinity
    let face = 0
    let along = 0
    let down = 0
    let texel = 0
    veils.clear()
    for (let i = 0; i < faces.length; i++) {
      const candidate = faces[i]!
      const at = candidate * STRIDE
      if (surfaces[at + NEAREST]! >= nearest) break
      const divisor = surfaces[at + DIVISOR]! * x + surfaces[at + DIVISOR + 1]! * y + surfaces[at + DIVISOR + 2]!
      const least = -SLACK * divisor
      const most = divisor - least
      const a = surfaces[at + ALONG]! * x + surfaces[at + ALONG + 1]! * y + surfaces[at + ALONG + 2]!
      if (!(a >= least && a <= most)) continue
      const b = surfaces[at + DOWN]! * x + surfaces[at + DOWN + 1]! * y + surfaces[at + DOWN + 2]!
      if (!(b >= least && b <= most)) continue
      const distance = surfaces[at + NEARNESS]! / divisor
      if (distance >= nearest - SAME_PLANE) continue
      const colour = texelAt(paints[candidate]!, a / divisor, b / divisor)
      const alpha = colour >>> 24
      if (alpha === 255) {
        nearest = distance
        face = candidate
        along = a / divisor
        down = b / divisor
        texel = colour
      } else if (alpha > 0) veils.add(distance, litAt(paints[candidate]!, a / divisor, b / divisor, colour))
    }
    const seen = texel === 0 ? 0 : litAt(paints[face]!, along, down, texel)
    return veils.count() === 0 ? seen : veils.over(seen, nearest)
  }
}
