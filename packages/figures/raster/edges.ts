import type { Look } from './sampler.ts'

/** The corners differ by so little that there is nothing to smooth: in any channel. */
export const CONTRAST = 5
/** The weaker an edge, the fewer points show it as smooth: one of a share of 1/4 is not seen in a contrast of 24. */
const WEAK = { contrast: 24, points: pointsOf(4) }
const MIDDLING = { contrast: 72, points: pointsOf(8) }
const STRONG = { points: pointsOf(16) }

/** The points that show an edge of this contrast as smooth. */
export function pointsFor(contrast: number): Float64Array {
  if (contrast <= WEAK.contrast) return WEAK.points
  return contrast <= MIDDLING.contrast ? MIDDLING.points : STRONG.points
}

/** The mean of what the faces with these numbers show at points of the pixel whose upper left corner is (x, y). */
// oxlint-disable-next-line max-params -- called for every edge; an object each time would cost more than the work
export function mean(look: Look, faces: Int32Array, points: Float64Array, x: number, y: number): number {
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
