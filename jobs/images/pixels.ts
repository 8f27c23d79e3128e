import type { Frame } from './picture.ts'

/** A frame of the same size to be filled. */
export function blank({ width, height }: Frame): Frame {
  return { width, height, data: new Uint8Array(width * height * 4) }
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

/** How much of red, green and blue each of them is made of. */
export type Matrix = readonly [Row, Row, Row]
type Row = readonly [red: number, green: number, blue: number]

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

/** How bright a pixel looks, 0 to 255. */
export function brightness(data: Uint8Array, at: number): number {
  const [red, green, blue] = [data[at] as number, data[at + 1] as number, data[at + 2] as number]
  return (red * 54 + green * 183 + blue * 19) >> 8
}

/** The same numbers for the same seed: 0 to 1, 1 left out. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The least and the most of a whole coordinate. */
export function within(value: number, size: number): number {
  if (value < 0) return 0
  return value >= size ? size - 1 : value
}
