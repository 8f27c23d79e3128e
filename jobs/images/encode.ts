import sharp, { type Sharp } from 'sharp'
import { LIMITS } from './limits.ts'
import { open } from './perform.ts'
import type { Frame, OutputFormat, Picture } from './picture.ts'
import type { ImageResult } from './protocol.ts'
import { Refusal } from './refusal.ts'

type Shape = Pick<Picture, 'width' | 'height' | 'delaysMs' | 'plays'>

/** PNG of more pixels than this is compressed less, so that it stays within the time. */
const QUICK_FROM_PIXELS = 2_000_000

/** @throws {Refusal} when what comes out is too large to be sent. */
export async function encode(picture: Picture, format: OutputFormat): Promise<ImageResult> {
  const frames = format === 'png' ? picture.frames.slice(0, 1) : picture.frames
  const { width, height } = picture
  const data = await compressed(strip(frames, isOpaque(frames)), picture, format).toBuffer()
  assertSendable(data)
  return { format, width, height, frames: frames.length, data }
}

/** @throws {Refusal} */
export function assertSendable(data: Uint8Array): void {
  if (data.length > LIMITS.outputBytes) {
    const mebibytes = Math.ceil(data.length / 1024 / 1024)
    throw new Refusal(
      `The result has ${mebibytes} MiB; ask for a smaller \`size\` or for \`format=webp\`.`,
      'picture_too_large',
      null,
    )
  }
}

/** Set to write a picture of that size and speed. */
export function compressed(pipeline: Sharp, picture: Shape, format: OutputFormat): Sharp {
  const moving = picture.delaysMs.length > 0 ? { delay: [...picture.delaysMs], loop: picture.plays } : {}
  switch (format) {
    case 'png':
      return pipeline.png({ compressionLevel: picture.width * picture.height > QUICK_FROM_PIXELS ? 1 : 2 })
    case 'webp':
      return pipeline.webp({ quality: 88, effort: picture.delaysMs.length > 0 ? 0 : 2, ...moving })
    case 'gif':
      return pipeline.gif({ effort: 1, ...moving })
  }
}

/** The frames one above the other, as the encoders of animations take them. */
function strip(frames: readonly Frame[], opaque: boolean): Sharp {
  const [first] = frames
  if (!first) throw new Error('There is nothing to encode.')
  const { width, height } = first
  const whole =
    frames.length === 1
      ? open(first)
      : sharp(Buffer.concat(frames.map(({ data }) => data)), {
          raw: { width, height: height * frames.length, channels: 4, pageHeight: height },
          limitInputPixels: false,
        })
  return opaque ? whole.removeAlpha() : whole
}

function isOpaque(frames: readonly Frame[]): boolean {
  return frames.every(({ data }) => {
    for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false
    return true
  })
}
