import { z } from 'zod'
import { releaseBuffer } from '../../../lib/buffers.ts'
import { filter, type EffectContext } from '../declaration.ts'
import { channelsOf, colour, flag, seed, whole } from '../params.ts'
import type { Frame } from '../codec/picture.ts'
import { between, blank, GREY, mapChannels, mixChannels, pointsOf, table, towards } from '../codec/pixels.ts'
import { createRandom } from '../../../lib/random/seeded-random.ts'

export const vignette = filter('vignette', 'Darken the corners (vignette)', {
  params: z.object({
    strength: whole({ min: 0, max: 100, default: 65, about: 'Strength in percent.' }),
    colour: colour({ default: '#000000', about: 'Colour of the corners.' }),
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

export const noise = filter('noise', 'Add grain', {
  params: z.object({
    amount: whole({ min: 0, max: 100, default: 25, about: 'Strength of the grain.' }),
    coloured: flag({ default: false, about: 'Whether each colour channel has its own grain.' }),
    seed: seed(),
  }),
  run: (frame, { amount, coloured, seed: start }, { frame: index }) => {
    const random = createRandom(start + index * 7919)
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

export const glitch = filter('glitch', 'Add glitches, like a broken screen', {
  params: z.object({
    amount: whole({ min: 1, max: 10, default: 4, about: 'Strength.' }),
    seed: seed(),
  }),
  run: (frame, { amount, seed: start }, { frame: index }) => {
    const random = createRandom(start + index * 104_729)
    const { width, height } = frame
    const out = blank(frame)
    const source = pointsOf(frame)
    const target = pointsOf(out)
    const apart = Math.max(1, Math.round((width * amount) / 250))
    let [left, shift] = [0, 0]
    for (let y = 0; y < height; y++) {
      if (left-- <= 0) {
        left = 1 + Math.floor(random() * height * 0.08)
        shift = random() < amount / 14 ? Math.round((random() - 0.5) * width * 0.03 * amount) : 0
      }
      const row = source.subarray(y * width, (y + 1) * width)
      const [own, red, blue] = [shift, shift + apart, shift - apart].map((by) => wrap(by, width)) as [
        number,
        number,
        number,
      ]
      for (let x = 0; x < width; x++) {
        const kept = (row[turned(x + own, width)] as number) & 0xff00ff00
        const warm = (row[turned(x + red, width)] as number) & 0xff
        target[y * width + x] = kept | warm | ((row[turned(x + blue, width)] as number) & 0xff0000)
      }
    }
    return out
  },
})

function wrap(value: number, size: number): number {
  return ((value % size) + size) % size
}

/** The same for what is less than twice the size. */
function turned(value: number, size: number): number {
  return value < size ? value : value - size
}

export const swirl = filter('swirl', 'Swirl around the centre', {
  params: z.object({
    degrees: whole({ min: -720, max: 720, default: 180, about: 'Rotation of the centre in degrees.' }),
  }),
  run: (frame, { degrees }) => {
    const { width, height } = frame
    const [middleX, middleY, reach] = [width / 2 - 0.5, height / 2 - 0.5, Math.min(width, height) / 2]
    const { cos, sin } = turnsOf((degrees * Math.PI) / 180, reach)
    const out = { ...frame, data: frame.data.slice() }
    const source = pointsOf(frame)
    const target = pointsOf(out)
    for (let y = 0; y < height; y++) {
      const dy = y - middleY
      const half = Math.sqrt(Math.max(0, reach * reach - dy * dy))
      const end = Math.min(width, Math.floor(middleX + half) + 1)
      for (let x = Math.max(0, Math.ceil(middleX - half)); x < end; x++) {
        const dx = x - middleX
        const far = (Math.sqrt(dx * dx + dy * dy) * FINENESS) | 0
        const c = cos[far] as number
        const s = sin[far] as number
        const fromX = ((middleX + dx * c - dy * s) * 16 + 0.5) | 0
        const fromY = ((middleY + dx * s + dy * c) * 16 + 0.5) | 0
        target[y * width + x] = between(frame, source, fromX, fromY)
      }
    }
    return out
  },
})

/** Steps for each pixel of distance. */
const FINENESS = 16

/** The turn at each distance from the middle: all of it there, none if the circle ends. */
function turnsOf(full: number, reach: number) {
  const length = Math.ceil(reach * FINENESS) + FINENESS
  const angles = Float32Array.from({ length }, (_, far) => full * Math.max(0, 1 - far / FINENESS / reach) ** 2)
  return { cos: angles.map(Math.cos), sin: angles.map(Math.sin) }
}

export const deepfry = filter('deepfry', 'Deep-fry: too much of everything', {
  params: z.object({ heat: whole({ min: 1, max: 5, default: 3, about: 'Strength.' }) }),
  run: (frame, { heat }, context) => fried(frame, heat, context),
})

export const jpegify = filter('jpegify', 'Add JPEG artefacts', {
  params: z.object({
    quality: whole({ min: 1, max: 40, default: 6, about: 'JPEG quality.' }),
    passes: whole({ min: 1, max: 5, default: 2, about: 'Number of passes.' }),
  }),
  run: (frame, { quality, passes }, context) => resaved(frame, { quality, passes }, context),
})

async function fried(frame: Frame, heat: number, context: EffectContext): Promise<Frame> {
  const burnt = table((value) => value * (1 + heat * 0.05) * (1 + heat * 0.3) - 18 * heat)
  const mixed = mixChannels(frame, towards(GREY, -heat * 0.7))
  const hot = mapChannels(mixed, [burnt, burnt, burnt])
  releaseBuffer(mixed.data)
  const served = await resaved(hot, { quality: Math.max(2, 24 - heat * 4), passes: 1 }, context)
  releaseBuffer(hot.data)
  return served
}

async function resaved(
  frame: Frame,
  { quality, passes }: { readonly quality: number; readonly passes: number },
  { open, sharp, flatten }: EffectContext,
): Promise<Frame> {
  // The file is temporary, so it need not be small.
  const how = { quality, chromaSubsampling: '4:2:0', optimiseCoding: false }
  let saved = await open(frame).removeAlpha().jpeg(how).toBuffer()
  for (let pass = 1; pass < passes; pass++) saved = await sharp(saved).jpeg(how).toBuffer()
  const shown = await flatten(sharp(saved))
  return { ...shown, data: withAlphaOf(frame, shown.data) }
}

function withAlphaOf({ data: given }: Frame, data: Uint8Array): Uint8Array {
  for (let at = 3; at < data.length; at += 4) data[at] = given[at] as number
  return data
}
