import { z } from 'zod'
import { filter, type EffectContext } from '../declaration.ts'
import { channelsOf, colour, flag, whole } from '../params.ts'
import type { Frame } from '../picture.ts'
import { blank, brightness, randomOf, within } from '../pixels.ts'

const seed = whole({ min: 0, max: 999_999, default: 1, about: 'Another number gives another pattern.' })

export const vignette = filter({
  name: 'vignette',
  summary: 'Darkens the corners',
  params: z.object({
    strength: whole({ min: 0, max: 100, default: 65, about: 'How dark the corners get, in percent.' }),
    colour: colour({ default: '#000000', about: 'What they fade to.' }),
  }),
  run: (frame, { strength, colour: hex }) => {
    const { width, height, data } = frame
    const target = channelsOf(hex)
    const out = blank(frame)
    const across = Float32Array.from({ length: width }, (_, x) => ((x + 0.5) / width - 0.5) ** 2)
    let at = 0
    for (let y = 0; y < height; y++) {
      const down = ((y + 0.5) / height - 0.5) ** 2
      for (let x = 0; x < width; x++, at += 4) {
        // 0 in the middle third, 1 in the very corner.
        const far = Math.max(0, (Math.sqrt(((across[x] as number) + down) * 2) - 0.3) / 0.7)
        const share = far * far * (3 - 2 * far) * (strength / 100)
        for (let c = 0; c < 3; c++) {
          const own = data[at + c] as number
          out.data[at + c] = own + ((target[c] as number) - own) * share
        }
        out.data[at + 3] = data[at + 3] as number
      }
    }
    return out
  },
})

export const noise = filter({
  name: 'noise',
  summary: 'Strews grain over the picture',
  params: z.object({
    amount: whole({ min: 0, max: 100, default: 25, about: 'How coarse.' }),
    coloured: flag({ default: false, about: 'Whether each colour has a grain of its own.' }),
    seed,
  }),
  run: (frame, { amount, coloured, seed: start }, { frame: index }) => {
    const random = randomOf(start + index * 7919)
    const out = new Uint8ClampedArray(frame.data)
    const reach = amount * 2.55
    for (let at = 0; at < out.length; at += 4) {
      const shift = (random() - 0.5) * reach
      out[at] = (out[at] as number) + shift
      out[at + 1] = (out[at + 1] as number) + (coloured ? (random() - 0.5) * reach : shift)
      out[at + 2] = (out[at + 2] as number) + (coloured ? (random() - 0.5) * reach : shift)
    }
    return { ...frame, data: new Uint8Array(out.buffer) }
  },
})

export const halftone = filter({
  name: 'halftone',
  summary: 'Prints the picture in dots, like a newspaper',
  params: z.object({
    size: whole({ min: 3, max: 40, default: 8, about: 'From dot to dot, in pixels.' }),
    ink: colour({ default: '#111111', about: 'The colour of the dots.' }),
    paper: colour({ default: '#fdf6e3', about: 'The colour between them.' }),
  }),
  run: (frame, { size, ink, paper }) => dots(frame, size, [channelsOf(ink), channelsOf(paper)]),
})

/** Dots on a grid that is turned by 45 degrees, soft at their edges. */
function dots(frame: Frame, size: number, [ink, paper]: readonly [number[], number[]]): Frame {
  const { width, height, data } = frame
  const out = blank(frame)
  const turn = Math.SQRT1_2
  let at = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      const [u, v] = [(x + y) * turn, (y - x) * turn]
      const [centreU, centreV] = [(Math.floor(u / size) + 0.5) * size, (Math.floor(v / size) + 0.5) * size]
      const sampleX = within(Math.round((centreU - centreV) * turn), width)
      const sampleY = within(Math.round((centreU + centreV) * turn), height)
      const darkness = 1 - brightness(data, (sampleY * width + sampleX) * 4) / 255
      // Dots of full ink just cover their square.
      const radius = Math.sqrt(darkness) * size * turn
      const covered = Math.min(1, Math.max(0, radius - Math.hypot(u - centreU, v - centreV) + 0.5))
      for (let c = 0; c < 3; c++) {
        out.data[at + c] = (paper[c] as number) + ((ink[c] as number) - (paper[c] as number)) * covered
      }
      out.data[at + 3] = data[at + 3] as number
    }
  }
  return out
}

