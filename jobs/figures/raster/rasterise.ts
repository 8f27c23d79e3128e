import type { Camera } from './camera.ts'
import { lookAtCorners } from '../model/corners.ts'
import type { Face } from '../model/faces.ts'
import type { LightMap } from './light.ts'
import { createRasterizer } from './texels.ts'
import { createLook, type Look } from './sampler.ts'
import { surfacesOf } from '../model/surface.ts'
import { tilesOf, type Tile } from './tiles.ts'

export interface Pixels {
  readonly width: number
  readonly height: number
  /** Four bytes each, colours not multiplied by alpha. */
  readonly rgba: Uint8Array<ArrayBuffer>
}

/** Corners that differ more than this in any channel have an edge between them. */
const CONTRAST = 5
/** The weaker an edge, the fewer points show it as smooth: one of a share of 1/4 is not seen in a contrast of 24. */
const WEAK = { contrast: 24, points: pointsOf(4) }
const MIDDLING = { contrast: 72, points: pointsOf(8) }
const STRONG = { points: pointsOf(16) }

/**
 * Looks at the corners of every pixel, and at up to sixteen points of one whose corners differ: inside a pixel of the
 * skin there is nothing to smooth, and most of a picture is inside of one. Not WebGL, which needs a browser and takes about
 * three times the CPU.
 */
export function rasterise(
  faces: readonly Face[],
  lights: readonly LightMap[],
  camera: Camera,
  { width, height }: { readonly width: number; readonly height: number },
): Pixels {
  const surfaces = surfacesOf(faces, lights, camera)
  const painter = createRasterizer(surfaces, faces, lights)
  const look = createLook(surfaces, painter)
  const tiles = tilesOf(surfaces, width, height)
  const corners = lookAtCorners({ surfaces, painter, look, tiles, width: width + 1, height: height + 1 })
  const colours = new Int32Array(width * height)
  for (const tile of tiles) fill({ look, tile, corners, colours, width })
  return { width, height, rgba: new Uint8Array(colours.buffer) }
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
      const contrast = Math.max(
        difference(first, corners[at + 1]!),
        difference(first, corners[at + width + 1]!),
        difference(first, corners[at + width + 2]!),
      )
      colours[y * width + x] = contrast > CONTRAST ? mean(look, tile.faces, pointsFor(contrast), x, y) : first
    }
  }
}

/** Of the channel that differs most. */
function difference(a: number, b: number): number {
  if (a === b) return 0
  return Math.max(
    Math.abs((a >>> 24) - (b >>> 24)),
    Math.abs(((a >>> 16) & 255) - ((b >>> 16) & 255)),
    Math.abs(((a >>> 8) & 255) - ((b >>> 8) & 255)),
    Math.abs((a & 255) - (b & 255)),
  )
}

function pointsFor(contrast: number): Float64Array {
  if (contrast <= WEAK.contrast) return WEAK.points
  return contrast <= MIDDLING.contrast ? MIDDLING.points : STRONG.points
}

// oxlint-disable-next-line max-params -- called for every edge; an object each time would cost more than the work
function mean(look: Look, faces: Int32Array, points: Float64Array, x: number, y: number): number {
  let red = 0
  let green = 0
  let blue = 0
  let alpha = 0
  for (let i = 0; i < points.length; i += 2) {
    const colour = look(faces, x + points[i]!, y + points[i + 1]!)
    const weight = colour >>> 24
    red += (colour & 255) * weight
    green += ((colour >>> 8) & 255) * weight
    blue += ((colour >>> 16) & 255) * weight
    alpha += weight
  }
  if (alpha === 0) return 0
  const opacity = Math.round((alpha * 2) / points.length)
  return (opacity << 24) | (Math.round(blue / alpha) << 16) | (Math.round(green / alpha) << 8) | Math.round(red / alpha)
}

/** Points of a pixel (x, y, x, y, …), no two in one row or column: an edge of any slope gets as many steps. */
function pointsOf(count: number): Float64Array {
  const bits = Math.log2(count)
  const mirrored = (i: number) =>
    Array.from({ length: bits }, (_, bit) => ((i >> bit) & 1) << (bits - 1 - bit)).reduce((sum, each) => sum + each, 0)
  return Float64Array.from(
    Array.from({ length: count }, (_, i) => [(i + 0.5) / count, (mirrored(i) + 0.5) / count]).flat(),
  )
}
