import { z } from 'zod'
import { filter } from '../declaration.ts'
import { channelsOf, colour, flag, oneOf, whole } from '../params.ts'
import type { Frame } from '../codec/picture.ts'
import { blank, pointsOf } from '../codec/pixels.ts'

export const rotate = filter('rotate', 'Rotate, and enlarge to fit the corners', {
  params: z.object({
    degrees: whole({ min: -360, max: 360, default: 90, about: 'Degrees, clockwise.' }),
    background: colour({ default: '#000000', about: 'Colour of the corners.' }),
    clear: flag({ default: true, about: 'Whether the corners are transparent.' }),
  }),
  pipe: (pipeline, { degrees, background, clear }) => {
    const [r, g, b] = channelsOf(background)
    return pipeline.rotate(degrees, { background: { r, g, b, alpha: clear ? 0 : 1 } })
  },
})

export const flip = filter('flip', 'Flip', {
  params: z.object({
    direction: oneOf(['horizontal', 'vertical', 'both'], { default: 'horizontal', about: 'Direction.' }),
  }),
  pipe: (pipeline, { direction }) => pipeline.flop(direction !== 'vertical').flip(direction !== 'horizontal'),
})

export const mirror = filter('mirror', 'Mirror one half onto the other', {
  params: z.object({
    keep: oneOf(['left', 'right', 'top', 'bottom'], { default: 'left', about: 'Half to keep.' }),
  }),
  run: (frame, { keep }) => {
    const { width, height } = frame
    const out = blank(frame)
    const source = pointsOf(frame)
    const target = pointsOf(out)
    for (let y = 0; y < height; y++) {
      const [upper, lower] = [Math.min(y, height - 1 - y), Math.max(y, height - 1 - y)]
      const row = keep === 'top' ? upper : keep === 'bottom' ? lower : y
      for (let x = 0; x < width; x++) {
        const [near, far] = [Math.min(x, width - 1 - x), Math.max(x, width - 1 - x)]
        const column = keep === 'left' ? near : keep === 'right' ? far : x
        target[y * width + x] = source[row * width + column] as number
      }
    }
    return out
  },
})

export const circle = filter('circle', 'Crop to a circle', {
  params: z.object({
    border: whole({ min: 0, max: 25, default: 0, about: 'Width of a ring around it, in percent.' }),
    colour: colour({ default: '#ffffff', about: 'Colour of the ring.' }),
  }),
  run: (frame, { border, colour: hex }) => {
    const square = centred(frame)
    const half = square.width / 2
    return cut(
      square,
      { width: (border / 100) * half, colour: hex },
      (x, y) => half - Math.sqrt((x - half) ** 2 + (y - half) ** 2),
    )
  },
})

export const rounded = filter('rounded', 'Round the corners', {
  params: z.object({
    radius: whole({ min: 0, max: 50, default: 15, about: 'Radius in percent of the shorter edge.' }),
    border: whole({ min: 0, max: 25, default: 0, about: 'Width of a border, in percent of half the shorter edge.' }),
    colour: colour({ default: '#ffffff', about: 'Colour of the border.' }),
  }),
  run: (frame, { radius, border, colour: hex }) => {
    const { width, height } = frame
    const shorter = Math.min(width, height)
    const corner = (radius / 100) * shorter
    return cut(frame, { width: (border / 200) * shorter, colour: hex }, (x, y) => {
      const dx = Math.abs(x - width / 2) - (width / 2 - corner)
      const dy = Math.abs(y - height / 2) - (height / 2 - corner)
      const outside = dx > 0 && dy > 0 ? Math.sqrt(dx * dx + dy * dy) : Math.max(dx, dy, 0)
      return corner - outside - Math.min(Math.max(dx, dy), 0)
    })
  },
})

/** The largest square in the middle. */
function centred(frame: Frame): Frame {
  const { width, height, data } = frame
  const side = Math.min(width, height)
  const [left, top] = [Math.floor((width - side) / 2), Math.floor((height - side) / 2)]
  const out = new Uint8Array(side * side * 4)
  for (let y = 0; y < side; y++) {
    const start = ((y + top) * width + left) * 4
    out.set(data.subarray(start, start + side * 4), y * side * 4)
  }
  return { width: side, height: side, data: out }
}

interface Border {
  /** In pixels. */
  readonly width: number
  readonly colour: string
}

/** Clears all outside a shape; `depth` returns how far inside a point is, in pixels. Edges are soft. */
function cut(frame: Frame, border: Border, depth: (x: number, y: number) => number): Frame {
  const { width, height } = frame
  const out = { ...frame, data: frame.data.slice() }
  const ring = channelsOf(border.colour)
  let at = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      const inside = depth(x + 0.5, y + 0.5)
      if (inside >= border.width + 1) continue
      const onRing = border.width === 0 ? 0 : Math.min(1, Math.max(0, border.width + 0.5 - inside))
      for (let c = onRing > 0 ? 0 : 3; c < 3; c++) {
        const own = out.data[at + c] as number
        out.data[at + c] = own + ((ring[c] as number) - own) * onRing
      }
      const alpha = Math.max(out.data[at + 3] as number, onRing * 255)
      out.data[at + 3] = alpha * Math.min(1, Math.max(0, inside + 0.5))
    }
  }
  return out
}

export const resize = filter('resize', 'Resize', {
  params: z.object({
    width: whole({ min: 1, max: 4096, default: 512, about: 'Width in pixels.' }),
    height: whole({ min: 0, max: 4096, default: 0, about: 'Pixels. 0 keeps the aspect ratio.' }),
    fit: oneOf(['cover', 'contain', 'fill'], {
      default: 'cover',
      about: 'With width and height: `cover` crops, `contain` adds transparent borders, `fill` stretches.',
    }),
  }),
  pipe: (pipeline, { width, height, fit }, given) =>
    pipeline.resize({
      width,
      // A thin picture must not grow without end.
      height: height === 0 ? Math.min(4096, Math.max(1, Math.round((given.height * width) / given.width))) : height,
      fit: height === 0 ? 'fill' : fit,
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    }),
})
