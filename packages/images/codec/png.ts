import { deflateSync } from 'node:zlib'
import { CompressionType, FilterType, Transformer } from '@napi-rs/image'
import sharp from 'sharp'
import { releaseBuffer } from '../../../lib/buffers.ts'
import type { Frame } from './picture.ts'
import { pointsOf } from './pixels.ts'

/**
 * A frame as a PNG, with no more channels than it has use for. Two ways lead there: the quick one takes a seventh of the
 * time of the usual one and makes photographs smaller, but does not see what repeats itself; flat drawings and patterns
 * go the usual way, which costs little for them.
 */
export async function encodePng(frame: Frame): Promise<Buffer> {
  const pixels = pixelsOf(frame)
  const sample = sampleOf(pixels)
  const png = repeats(sample) ? await thorough(pixels) : quick(pixels)
  if (pixels.file) releaseBuffer(pixels.file)
  return png
}

function repeats(sample: Pixels): boolean {
  const quickBytes = quick(sample).length
  if (quickBytes < sample.data.length * TINY) return false
  return deflateSync(sample.data, { level: 1 }).length < quickBytes * REPETITIVE
}

/** The share of the raw bytes that is small enough. */
const TINY = 0.03
/** The ratio below which the usual compression of a sample makes it worth its time for the whole. */
const REPETITIVE = 0.7
const BANDS = 3
const BAND_ROWS = 8

/** Shades of grey, colours, or colours with alpha, without padding. */
interface Pixels extends Frame {
  readonly channels: 1 | 3 | 4
  /** Without alpha: all of it as a file of the simplest kind, of which `data` is a part. */
  readonly file: Buffer | null
}

function pixelsOf(frame: Frame): Pixels {
  const { width, height } = frame
  const points = pointsOf(frame)
  const channels = channelsOf(points)
  if (channels === 4) return { ...frame, channels, file: null }
  const pixels = emptyPixels(width, height, channels)
  const { data } = pixels
  for (let at = 0, from = 0; from < points.length; at += channels, from++) {
    const point = points[from] as number
    data[at] = point
    if (channels === 1) continue
    data[at + 1] = point >>> 8
    data[at + 2] = point >>> 16
  }
  return pixels
}

function channelsOf(points: Uint32Array): Pixels['channels'] {
  let alpha = 0xff
  let apart = 0
  // An index loop is ten times as fast as `for … of` here.
  for (let at = 0; at < points.length; at++) {
    const point = points[at] as number
    alpha &= point >>> 24
    apart |= (point ^ (point >>> 8)) & 0xffff
  }
  if (alpha !== 0xff) return 4
  return apart === 0 ? 1 : 3
}

/** Allocates pixels to fill in, behind their file header if there is no alpha. */
function emptyPixels(width: number, height: number, channels: Pixels['channels']): Pixels {
  if (channels === 4) return { width, height, channels, data: new Uint8Array(width * height * 4), file: null }
  const head = `P${channels === 1 ? 5 : 6} ${width} ${height} 255\n`
  const file = Buffer.allocUnsafeSlow(head.length + width * height * channels)
  file.write(head, 'latin1')
  return { width, height, channels, data: file.subarray(head.length), file }
}

/** A few bands of rows from all over the picture. */
function sampleOf(pixels: Pixels): Pixels {
  const { width, height, channels, data } = pixels
  if (height <= BANDS * BAND_ROWS) return pixels
  const sample = emptyPixels(width, BANDS * BAND_ROWS, channels)
  const bandBytes = width * channels * BAND_ROWS
  for (let band = 0; band < BANDS; band++) {
    const top = Math.floor(((height - BAND_ROWS) * band) / (BANDS - 1))
    const from = top * width * channels
    sample.data.set(data.subarray(from, from + bandBytes), band * bandBytes)
  }
  return sample
}

function quick({ width, height, data, file }: Pixels): Buffer {
  // Without alpha the library takes files alone.
  const source = file ? new Transformer(file) : Transformer.fromRgbaPixels(data, width, height)
  return source.pngSync({ compressionType: CompressionType.Fast, filterType: FilterType.Paeth })
}

function thorough({ width, height, channels, data }: Pixels): Promise<Buffer> {
  return sharp(data, { raw: { width, height, channels } }).png({ compressionLevel: 2 }).toBuffer()
}
