import type { Face } from '../model/faces.ts'
import type { LightMap } from './light.ts'

/** The colours of a face, and its brightness. Whole numbers and arrays at hand: this is read for every pixel. */
export interface Paint {
  readonly columns: number
  /** The row at its upper edge, and how many it shows. */
  readonly firstRow: number
  readonly shownRows: number
  /** The rows that may be read. */
  readonly ownFirst: number
  readonly ownLast: number
  readonly colours: Int32Array
  readonly lightColumns: number
  readonly lightRows: number
  readonly light: Float32Array
}

export function paintsOf(faces: readonly Face[], lights: readonly LightMap[]): readonly Paint[] {
  return faces.map(({ texels, firstRow, lastRow, ownRows: [ownFirst, ownLast] }, i) => {
    const { columns: lightColumns, rows: lightRows, values: light } = lights[i]!
    const { columns, colours } = texels
    const shownRows = lastRow - firstRow
    return { columns, firstRow, shownRows, ownFirst, ownLast, colours, lightColumns, lightRows, light }
  })
}

/** The colour at shares (0 to 1) of a face's width and height, as it is painted. */
export function texelAt(paint: Paint, along: number, down: number): number {
  const { columns, ownFirst, ownLast } = paint
  const row = (paint.firstRow + down * paint.shownRows) | 0
  const own = row < ownFirst ? ownFirst : row > ownLast ? ownLast : row
  return paint.colours[own * columns + within(along * columns, columns)]!
}

/** A colour as it looks there. */
export function litAt(paint: Paint, along: number, down: number, colour: number): number {
  const { lightColumns: columns, lightRows: rows, light } = paint
  const column = within(along * columns, columns)
  const row = within(down * rows, rows)
  const x = along * columns - column
  const y = down * rows - row
  const above = row * (columns + 1) + column
  const below = above + columns + 1
  const upper = light[above]! + (light[above + 1]! - light[above]!) * x
  const lower = light[below]! + (light[below + 1]! - light[below]!) * x
  return shaded(colour, upper + (lower - upper) * y)
}

/** The whole number below a value, among the first `count` ones. */
function within(value: number, count: number): number {
  const whole = value | 0
  return whole < 0 ? 0 : whole >= count ? count - 1 : whole
}

/** Shadows keep a little more blue, as they do under a sky. */
function shaded(colour: number, light: number): number {
  const cool = light < 1 ? light + (1 - light) * 0.07 : light
  const red = atMost255((colour & 255) * light)
  const green = atMost255(((colour >>> 8) & 255) * light)
  const blue = atMost255(((colour >>> 16) & 255) * cool)
  return (colour & 0xff000000) | (blue << 16) | (green << 8) | red
}

function atMost255(value: number): number {
  return value > 255 ? 255 : value
}
