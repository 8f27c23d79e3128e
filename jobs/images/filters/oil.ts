import { z } from 'zod'
import { giveBack } from '../../../memory.ts'
import { filter } from '../declaration.ts'
import { whole } from '../params.ts'
import type { Frame } from '../picture.ts'
import { blank, pointsOf, within } from '../pixels.ts'

export const oil = filter({
  name: 'oil',
  summary: 'Paints the picture in strokes of oil',
  params: z.object({ radius: whole({ min: 1, max: 10, default: 4, about: 'How broad the brush is.' }) }),
  run: (frame, { radius }) => painted(frame, Math.ceil(radius / 2)),
})

/** The kind of mean that keeps edges: each point takes the mean of the evenest of the four squares it is a corner of. */
function painted(frame: Frame, half: number): Frame {
  const { width, height } = frame
  const { means, uneven } = squaresOf(frame, half)
  const out = blank(frame)
  const own = pointsOf(frame)
  const target = pointsOf(out)
  for (let y = 0, at = 0; y < height; y++) {
    const up = within(y - half, height) * width
    const down = within(y + half, height) * width
    for (let x = 0; x < width; x++, at++) {
      const left = x < half ? 0 : x - half
      const right = x + half < width ? x + half : width - 1
      const above = evener(uneven, up + left, up + right)
      const best = evener(uneven, above, evener(uneven, down + left, down + right))
      target[at] = ((means[best] as number) & 0xffffff) | ((own[at] as number) & 0xff000000)
    }
  }
  giveBack(means)
  giveBack(uneven)
  return out
}

/** Which of two points has the evener square. Without a branch, which nothing could foresee. */
function evener(uneven: Int32Array, one: number, other: number): number {
  const isOther = ((uneven[other] as number) - (uneven[one] as number)) >> 31
  return one ^ ((one ^ other) & isOther)
}

interface Squares {
  /** Red, green and blue as in the points of a frame. */
  readonly means: Uint32Array
  /** The variance of how bright they are, in parts of 65,536; the most where nothing is to be seen. */
  readonly uneven: Int32Array
  /** What a sum of so many is multiplied with for its mean, in parts of 65,536. */
  readonly parts: Int32Array
}

const HALF = 0x8000
const MOST = 0x7fffffff

/** Of the square around each point, by sums that go down the columns and then along the row. */
function squaresOf(frame: Frame, half: number): Squares {
  const { width, height } = frame
  const squares: Squares = {
    means: new Uint32Array(width * height),
    uneven: new Int32Array(width * height),
    parts: Int32Array.from({ length: (2 * half + 1) ** 2 + 1 }, (_, count) => 0x10000 / Math.max(1, count)),
  }
  const columns = new Int32Array(width * FIELDS)
  const points = pointsOf(frame)
  for (let y = -half; y < height; y++) {
    if (y + half < height) addRow(columns, points, (y + half) * width, 1)
    if (y - half > 0) addRow(columns, points, (y - half - 1) * width, -1)
    if (y >= 0) slide(columns, squares, y * width, half)
  }
  return squares
}

/**
 * What is summed up: red and blue in one number, since no sum of the largest square needs more than 16 bits; green and
 * the count of points likewise; how bright they are; the squares of that.
 */
const FIELDS = 4

/** What is clear counts for nothing. */
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

/** The squares of one row, one after the other. */
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
