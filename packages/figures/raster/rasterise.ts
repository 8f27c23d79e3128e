import { createCornerScan } from './corners.ts'
import type { Face } from '../model/faces.ts'
import { surfacesOf } from '../model/surface.ts'
import type { Camera } from './camera.ts'
import type { LightMap } from './light.ts'
import { createLook, type Look } from './sampler.ts'
import { CONTRAST, mean, pointsFor } from './edges.ts'
import { paintsOf } from './texels.ts'
import { bandsOf, type Tile } from './tiles.ts'

export interface Pixels {
  readonly width: number
  readonly height: number
  /** Four bytes each, colours not multiplied by alpha. */
  readonly rgba: Uint8Array<ArrayBuffer>
}

/**
 * Looks at the corners of every pixel, and at up to sixteen points of one whose corners differ: inside a pixel of the
 * skin there is nothing to smooth, and most of a picture is inside of one. Not WebGL, which needs a browser and takes about
 * four times the CPU.
 */
export function rasterise(
  faces: readonly Face[],
  lights: readonly LightMap[],
  camera: Camera,
  { width, height }: { readonly width: number; readonly height: number },
): Pixels {
  const surfaces = surfacesOf(faces, camera)
  const paints = paintsOf(faces, lights)
  const look = createLook(surfaces, paints)
  const scan = createCornerScan({ surfaces, paints, look, width, height })
  const colours = new Int32Array(width * height)
  for (const band of bandsOf(surfaces, width, height)) {
    const corners = scan.look(band)
    for (const tile of band.tiles) fill({ look, tile, corners, colours, width })
  }
  return { width, height, rgba: new Uint8Array(colours.buffer) }
}

interface Filling {
  readonly look: Look
  readonly tile: Tile
  /** The colours at the corners of the tile's band, `width + 1` in a row. */
  readonly corners: Int32Array
  readonly colours: Int32Array
  readonly width: number
}

function fill({ look, tile, corners, colours, width }: Filling): void {
  for (let y = tile.top; y < tile.bottom; y++) {
    for (let x = tile.left; x < tile.right; x++) {
      const at = (y - tile.top) * (width + 1) + x
      const contrast = contrastAt(corners, at, width + 1)
      colours[y * width + x] = contrast > CONTRAST ? mean(look, tile.faces, pointsFor(contrast), x, y) : corners[at]!
    }
  }
}

/** The contrast of a pixel's upper left corner to the other three, in the channel that differs most. */
function contrastAt(corners: Int32Array, at: number, width: number): number {
  const first = corners[at]!
  const right = corners[at + 1]!
  const below = corners[at + width]!
  const across = corners[at + width + 1]!
  if (first === right && first === below && first === across) return 0
  return Math.max(difference(first, right), difference(first, below), difference(first, across))
}

function difference(a: number, b: number): number {
  if (a === b) return 0
  return Math.max(
    Math.abs((a >>> 24) - (b >>> 24)),
    Math.abs(((a >>> 16) & 255) - ((b >>> 16) & 255)),
    Math.abs(((a >>> 8) & 255) - ((b >>> 8) & 255)),
    Math.abs((a & 255) - (b & 255)),
  )
}
