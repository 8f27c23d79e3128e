import { z } from 'zod'
import { filter } from '../declaration.ts'
import { whole } from '../params.ts'
import type { Frame } from '../codec/picture.ts'
import { blank, pointsOf, within } from '../codec/pixels.ts'

export const oil = filter('oil', 'Paint in oil', {
  params: z.object({ radius: whole({ min: 1, max: 10, default: 4, about: 'Width of the brush.' }) }),
  run: (frame, { radius }) => painted(frame, Math.ceil(radius / 2)),
})

/**
 * The kind of mean that keeps edges: each point takes the mean of the evenest of the four squares it is a corner of. Of the
 * squares only those rows are kept that a row of points looks at, which a processor has at hand all the time.
 */
function painted(frame: Frame, half: number): Frame {
  const { width, height } = frame
  const out = blank(frame)
  const points = pointsOf(frame)
  const squares = squaresOf(width, half)
  const columns = new Int32Array(width * FIELDS)
  for (let row = -half; row < height + half; row++) {
    if (row + half < height) addRow(columns, points, (row + half) * width, 1)
    if (row - half > 0) addRow(columns, points, (row - half - 1) * width, -1)
    if (row >= 0 && row < height) slide(columns, squares, placeOf(row, squares), half)
    if (row >= half) paintRow(frame, squares, row - half, pointsOf(out))
  }
  return out
}

function paintRow(frame: Frame, squares: Squares, y: number, target: Uint32Array): void {
  const { width, height } = frame
  const { means, uneven, half } = squares
  const own = pointsOf(frame)
  const up = placeOf(within(y - half, height), squares)
  const down = placeOf(within(y + half, height), squares)
  for (let x = 0, at = y * width; x < width; x++, at++) {
    const left = x < half ? 0 : x - half
    const right = x + half < width ? x + half : width - 1
    const above = evener(uneven, up + left, up + right)
    const best = evener(uneven, above, evener(uneven, down + left, down + right))
    target[at] = ((means[best] as number) & 0xffffff) | ((own[at] as number) & 0xff000000)
  }
}

/** Returns the point with the evener square. Branchless, since nothing could predict the branch. */
function evener(uneven: Int32Array, one: number, other: number): number {
  const isOther = ((uneven[other] as number) - (uneven[one] as number)) >> 31
  return one ^ ((one ^ other) & isOther)
}

/** A ring buffer of rows of squares: as many rows as lie between the highest and the lowest square of a point. */
type Squares = ReturnType<typeof squaresOf>

function squaresOf(width: number, half: number) {
  const side = 2 * half + 1
  return {
    width,
    /** The distance from a point to each edge of its square. */
    half,
    /** Red, green and blue as in the points of a frame. */
    means: new Uint32Array(width * side),
    /** The variance of how bright they are, in parts of 65,536; the most where nothing is to be seen. */
    uneven: new Int32Array(width * side),
    /** The factor from a sum of as many points to their mean, in parts of 65,536. */
    parts: Int32Array.from({ length: side * side + 1 }, (_, count) => 0x10000 / Math.max(1, count)),
  }
}

/** The start of a row's squares. */
function placeOf(row: number, { width, half }: Squares): number {
  return (row % (2 * half + 1)) * width
}

const HALF = 0x8000
const MOST = 0x7fffffff

/**
 * The number of sums: red and blue in one number, since no sum of the largest square needs more than 16 bits; green and
 * the count of points likewise; brightness; the squares of that.
 */
const FIELDS = 4

/** Adds a row to the sums of columns, or takes it away. Clear points do not count. */
function addRow(columns: Int32Array, points: Uint32Array, start: number, sign: 1 | -1): void {
  for (let at = 0, from = start; at < columns.length; at += FIELDS, from++) {
    const point = points[from] as number
    if (point >>> 24 === 0) continue
    const green = (point >>> 8) & 255
    const bright = ((point & 255) * 54 + green * 183 + ((point >>> 16) & 255) * 19) >> 8
    columns[at] = (columns[at] as number) + (point & 0xff00ff) * sign
    columns[at + 1] = (columns[at + 1] as number) + (green | 0x10000) * sign
    columns[at + 2] = (columns[at + 2] as number) + bright * sign
    columns[at + 3] = (columns[at + 3] as number) + bright * bright * sign
  }
}

/** The squares of one row, one after the other, by sums that went down the columns. */
function slide(columns: Int32Array, { means, uneven, parts }: Squares, start: number, half: number): void {
  let redBlue = 0
  let greenCount = 0
  let bright = 0
  let squared = 0
  const reach = half * FIELDS
  for (let at = -reach, point = start - half; at < columns.length; at += FIELDS, point++) {
    const enters = at + reach
    if (enters < columns.length) {
      redBlue += columns[enters] as number
      greenCount += columns[enters + 1] as number
      bright += columns[enters + 2] as number
      squared += columns[enters + 3] as number
    }
    const leaves = at - reach - FIELDS
    if (leaves >= 0) {
      redBlue -= columns[leaves] as number
      greenCount -= columns[leaves + 1] as number
      bright -= columns[leaves + 2] as number
      squared -= columns[leaves + 3] as number
    }
    if (at < 0) continue
    const count = greenCount >>> 16
    const part = parts[count] as number
    uneven[point] = count === 0 ? MOST : (squared * count - bright * bright) * part * (part / 0x10000)
    const red = ((redBlue & 0xffff) * part + HALF) >>> 16
    const green = ((greenCount & 0xffff) * part + HALF) & 0xff0000
    const blue = ((redBlue >>> 16) * part + HALF) & 0xff0000
    means[point] = red | (green >>> 8) | blue
  }
}
