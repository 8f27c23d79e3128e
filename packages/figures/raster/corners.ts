import { ALONG, DIVISOR, DOWN, NEARNESS, STRIDE } from '../model/surface.ts'
import { SAME_PLANE, SLACK, type Look } from './sampler.ts'
import { litAt, texelAt, type Paint } from './texels.ts'
import { EDGE, type Band, type Tile } from './tiles.ts'

interface Scan {
  readonly surfaces: Float64Array
  readonly paints: readonly Paint[]
  readonly look: Look
  /** In pixels. */
  readonly width: number
  readonly height: number
}

/** The visible colours of a band so far, and their distances. */
interface Seen {
  readonly colours: Int32Array
  readonly distances: Float64Array
  /** Not 0 where something translucent is before it, or was. */
  readonly veiled: Uint8Array
}

/**
 * Looks at the corners of pixels, a row of squares at a time: so little memory stays in the processor's cache. Face after
 * face, row after row: far quicker than point after point.
 */
export function createCornerScan(scan: Scan) {
  /** A row has `width + 1`. */
  const width = scan.width + 1
  const count = width * (EDGE + 1)
  const seen = {
    colours: new Int32Array(count),
    distances: new Float64Array(count),
    veiled: new Uint8Array(count),
  }
  return {
    width,
    /** Returns the colours at the corners of the pixels of a band, from its top to its bottom. Holds until the next call. */
    look(band: Band): Int32Array {
      seen.colours.fill(0)
      seen.distances.fill(Infinity)
      seen.veiled.fill(0)
      let hasVeils = false
      for (const face of band.faces) if (scanFace(scan, face, band, seen)) hasVeils = true
      if (hasVeils) for (const tile of band.tiles) lookThroughVeils(scan, tile, seen)
      return seen.colours
    },
  }
}

function lookThroughVeils({ look, width, height }: Scan, tile: Tile, { colours, veiled }: Seen): void {
  const bottom = Math.min(tile.bottom, height - 1)
  for (let y = tile.top; y <= bottom; y++) {
    for (let x = tile.left; x < tile.right; x++) {
      const at = (y - tile.top) * (width + 1) + x
      if (veiled[at]) colours[at] = look(tile.faces, x, y)
    }
  }
}

/** @returns whether any part of it is translucent; `veiled` marks those points. */
function scanFace({ surfaces, paints, width }: Scan, face: number, band: Band, seen: Seen): boolean {
  const { colours, distances, veiled } = seen
  const paint = paints[face]!
  const at = face * STRIDE
  const nearness = surfaces[at + NEARNESS]!
  const divisorSlope = surfaces[at + DIVISOR]!
  const alongSlope = surfaces[at + ALONG]!
  const downSlope = surfaces[at + DOWN]!
  const span = { from: 0, to: 0 }
  let hasVeils = false
  for (let y = band.top; y <= band.bottom; y++) {
    if (!findSpan(surfaces, at, y, width + 1, span)) continue
    const divisors = surfaces[at + DIVISOR + 1]! * y + surfaces[at + DIVISOR + 2]!
    const alongs = surfaces[at + ALONG + 1]! * y + surfaces[at + ALONG + 2]!
    const downs = surfaces[at + DOWN + 1]! * y + surfaces[at + DOWN + 2]!
    const row = (y - band.top) * (width + 1)
    const { from, to } = span
    for (let x = from; x <= to; x++) {
      const inverse = 1 / (divisorSlope * x + divisors)
      const distance = nearness * inverse
      if (distance >= distances[row + x]! - SAME_PLANE) continue
      const along = (alongSlope * x + alongs) * inverse
      const down = (downSlope * x + downs) * inverse
      const colour = texelAt(paint, along, down)
      const alpha = colour >>> 24
      if (alpha === 255) {
        distances[row + x] = distance
        colours[row + x] = litAt(paint, along, down, colour)
      } else if (alpha > 0) {
        veiled[row + x] = 1
        hasVeils = true
      }
    }
  }
  return hasVeils
}

/** Finds the part of a row where both shares are between 0 and 1: four conditions, each linear in x. */
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
    const a = surfaces[k]!
    const b = surfaces[k + 1]! * y + surfaces[k + 2]!
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
