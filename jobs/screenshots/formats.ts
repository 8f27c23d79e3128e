import type { Picture } from '../queue/job.ts'
import type { ScreenshotRequest } from './page-requests.ts'

type PictureFormat = Exclude<ScreenshotRequest['format'], 'pdf'>

/** Format and quality of a picture. */
export interface Encoding {
  readonly format: PictureFormat
  /** 1 to 100; null: as `QUALITY` has it. Of no meaning for PNG. */
  readonly quality: number | null
}

/** AVIF takes some ten times the CPU of the others. */
export const MAX_PIXELS: Readonly<Record<PictureFormat, number>> = {
  png: 25_000_000,
  jpeg: 25_000_000,
  webp: 25_000_000,
  avif: 8_000_000,
}

/** Limit of width and height, set by the formats themselves. */
export const MAX_SIDE: Readonly<Record<PictureFormat, number>> = {
  png: 65_535,
  jpeg: 65_500,
  webp: 16_383,
  avif: 16_383,
}

const QUALITY = { jpeg: 82, webp: 80, avif: 55 } as const

/** Format requested from the browser. AVIF, which it cannot encode, is made of its PNG. */
export function takenAs({ format, quality }: Encoding) {
  if (format === 'png' || format === 'avif') return { format: 'png', optimizeForSpeed: true } as const
  return { format, quality: quality ?? QUALITY[format] } as const
}

/** The picture that the browser took. */
export async function encoded(bytes: Buffer, { format, quality }: Encoding): Promise<Picture> {
  if (format === 'png') return { bytes, contentType: 'image/png', ...sizeOfPng(bytes) }
  const { default: sharp } = await import('sharp')
  if (format === 'avif') {
    const options = { quality: quality ?? QUALITY.avif, effort: 1 }
    return { bytes: await sharp(bytes).avif(options).toBuffer(), contentType: 'image/avif', ...sizeOfPng(bytes) }
  }
  const { width, height } = await sharp(bytes).metadata()
  return { bytes, contentType: `image/${format}`, width, height }
}

/** A PNG tells its size behind its signature and the name of its first chunk. */
function sizeOfPng(bytes: Buffer): { readonly width: number; readonly height: number } {
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}
