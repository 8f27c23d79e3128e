import type { Face } from '../model/faces.ts'
import type { LightMap } from './light.ts'
import {
  COLUMNS,
  FIRST_ROW,
  LIGHT_COLUMNS,
  LIGHT_ROWS,
  OWN_FIRST,
  OWN_LAST,
  SHOWN_ROWS,
  STRIDE,
} from '../model/surface.ts'

/** Tells colours of faces at shares (0 to 1) of their width and height. */
export interface Rasterizer {
  /** As it is painted. */
  texelAt(face: number, along: number, down: number): number
  /** A colour as it looks there. */
  light(face: number, along: number, down: number, colour: number): number
}

export function createRasterizer(
  surfaces: Float64Array,
  faces: readonly Face[],
  lights: readonly LightMap[],
): Rasterizer {
  const pictures = faces.map(({ texels }) => texels.colours)
  const brightness = lights.map(({ values }) => values)
  return {
    texelAt(face, along, down) {
      const at = face * STRIDE
      const columns = surfaces[at + COLUMNS]!
      const column = within(along * columns, columns)
      const row = (surfaces[at + FIRST_ROW]! + down * surfaces[at + SHOWN_ROWS]!) | 0
      const own = Math.min(surfaces[at + OWN_LAST]!, Math.max(surfaces[at + OWN_FIRST]!, row))
      return pictures[face]![own * columns + column]!
    },
    light(face, along, down, colour) {
      const columns = surfaces[face * STRIDE + LIGHT_COLUMNS]!
      const rows = surfaces[face * STRIDE + LIGHT_ROWS]!
      const column = within(along * columns, columns)
      const row = within(down * rows, rows)
      const [x, y] = [along * columns - column, down * rows - row]
      const values = brightness[face]!
      const above = row * (columns + 1) + column
      const below = above + columns + 1
      const upper = values[above]! + (values[above + 1]! - values[above]!) * x
      const lower = values[below]! + (values[below + 1]! - values[below]!) * x
      return shaded(colour, upper + (lower - upper) * y)
    },
  }
}

/** The whole number below a value, among the first `count` ones. */
function within(value: number, count: number): number {
  const whole = value | 0
  return whole < 0 ? 0 : whole >= count ? count - 1 : whole
}

/** Shadows keep a little more blue, as they do under a sky. */
function shaded(colour: number, light: number): number {
  const cool = light < 1 ? light + (1 - light) * 0.07 : light
  const red = Math.min(255, (colour & 255) * light)
  const green = Math.min(255, ((colour >>> 8) & 255) * light)
  const blue = Math.min(255, ((colour >>> 16) & 255) * cool)
  return (colour & 0xff000000) | (blue << 16) | (green << 8) | red
}
