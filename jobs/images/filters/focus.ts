import { z } from 'zod'
import { filter, type EffectContext } from '../declaration.ts'
import { decimal, whole } from '../params.ts'
import type { Frame } from '../picture.ts'
import { blank, brightness, within } from '../pixels.ts'

export const blur = filter({
  name: 'blur',
  summary: 'Blurs the picture',
  params: z.object({
    radius: decimal({ min: 0.5, max: 50, default: 6, about: 'How far each point spreads, in pixels.' }),
  }),
  pipe: (pipeline, { radius }) => pipeline.blur(Math.max(0.3, radius)),
})

export const sharpen = filter({
  name: 'sharpen',
  summary: 'Sharpens edges',
  params: z.object({ amount: decimal({ min: 0.5, max: 6, default: 2, about: 'How much.' }) }),
  pipe: (pipeline, { amount }) => pipeline.sharpen({ sigma: amount, m1: 1.5, m2: 3 }),
})

export const pixelate = filter({
  name: 'pixelate',
  summary: 'Turns the picture into large squares',
  params: z.object({ size: whole({ min: 2, max: 128, default: 14, about: 'The edge of a square, in pixels.' }) }),
  run: async (frame, { size }, { open, flatten }) => {
    const { width, height } = frame
    const small = await flatten(
      open(frame).resize(Math.max(1, Math.round(width / size)), Math.max(1, Math.round(height / size)), {
        fit: 'fill',
        kernel: 'linear',
      }),
    )
    return open(small).resize(width, height, { fit: 'fill', kernel: 'nearest' })
  },
})

export const edges = filter({
  name: 'edges',
  summary: 'Draws where light and dark meet',
  params: z.object({ strength: decimal({ min: 0.5, max: 5, default: 1.5, about: 'How bright the lines are.' }) }),
  run: (frame, { strength }) => {
    const grey = greyOf(frame)
    const { width, height } = frame
    return drawn(frame, (x, y) => {
      const [up, down] = [within(y - 1, height) * width, within(y + 1, height) * width]
      const [row, left, right] = [y * width, within(x - 1, width), within(x + 1, width)]
      const across = shadeAt(grey, up + right) + 2 * shadeAt(grey, row + right) + shadeAt(grey, down + right)
      const along = shadeAt(grey, down + left) + 2 * shadeAt(grey, down + x) + shadeAt(grey, down + right)
      const dx = across - shadeAt(grey, up + left) - 2 * shadeAt(grey, row + left) - shadeAt(grey, down + left)
      const dy = along - shadeAt(grey, up + left) - 2 * shadeAt(grey, up + x) - shadeAt(grey, up + right)
      return Math.sqrt(dx * dx + dy * dy) * strength * 0.5
    })
  },
})

export const emboss = filter({
  name: 'emboss',
  summary: 'Presses the picture into grey paper',
  params: z.object({ depth: decimal({ min: 0.5, max: 5, default: 1.5, about: 'How deep.' }) }),
  run: (frame, { depth }) => {
    const grey = greyOf(frame)
    const { width, height } = frame
    return drawn(frame, (x, y) => {
      const before = grey[within(y - 1, height) * width + within(x - 1, width)] as number
      const after = grey[within(y + 1, height) * width + within(x + 1, width)] as number
      return 128 + (after - before) * depth
    })
  },
})

export const oil = filter({
  name: 'oil',
  summary: 'Paints the picture in strokes of oil',
  params: z.object({ radius: whole({ min: 1, max: 10, default: 4, about: 'How broad the brush is.' }) }),
  run: (frame, { radius }, context) => painted(frame, radius, context),
})

/** The kind of mean that keeps edges: each point takes the mean of the evenest of the four squares it is a corner of. */
async function painted(frame: Frame, radius: number, { open, flatten }: EffectContext): Promise<Frame> {
  const { width, height, data } = frame
  const side = 2 * Math.ceil(radius / 2) + 1
  const half = (side - 1) / 2
  const mean = await flatten(open(frame).convolve({ width: side, height: side, kernel: Array(side * side).fill(1) }))
  const uneven = unevenness(greyOf(frame), frame, half)
  const source = new Uint32Array(mean.data.slice().buffer)
  const out = blank(frame)
  const target = new Uint32Array(out.data.buffer)
  for (let y = 0; y < height; y++) {
    const [up, down] = [within(y - half, height) * width, within(y + half, height) * width]
    for (let x = 0; x < width; x++) {
      const [left, right] = [within(x - half, width), within(x + half, width)]
      const above = evener(uneven, up + left, up + right)
      const below = evener(uneven, down + left, down + right)
      target[y * width + x] = source[evener(uneven, above, below)] as number
    }
  }
  for (let at = 3; at < data.length; at += 4) out.data[at] = data[at] as number
  return out
}

function evener(uneven: Float32Array, one: number, other: number): number {
  return (uneven[other] as number) < (uneven[one] as number) ? other : one
}

/** The variance of the square around each point. */
function unevenness(grey: Uint8Array, { width, height }: Frame, half: number): Float32Array {
  // Sums from the upper left corner; they may wrap around, their differences never do.
  const [sums, squares] = [new Uint32Array(grey.length), new Uint32Array(grey.length)]
  for (let y = 0, at = 0; y < height; y++) {
    let [row, rowSquares] = [0, 0]
    for (let x = 0; x < width; x++, at++) {
      const value = grey[at] as number
      row += value
      rowSquares += value * value
      sums[at] = row + (y > 0 ? (sums[at - width] as number) : 0)
      squares[at] = rowSquares + (y > 0 ? (squares[at - width] as number) : 0)
    }
  }
  const uneven = new Float32Array(grey.length)
  for (let y = 0, at = 0; y < height; y++) {
    const [top, bottom] = [Math.max(0, y - half), Math.min(height - 1, y + half)]
    for (let x = 0; x < width; x++, at++) {
      const [left, right] = [Math.max(0, x - half), Math.min(width - 1, x + half)]
      const corners = [bottom * width + right, bottom * width + left - 1, (top - 1) * width + right] as const
      const count = (bottom - top + 1) * (right - left + 1)
      const mean = areaSum(sums, corners, [left, top]) / count
      uneven[at] = areaSum(squares, corners, [left, top]) / count - mean * mean
    }
  }
  return uneven
}

/** The sum over a rectangle. */
function areaSum(
  sums: Uint32Array,
  [end, beside, above]: readonly [number, number, number],
  [left, top]: readonly [number, number],
): number {
  let sum = sums[end] as number
  if (left > 0) sum -= sums[beside] as number
  if (top > 0) sum -= sums[above] as number
  if (left > 0 && top > 0) sum += sums[above - (end - beside)] as number
  return sum >>> 0
}

function shadeAt(grey: Uint8Array, index: number): number {
  return grey[index] as number
}

function greyOf({ data, width, height }: Frame): Uint8Array {
  const grey = new Uint8Array(width * height)
  for (let at = 0; at < grey.length; at++) grey[at] = brightness(data, at * 4)
  return grey
}

/** Shades of grey, point by point, with the frame's own alpha. */
function drawn(frame: Frame, shade: (x: number, y: number) => number): Frame {
  const out = blank(frame)
  const { width, height, data } = frame
  const clamped = new Uint8ClampedArray(out.data.buffer)
  let at = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      const value = shade(x, y)
      clamped[at] = value
      clamped[at + 1] = value
      clamped[at + 2] = value
      clamped[at + 3] = data[at + 3] as number
    }
  }
  return out
}
