import type { Camera } from './camera.ts'
import type { Face } from './faces.ts'
import type { LightMap } from './light.ts'
import { createLook, type Look } from './sampler.ts'
import { createPainter } from './painter.ts'
import { surfacesOf } from './surface.ts'
import { tilesOf, type Tile } from './tiles.ts'

export interface Pixels {
  readonly width: number
  readonly height: number
  /** Four bytes each, colours not multiplied by alpha. */
  readonly rgba: Uint8Array<ArrayBuffer>
}

/** Points of a pixel, no two in one row or column: an edge of any slope gets sixteen steps. */
const POINTS = Array.from({ length: 16 }, (_, i) => [(i + 0.5) / 16, mirrored(i)] as const)
/** Corners that differ more than this in any channel have an edge between them. */
const CONTRAST = 5

/**
 * Looks at the corners of every pixel, and at sixteen points of one whose corners differ: inside a pixel of the skin
 * there is nothing to smooth, and most of a picture is inside of one.
 */
export function rasterise(
  faces: readonly Face[],
  lights: readonly LightMap[],
  camera: Camera,
  { width, height }: { readonly width: number; readonly height: number },
): Pixels {
  const surfaces = surfacesOf(faces, lights, camera)
  const look = createLook(surfaces, createPainter(surfaces, faces, lights))
  const tiles = tilesOf(surfaces, width, height)
  const corners = new Int32Array((width + 1) * (height + 1))
  for (const tile of tiles) lookAtCorners(look, tile, corners, width + 1)
  const colours = new Int32Array(width * height)
  for (const tile of tiles) fill({ look, tile, corners, colours, width })
  return { width, height, rgba: new Uint8Array(colours.buffer) }
}

function lookAtCorners(look: Look, tile: Tile, corners: Int32Array, width: number): void {
  for (let y = tile.top; y < tile.bottom; y++) {
    for (let x = tile.left; x < tile.right; x++) corners[y * width + x] = look(tile.faces, x, y)
  }
}

interface Filling {
  readonly look: Look
  readonly tile: Tile
  readonly corners: Int32Array
  readonly colours: Int32Array
  readonly width: number
}

function fill({ look, tile, corners, colours, width }: Filling): void {
  for (let y = tile.top; y < tile.bottom; y++) {
    for (let x = tile.left; x < tile.right; x++) {
      const at = y * (width + 1) + x
      const first = corners[at]!
      const isEdge =
        differ(first, corners[at + 1]!) ||
        differ(first, corners[at + width + 1]!) ||
        differ(first, corners[at + width + 2]!)
      colours[y * width + x] = isEdge ? mean(look, tile.faces, x, y) : first
    }
  }
}

function differ(a: number, b: number): boolean {
  if (a === b) return false
  for (let shift = 0; shift < 32; shift += 8) {
    const difference = ((a >>> shift) & 255) - ((b >>> shift) & 255)
    if (difference > CONTRAST || difference < -CONTRAST) return true
  }
  return false
}

function mean(look: Look, faces: Int32Array, x: number, y: number): number {
  let [red, green, blue, alpha] = [0, 0, 0, 0]
  for (let i = 0; i < POINTS.length; i++) {
    const point = POINTS[i]!
    const colour = look(faces, x + point[0], y + point[1])
    const weight = colour >>> 24
    red += (colour & 255) * weight
    green += ((colour >>> 8) & 255) * weight
    blue += ((colour >>> 16) & 255) * weight
    alpha += weight
  }
  if (alpha === 0) return 0
  const half = alpha / 2
  const mixed = (sum: number) => ((sum + half) / alpha) | 0
  return (((alpha + 8) >> 4) << 24) | (mixed(blue) << 16) | (mixed(green) << 8) | mixed(red)
}

/** The bits of a number below 16 in reverse, as a fraction. */
function mirrored(i: number): number {
  const reversed = ((i & 1) << 3) | ((i & 2) << 1) | ((i & 4) >> 1) | ((i & 8) >> 3)
  return (reversed + 0.5) / 16
}
