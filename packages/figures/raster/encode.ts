import sharp from 'sharp'
import type { Pixels } from './rasterise.ts'

/** A figure as a file. */
export interface FigureFile {
  readonly bytes: Buffer
  readonly contentType: 'image/png'
  readonly width: number
  readonly height: number
}

export async function encodeFigure({ width, height, rgba }: Pixels): Promise<FigureFile> {
  const raw = { width, height, channels: 4 } as const
  const bytes = await sharp(rgba, { raw }).png({ compressionLevel: 6 }).toBuffer()
  return { bytes, contentType: 'image/png', width, height }
}
