import type { Frame } from './picture.ts'

/** A frame of the same size to be filled. */
export function blank({ width, height }: Frame): Frame {
  return { width, height, data: new Uint8Array(width * height * 4) }
}

/** The points of a frame, each as one number of four channels, red the lowest. Shares the memory of the frame. */
export function pointsOf({ data }: Frame): Uint32Array {
  return new Uint32Array(data.buffer, data.byteOffset, data.length / 4)
}

/** Each channel through a table of 256 values; alpha as it was. */
export function mapChannels(frame: Frame, [red, green, blue]: readonly [Uint8Array, Uint8Array, Uint8Array]): Frame {
  const out = blank(frame)
  const { data } = frame
  for (let at = 0; at < data.length; at += 4) {
    out.data[at] = red[data[at] as number] as number
    out.data[at + 1] = green[data[at + 1] as number] as number
    out.data[at + 2] = blue[data[at + 2] as number] as number
    out.data[at + 3] = data[at + 3] as number
  }
  return out
}

/** The shares of red, green and blue that make up each new channel. */
export type Matrix = readonly [Row, Row, Row]
type Row = readonly [red: number, green: number, blue: number]

/** The weights of red, green and blue in perceived brightness. */
export const LUMA: Row = [0.2126, 0.7152, 0.0722]
export const GREY: Matrix = [LUMA, LUMA, LUMA]
const SAME: Matrix = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]

/** Interpolates from the unchanged picture, 0, to the full matrix, 1; or extrapolates beyond. */
export function towards(matrix: Matrix, share: number): Matrix {
  return matrix.map((row, y) =>
    row.map((value, x) => value * share + (SAME[y]?.[x] ?? 0) * (1 - share)),
  ) as unknown as Matrix
}

/** Each colour mixed out of all three; alpha as it was. The image library does this in floating point, at twice the cost. */
export function mixChannels(frame: Frame, [[rr, rg, rb], [gr, gg, gb], [br, bg, bb]]: Matrix): Frame {
  const out = blank(frame)
  const mixed = new Uint8ClampedArray(out.data.buffer)
  const { data } = frame
  for (let at = 0; at < data.length; at += 4) {
    const red = data[at] as number
    const green = data[at + 1] as number
    const blue = data[at + 2] as number
    mixed[at] = red * rr + green * rg + blue * rb
    mixed[at + 1] = red * gr + green * gg + blue * gb
    mixed[at + 2] = red * br + green * bg + blue * bb
    mixed[at + 3] = data[at + 3] as number
  }
  return out
}

/** A table of 256 values for `mapChannels`. */
export function table(of: (value: number) => number): Uint8Array {
  // Clamped, so that nothing wraps around.
  return new Uint8Array(Uint8ClampedArray.from({ length: 256 }, (_, value) => of(value)))
}

/** The perceived brightness of a pixel, 0 to 255. */
export function brightness(data: Uint8Array, at: number): number {
  return ((data[at] as number) * 54 + (data[at + 1] as number) * 183 + (data[at + 2] as number) * 19) >> 8
}

/** The least and the most of a whole coordinate. */
export function within(value: number, size: number): number {
  if (value < 0) return 0
  return value >= size ? size - 1 : value
}

/**
 * Interpolates a frame between its points from the four around. Where some of them are clear it is the nearest one,
 * since the colour of a transparent pixel must not show. Coordinates are in sixteenths of a point and whole, so that
 * the four shares make 256 and no number has to be kept on the heap.
 */
export function between({ width, height }: Frame, points: Uint32Array, x: number, y: number): number {
  const fineX = within(x, width * 16 - 15)
  const fineY = within(y, height * 16 - 15)
  const right = fineX & 15
  const down = fineY & 15
  const start = (fineY >> 4) * width + (fineX >> 4)
  const beside = right > 0 ? start + 1 : start
  const below = down > 0 ? width : 0
  const one = points[start] as number
  const two = points[beside] as number
  const three = points[start + below] as number
  const four = points[beside + below] as number
  if ((one & two & three & four) >>> 24 !== 255) {
    return (points[(right > 7 ? beside : start) + (down > 7 ? below : 0)] as number) | 0
  }
  const shareFour = right * down
  const shareTwo = right * 16 - shareFour
  const shareThree = down * 16 - shareFour
  const shareOne = 256 - shareTwo - shareThree - shareFour
  const upper = (Math.imul(one & 0xff00ff, shareOne) + Math.imul(two & 0xff00ff, shareTwo)) | 0
  const lower = (Math.imul(three & 0xff00ff, shareThree) + Math.imul(four & 0xff00ff, shareFour)) | 0
  const green =
    Math.imul((one >>> 8) & 255, shareOne) +
    Math.imul((two >>> 8) & 255, shareTwo) +
    Math.imul((three >>> 8) & 255, shareThree) +
    Math.imul((four >>> 8) & 255, shareFour)
  return 0xff000000 | (((upper + lower) >>> 8) & 0xff00ff) | (green & 0xff00)
}
