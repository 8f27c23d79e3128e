import sharp from 'sharp'

/** Large pictures are sent as JPEG. */
export const isLarge = (side: number): boolean => side > 1024

/** Soft shapes and a little grain, about as compressible as a photograph. */
export async function photograph({ width, height }: Readonly<Record<'width' | 'height', number>>): Promise<Buffer> {
  const data = Buffer.alloc(width * height * 3)
  const scale = 512 / width
  let state = 1
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      const grain = state >>> 29
      const wave = Math.sin(x * scale * 0.02) * Math.cos(y * scale * 0.027)
      data[at] = 120 + wave * 90 + grain
      data[at + 1] = 110 + wave * 60 + (x * scale) / 8 + grain
      data[at + 2] = 90 + (y * scale) / 5 + grain
    }
  }
  const picture = sharp(data, { raw: { width, height, channels: 3 } })
  // As a PNG the large one would be beyond what callers may send.
  return isLarge(width) ? picture.jpeg({ quality: 85 }).toBuffer() : picture.png().toBuffer()
}
