/** Layers behind each other that are drawn: a figure has no more. */
const MOST = 16

/** Translucent colours in front of one point, in any order. */
export function createOverlayLayers() {
  const distances = new Float64Array(MOST)
  const colours = new Int32Array(MOST)
  let count = 0
  /** The furthest one nearer than `distance`; -1: none. */
  const nextBefore = (distance: number): number => {
    let next = -1
    for (let i = 0; i < count; i++) {
      if (distances[i]! < distance && (next < 0 || distances[i]! > distances[next]!)) next = i
    }
    return next
  }
  return {
    count: () => count,
    clear() {
      count = 0
    },
    /** Adds a layer; ignored once there are `MOST`. */
    add(distance: number, colour: number) {
      if (count === MOST) return
      distances[count] = distance
      colours[count++] = colour
    },
    /** Lays the colours nearer than `distance` over `behind`. */
    over(behind: number, distance: number): number {
      let colour = behind
      for (let i = nextBefore(distance); i >= 0; i = nextBefore(distances[i]!)) colour = lay(colours[i]!, colour)
      return colour
    },
  }
}

function lay(front: number, back: number): number {
  const share = (front >>> 24) / 255
  const rest = ((back >>> 24) / 255) * (1 - share)
  const alpha = share + rest
  const mix = (shift: number) => ((((front >>> shift) & 255) * share + ((back >>> shift) & 255) * rest) / alpha) | 0
  return (Math.round(alpha * 255) << 24) | (mix(16) << 16) | (mix(8) << 8) | mix(0)
}