export const glitch = filter({
  name: 'glitch',
  summary: 'Tears the picture like a broken screen',
  params: z.object({
    amount: whole({ min: 1, max: 10, default: 4, about: 'How badly.' }),
    seed,
  }),
  run: (frame, { amount, seed: start }, { frame: index }) => {
    const random = randomOf(start + index * 104_729)
    const { width, height, data } = frame
    const out = blank(frame)
    const apart = Math.max(1, Math.round((width * amount) / 250))
    let [left, shift] = [0, 0]
    for (let y = 0; y < height; y++) {
      if (left-- <= 0) {
        left = 1 + Math.floor(random() * height * 0.08)
        shift = random() < amount / 14 ? Math.round((random() - 0.5) * width * 0.03 * amount) : 0
      }
      for (let x = 0; x < width; x++) {
        const at = (y * width + x) * 4
        const source = (y * width + wrap(x + shift, width)) * 4
        out.data[at] = data[(y * width + wrap(x + shift + apart, width)) * 4] as number
        out.data[at + 1] = data[source + 1] as number
        out.data[at + 2] = data[(y * width + wrap(x + shift - apart, width)) * 4 + 2] as number
        out.data[at + 3] = data[source + 3] as number
      }
    }
    return out
  },
})

function wrap(value: number, size: number): number {
  return ((value % size) + size) % size
}

export const swirl = filter({
  name: 'swirl',
  summary: 'Stirs the picture around its middle',
  params: z.object({ degrees: whole({ min: -720, max: 720, default: 180, about: 'How far the middle turns.' }) }),
  run: (frame, { degrees }) => {
    const { width, height } = frame
    const [middleX, middleY, reach] = [width / 2, height / 2, Math.min(width, height) / 2]
    const full = (degrees * Math.PI) / 180
    return moved(frame, (x, y) => {
      const [dx, dy] = [x - middleX, y - middleY]
      const far = Math.hypot(dx, dy) / reach
      if (far >= 1) return [x, y]
      const angle = full * (1 - far) ** 2
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
      return [middleX + dx * cos - dy * sin, middleY + dx * sin + dy * cos]
    })
  },
})

/** Each point from where `from` says, the nearest one there. */
function moved(frame: Frame, from: (x: number, y: number) => readonly [number, number]): Frame {
  const { width, height } = frame
  const out = blank(frame)
  const source = new Uint32Array(frame.data.slice().buffer)
  const target = new Uint32Array(out.data.buffer)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [sourceX, sourceY] = from(x, y)
      target[y * width + x] = source[
        within(Math.round(sourceY), height) * width + within(Math.round(sourceX), width)
      ] as number
    }
  }
  return out
}

export const deepfry = filter({
  name: 'deepfry',
  summary: 'Fries the picture until it is crisp: too much colour, too much of everything',
  params: z.object({ heat: whole({ min: 1, max: 5, default: 3, about: 'How long it stays in.' }) }),
  run: (frame, { heat }, context) => fried(frame, heat, context),
})

export const jpegify = filter({
  name: 'jpegify',
  summary: 'Saves the picture as a bad JPEG, again and again',
  params: z.object({
    quality: whole({ min: 1, max: 40, default: 6, about: 'The lower, the worse.' }),
    passes: whole({ min: 1, max: 5, default: 2, about: 'How often.' }),
  }),
  run: (frame, { quality, passes }, context) => resaved(frame, { quality, passes }, context),
})

async function fried(frame: Frame, heat: number, context: EffectContext): Promise<Frame> {
  const { open, flatten } = context
  const hot = await flatten(
    open(frame)
      .modulate({ saturation: 1 + heat * 0.7, brightness: 1 + heat * 0.05 })
      .linear(1 + heat * 0.3, -18 * heat),
  )
  const crisp = { ...hot, data: withAlphaOf(frame, hot.data) }
  return resaved(crisp, { quality: Math.max(2, 24 - heat * 4), passes: 2 }, context)
}

async function resaved(
  frame: Frame,
  { quality, passes }: { readonly quality: number; readonly passes: number },
  { open, sharp, flatten }: EffectContext,
): Promise<Frame> {
  let current = frame
  for (let pass = 0; pass < passes; pass++) {
    const saved = await open(current).removeAlpha().jpeg({ quality, chromaSubsampling: '4:2:0' }).toBuffer()
    current = await flatten(sharp(saved))
  }
  return { ...current, data: withAlphaOf(frame, current.data) }
}

function withAlphaOf({ data: given }: Frame, data: Uint8Array): Uint8Array {
  for (let at = 3; at < data.length; at += 4) data[at] = given[at] as number
  return data
}
