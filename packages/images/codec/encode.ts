import sharp, { type Sharp } from 'sharp'
import { LIMITS } from '../limits.ts'
import { open } from '../perform.ts'
import { encodePng } from './png.ts'
import type { Frame, ImageResult, OutputFormat, Picture } from './picture.ts'
import { Refusal } from '../refusal.ts'

const STILL: ReadonlySet<OutputFormat> = new Set(['png', 'jpeg'])

/** @throws {Refusal} when the result is too large to be sent. */
export async function encode(picture: Picture, format: OutputFormat): Promise<ImageResult> {
  const { width, height } = picture
  const data = await written(picture, format)
  if (data.length > LIMITS.outputBytes) {
    const mebibytes = Math.ceil(data.length / 1024 / 1024)
    throw new Refusal(
      `The result has ${mebibytes} MiB. Use a smaller \`size\` or \`format=jpeg\`.`,
      'picture_too_large',
      null,
    )
  }
  return { format, width, height, frames: STILL.has(format) ? 1 : picture.frames.length, data }
}

async function written({ frames, delaysMs, plays }: Picture, format: OutputFormat): Promise<Buffer> {
  const [first] = frames
  if (!first) throw new Error('The image has no frames to encode.')
  const moves = frames.length > 1
  const moving = moves ? { delay: [...delaysMs], loop: plays } : {}
  switch (format) {
    case 'png':
      return encodePng(first)
    case 'jpeg':
      return open(first).flatten({ background: '#fff' }).jpeg({ quality: 85 }).toBuffer()
    case 'webp':
      return (moves ? strip(frames) : open(first)).webp({ quality: 88, effort: moves ? 0 : 2, ...moving }).toBuffer()
    case 'gif':
      return strip(frames)
        .gif({ effort: 1, ...moving })
        .toBuffer()
  }
}

/** The frames one above the other, as the encoders of animations take them. */
function strip(frames: readonly Frame[]): Sharp {
  const { width, height } = frames[0] as Frame
  return sharp(Buffer.concat(frames.map(({ data }) => data)), {
    raw: { width, height: height * frames.length, channels: 4, pageHeight: height },
    limitInputPixels: false,
  })
}
