import * as canvas from '@napi-rs/canvas'
import sharp, { type Sharp } from 'sharp'
import type { Drawn, Effect, EffectContext, EffectParams } from './declaration.ts'
import type { Frame, Picture } from './codec/picture.ts'

/** A picture after its effect; pixels in `frames`. */
export async function perform(effect: Effect, pictures: readonly Picture[], params: EffectParams): Promise<Picture> {
  const [first] = pictures
  if (!first) throw new Error('An effect needs a picture.')
  const moving = pictures.find(({ frames }) => frames.length > 1)
  const own = moving ? null : effect.animate(params)
  const count = moving?.frames.length ?? own?.frames ?? 1
  const frames: Frame[] = []
  for (let frame = 0; frame < count; frame++) {
    const inputs = pictures.map((picture) => picture.frames[frame % picture.frames.length] as Frame)
    frames.push(await flatten(await effect.run(inputs, params, { ...TOOLS, frame, frames: count })))
  }
  const { width, height } = frames[0] ?? first
  if (frames.some((one) => one.width !== width || one.height !== height)) {
    throw new Error(`The frames of ${effect.name} came out in different sizes.`)
  }
  const delaysMs = moving?.delaysMs ?? (own ? frames.map(() => own.delayMs) : [])
  return { width, height, frames, delaysMs, plays: moving?.plays ?? 0 }
}

/** A pipeline over pixels. */
export function open({ data, width, height }: Frame): Sharp {
  return sharp(data, { raw: { width, height, channels: 4 } })
}

/** The pixels of what an effect gave back. */
export async function flatten(drawn: Drawn): Promise<Frame> {
  if (drawn instanceof canvas.Canvas) {
    const { width, height } = drawn
    // Straight alpha, as everywhere else; a canvas keeps it multiplied in.
    const { data } = drawn.getContext('2d').getImageData(0, 0, width, height)
    return { width, height, data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) }
  }
  if (!(drawn instanceof sharp)) return drawn
  const { data, info } = await drawn
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  // Greyscale ends in one channel and no alpha; `recomb` and `modulate({ saturation: 0 })` keep all four.
  if (info.channels !== 4) throw new Error(`A pipeline came out with ${info.channels} channels instead of 4.`)
  return { width: info.width, height: info.height, data: new Uint8Array(data.buffer, data.byteOffset, data.length) }
}

function paint({ data, width, height }: Frame): canvas.Canvas {
  const painted = canvas.createCanvas(width, height)
  const pixels = new Uint8ClampedArray(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength)
  painted.getContext('2d').putImageData(new canvas.ImageData(pixels, width, height), 0, 0)
  return painted
}

const TOOLS: Omit<EffectContext, 'frame' | 'frames'> = { sharp, canvas, open, flatten, paint }
