import type { Texture } from '../skin/texture.ts'
import type { Pixels } from './rasterise.ts'

/** The front of the head on a skin of ordinary size, and its second layer. */
const EDGE = 8
const FACE = [8, 8] as const
const LAYER = [40, 8] as const
const SKIN = 64

/** The front of the head, flat and without light: what players use as their picture. `size`: of each edge, in pixels. */
export function drawFace(skin: Texture, size: number): Pixels {
  const rgba = new Uint8Array(size * size * 4)
  const fineness = skin.width / SKIN
  const step = (EDGE * fineness) / size
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const at = (y * size + x) * 4
      const [column, row] = [Math.floor(x * step), Math.floor(y * step)]
      const behind = pixelOf(skin, FACE[0] * fineness + column, FACE[1] * fineness + row)
      const before = pixelOf(skin, LAYER[0] * fineness + column, LAYER[1] * fineness + row)
      const cover = skin.rgba[before + 3]! / 255
      for (let k = 0; k < 3; k++) {
        rgba[at + k] = Math.round(skin.rgba[before + k]! * cover + skin.rgba[behind + k]! * (1 - cover))
      }
      rgba[at + 3] = 255
    }
  }
  return { width: size, height: size, rgba }
}

function pixelOf({ width }: Texture, x: number, y: number): number {
  return (y * width + x) * 4
}
