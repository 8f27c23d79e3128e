import sharp from 'sharp'
import type { Picture } from '../../queue/job.ts'
import type { Pixels } from './rasterise.ts'

export async function encodeFigure({ width, height, rgba }: Pixels): Promise<Picture> {
  const raw = { width, height, channels: 4 } as const
  const bytes = await sharp(rgba, { raw }).png({ compressionLevel: 6 }).toBuffer()
  return { bytes, contentType: 'image/png', width, height }
}
