import { deflateSync } from 'node:zlib'
import { CompressionType, FilterType, Transformer } from '@napi-rs/image'
import sharp from 'sharp'
import type { Frame } from './picture.ts'

/**
 * A frame as a PNG, with no more channels than it has use for. Two ways lead there: the quick one takes a seventh of the
 * time of the usual one and makes photographs smaller, but does not see what repeats itself; flat drawings and patterns
 * go the usual way, which costs little for them.
 */
export async function encodePng(frame: Frame): Promise<Buffer> {
  const pixels = pixelsOf(frame)
  const sample = sampleOf(pixels)
  const isRepetitive = deflateSync(sample.data, { level: 1 }).length < quick(sample).length * REPETITIVE
  return isRepetitive ? thorough(pixels) : quick(pixels)
}

/** How much smaller the usual way makes a part before the whole is worth its time. */
const REPETITIVE = 0.7
const BANDS = 4
const BAND_ROWS = 8

/** Shades of grey, colours, or colours with alpha, without padding. */
interface Pixels extends Frame {
  readonly channels: 1 | 3 | 4
}

function pixelsOf({ width, height, data }: Frame): Pixels {
  const channels = channelsOf(data)
  if (channels === 4) return { width, height, data, channels }
  const packed = new Uint8Array(width * height * channels)
  for (let at = 0, from = 0; at < packed.length; at += channels, from += 4) {
    packed[at] = data[from] as number
    if (channels === 1) continue
    packed[at + 1] = data[from + 1] as number
    packed[at + 2] = data[from + 2] as number
  }
  return { width, height, data: packed, channels }
}

function channelsOf(data: Uint8Array): Pixels['channels'] {
  let isGrey = true
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] !== 255) return 4
    isGrey &&= data[at] === data[at + 1] && data[at] === data[at + 2]
  }
  return isGrey ? 1 : 3
}

/** A few bands of rows from all over the picture. */
function sampleOf(pixels: Pixels): Pixels {
  const { width, height, channels, data } = pixels
  if (height <= BANDS * BAND_ROWS) return pixels
  const rowBytes = width * channels
  const bands = Array.from({ length: BANDS }, (_, band) => {
    const top = Math.floor(((height - BAND_ROWS) * band) / (BANDS - 1))
    return data.subarray(top * rowBytes, (top + BAND_ROWS) * rowBytes)
  })
  return { width, height: BANDS * BAND_ROWS, channels, data: Buffer.concat(bands) }
}

function quick({ width, height, channels, data }: Pixels): Buffer {
  // Without alpha the library takes files alone: this one is a line of text and then the pixels.
  const head = `P${channels === 1 ? 5 : 6} ${width} ${height} 255\n`
  const source =
    channels === 4
      ? Transformer.fromRgbaPixels(data, width, height)
      : new Transformer(Buffer.concat([Buffer.from(head), data]))
  return source.pngSync({ compressionType: CompressionType.Fast, filterType: FilterType.Paeth })
}

function thorough({ width, height, channels, data }: Pixels): Promise<Buffer> {
  return sharp(data, { raw: { width, height, channels } }).png({ compressionLevel: 2 }).toBuffer()
}
