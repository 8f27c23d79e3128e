import { z } from 'zod'
import { releaseBuffer } from '../../../lib/buffers.ts'
import { filter } from '../declaration.ts'
import { decimal, whole } from '../params.ts'
import type { Frame } from '../codec/picture.ts'
import { blank, brightness, pointsOf } from '../codec/pixels.ts'

export const blur = filter('blur', 'Blur', {
  params: z.object({
    radius: decimal({ min: 0.5, max: 50, default: 6, about: 'Radius in pixels.' }),
  }),
  pipe: (pipeline, { radius }) => pipeline.blur(Math.max(0.3, radius)),
})

export const sharpen = filter('sharpen', 'Sharpen', {
  params: z.object({ amount: decimal({ min: 0.5, max: 6, default: 2, about: 'Strength.' }) }),
  pipe: (pipeline, { amount }) => pipeline.sharpen({ sigma: amount, m1: 1.5, m2: 3 }),
})

export const pixelate = filter('pixelate', 'Pixelate', {
  params: z.object({ size: whole({ min: 2, max: 128, default: 14, about: 'Size of a block in pixels.' }) }),
  run: (frame, { size }) => squares(frame, size),
})

/** Draws each square in the mean of its colours; clear points do not count. */
function squares(frame: Frame, size: number): Frame {
  const out = blank(frame)
  const points = pointsOf(out)
  const { width, height } = frame
  const columns = boundsOf(width, size)
  const rows = boundsOf(height, size)
  for (let row = 0; row + 1 < rows.length; row++) {
    const [top, bottom] = [rows[row] as number, rows[row + 1] as number]
    for (let column = 0; column + 1 < columns.length; column++) {
      const [left, right] = [columns[column] as number, columns[column + 1] as number]
      points.fill(meanOf(frame, { left, top, right, bottom }), top * width + left, top * width + right)
    }
    const first = points.subarray(top * width, (top + 1) * width)
    for (let y = top + 1; y < bottom; y++) points.set(first, y * width)
  }
  return out
}

/** Returns the bounds of equal squares of about that size. */
function boundsOf(length: number, size: number): number[] {
  const count = Math.max(1, Math.round(length / size))
  return Array.from({ length: count + 1 }, (_, at) => Math.round((at * length) / count))
}

interface Area {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

function meanOf({ width, data }: Frame, { left, top, right, bottom }: Area): number {
  let [red, green, blue, alpha] = [0, 0, 0, 0]
  for (let y = top; y < bottom; y++) {
    const end = (y * width + right) * 4
    for (let at = (y * width + left) * 4; at < end; at += 4) {
      const weight = data[at + 3] as number
      red += (data[at] as number) * weight
      green += (data[at + 1] as number) * weight
      blue += (data[at + 2] as number) * weight
      alpha += weight
    }
  }
  if (alpha === 0) return 0
  const opacity = Math.round(alpha / ((right - left) * (bottom - top)))
  return Math.round(red / alpha) | (Math.round(green / alpha) << 8) | (Math.round(blue / alpha) << 16) | (opacity << 24)
}

export const edges = filter('edges', 'Draw the edges', {
  params: z.object({ strength: decimal({ min: 0.5, max: 5, default: 1.5, about: 'Brightness of the lines.' }) }),
  run: (frame, { strength }) =>
    drawn(frame, (grey, row, at, shades) => {
      for (let x = 0; x < shades.length; x++) {
        const here = at + x
        const upLeft = grey[here - row - 1] as number
        const upRight = grey[here - row + 1] as number
        const downLeft = grey[here + row - 1] as number
        const downRight = grey[here + row + 1] as number
        const across = 2 * ((grey[here + 1] as number) - (grey[here - 1] as number))
        const along = 2 * ((grey[here + row] as number) - (grey[here - row] as number))
        const dx = downRight + upRight - downLeft - upLeft + across
        const dy = downRight + downLeft - upRight - upLeft + along
        shades[x] = Math.sqrt(dx * dx + dy * dy) * strength * 0.5
      }
    }),
})

export const emboss = filter('emboss', 'Emboss', {
  params: z.object({ depth: decimal({ min: 0.5, max: 5, default: 1.5, about: 'Depth.' }) }),
  run: (frame, { depth }) =>
    drawn(frame, (grey, row, at, shades) => {
      for (let x = 0; x < shades.length; x++) {
        shades[x] = 128 + ((grey[at + x + row + 1] as number) - (grey[at + x - row - 1] as number)) * depth
      }
    }),
})

/** Shades of grey with a border of one point all around, which repeats its neighbours, and how long its rows are. */
function greyOf({ data, width, height }: Frame): { readonly grey: Uint8Array; readonly row: number } {
  const row = width + 2
  const grey = new Uint8Array(row * (height + 2))
  for (let y = 0, from = 0; y < height; y++) {
    const start = (y + 1) * row + 1
    for (let at = start; at < start + width; at++, from += 4) grey[at] = brightness(data, from)
    grey[start - 1] = grey[start] as number
    grey[start + width] = grey[start + width - 1] as number
  }
  grey.copyWithin(0, row, 2 * row)
  grey.copyWithin((height + 1) * row, height * row, (height + 1) * row)
  return { grey, row }
}

/** The shades of a row, each out of the grey points around it: `at` is the first of the row, `row` from row to row. */
type Shade = (grey: Uint8Array, row: number, at: number, shades: Uint8ClampedArray) => void

/** Shades of grey with the frame's own alpha. */
function drawn(frame: Frame, shade: Shade): Frame {
  const { width, height } = frame
  const { grey, row } = greyOf(frame)
  const out = blank(frame)
  const source = pointsOf(frame)
  const target = pointsOf(out)
  const shades = new Uint8ClampedArray(width)
  for (let y = 0, point = 0; y < height; y++) {
    shade(grey, row, (y + 1) * row + 1, shades)
    for (let x = 0; x < width; x++, point++) {
      target[point] = ((source[point] as number) & 0xff000000) | ((shades[x] as number) * 0x010101)
    }
  }
  releaseBuffer(grey)
  return out
}
