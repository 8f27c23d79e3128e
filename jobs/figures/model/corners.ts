import type { Rasterizer } from '../raster/texels.ts'
import { SAME_PLANE, SLACK, type Look } from '../raster/sampler.ts'
import { ALONG, DIVISOR, DOWN, NEARNESS, STRIDE } from './surface.ts'
import type { Tile } from '../raster/tiles.ts'

interface Scan {
  readonly surfaces: Float64Array
  readonly painter: Rasterizer
  readonly look: Look
  readonly tiles: readonly Tile[]
  /** Corners in a row, and rows of them: one more than pixels. */
  readonly width: number
  readonly height: number
}

/** What is seen at the corner of every pixel. Face after face, row after row: far quicker than point after point. */
export function lookAtCorners(scan: Scan): Int32Array {
  const { surfaces, width, height, look, tiles } = scan
  const seen = { colours: new Int32Array(width * height), distances: new Float64Array(width * height).fill(Infinity) }
  const veiled = new Uint8Array(width * height)
  let hasVeils = false
  for (let face = 0; face < surfaces.length / STRIDE; face++) {
    if (scanFace(scan, face, seen, veiled)) hasVeils = true
  }
  if (hasVeils) for (const tile of tiles) lookThroughVeils(look, tile, veiled, { colours: seen.colours, width })
  return seen.colours
}

/** A picture of so many corners in a row. */
interface Corners {
  readonly colours: Int32Array
  readonly width: number
}

function lookThroughVeils(look: Look, tile: Tile, veiled: Uint8Array, { colours, width }: Corners): void {
  for (let y = tile.top; y < tile.bottom; y++) {
    for (let x = tile.left; x < tile.right; x++) {
      const at = y * width + x
      if (veiled[at]) colours[at] = look(tile.faces, x, y)
    }
  }
}

interface Seen {
  readonly colours: Int32Array
  readonly distances: Float64Array
}

/** @returns whether something of it is translucent; where it is, `veiled` tells. */
function scanFace({ surfaces, painter, width, height }: Scan, face: number, seen: Seen, veiled: Uint8Array): boolean {
  const { colours, distances } = seen
  const at = face * STRIDE
  const nearness = surfaces[at + NEARNESS]!
  const span = { from: 0, to: 0 }
  let hasVeils = false
  for (let y = 0; y < height; y++) {
    if (!findSpan(surfaces, at, y, width, span)) continue
    const divisors = surfaces[at + DIVISOR + 1]! * y + surfaces[at + DIVISOR + 2]!
    const alongs = surfaces[at + ALONG + 1]! * y + surfaces[at + ALONG + 2]!
    const downs = surfaces[at + DOWN + 1]! * y + surfaces[at + DOWN + 2]!
    for (let x = span.from; x <= span.to; x++) {
      const inverse = 1 / (surfaces[at + DIVISOR]! * x + divisors)
      const distance = nearness * inverse
      const point = y * width + x
      if (distance >= distances[point]! - SAME_PLANE) continue
      const along = (surfaces[at + ALONG]! * x + alongs) * inverse
      const down = (surfaces[at + DOWN]! * x + downs) * inverse
      const colour = painter.texelAt(face, along, down)
      const alpha = colour >>> 24
      if (alpha === 255) {
        distances[point] = distance
        colours[point] = painter.light(face, along, down, colour)
      } else if (alpha > 0) {
        veiled[point] = 1
        hasVeils = true
      }
    }
  }
  return hasVeils
}

/** Where in a row both shares are between 0 and 1: four conditions, each linear in x. */
// oxlint-disable-next-line max-params -- called for every row of every face
function findSpan(
  surfaces: Float64Array,
  at: number,
  y: number,
  width: number,
  span: { from: number; to: number },
): boolean {
  let from = 0
  let to = width - 1
  const slope = surfaces[at + DIVISOR]!
  const divisor = surfaces[at + DIVISOR + 1]! * y + surfaces[at + DIVISOR + 2]!
  for (let i = 0; i < 4; i++) {
    const k = at + (i < 2 ? ALONG : DOWN)
    const [a, b] = [surfaces[k]!, surfaces[k + 1]! * y + surfaces[k + 2]!]
    // value + slack · divisor ≥ 0, and (1 + slack) · divisor − value ≥ 0
    const m = i % 2 === 0 ? a + SLACK * slope : (1 + SLACK) * slope - a
    const c = i % 2 === 0 ? b + SLACK * divisor : (1 + SLACK) * divisor - b
    if (m > 0) from = Math.max(from, Math.ceil(-c / m))
    else if (m < 0) to = Math.min(to, Math.floor(-c / m))
    else if (c < 0) return false
    if (from > to) return false
  }
  span.from = from
  span.to = to
  return true
}
