import sharp from 'sharp'
import type { Texture } from './texture.ts'

export type TextureKind = 'skin' | 'cape'

/** Why a file is no texture, in words for its sender. */
export class TextureError extends Error {
  override readonly name = 'TextureError'
}

/** A skin of the largest size that is taken, 512 × 512, is seldom a tenth of it. */
export const TEXTURE_MAX_BYTES = 1024 * 1024
const WIDEST = 512
const HEAD_BYTES = 8
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Sizes of pictures that are accepted, in units. */
const SHAPES: Readonly<Record<TextureKind, readonly (readonly [width: number, height: number])[]>> = {
  skin: [
    [64, 64],
    [64, 32],
  ],
  cape: [
    [64, 32],
    [22, 17],
    [46, 22],
  ],
}
const SIZES = {
  skin: '64 × 64 or 64 × 32 pixels, or 2, 4 or 8 times that per edge',
  cape: '64 × 32, 22 × 17 or 46 × 22 pixels, or 2, 4 or 8 times that per edge',
} as const

/**
 * Reads a texture that a stranger's server sent. Its size is known before anything is unpacked, and nothing of the file
 * is unpacked but the picture.
 * @throws {TextureError} if the file is invalid.
 */
export async function readTexture(bytes: Buffer, kind: TextureKind): Promise<Texture> {
  if (!bytes.subarray(0, HEAD_BYTES).equals(PNG)) throw refusal(kind, "isn't a PNG image")
  const { width, height, essential } = essence(bytes, kind)
  if (!fits(kind, width, height)) throw refusal(kind, `has ${width} × ${height} pixels; it must have ${SIZES[kind]}`)
  try {
    const { data, info } = await sharp(essential, { limitInputPixels: WIDEST * WIDEST, failOn: 'warning' })
      .timeout({ seconds: 5 })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    if (info.width !== width || info.height !== height || info.channels !== 4) throw new Error('not what it says')
    return { width, height, rgba: data }
  } catch (error) {
    throw refusal(kind, 'is corrupt or truncated', error)
  }
}

function fits(kind: TextureKind, width: number, height: number): boolean {
  return SHAPES[kind].some(([wide, high]) => {
    const times = width / wide
    return [1, 2, 4, 8].includes(times) && height === high * times
  })
}

const NEEDED = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT'])

/** The file without parts that its first picture does not need: texts, profiles, further frames. */
function essence(bytes: Buffer, kind: TextureKind) {
  const kept = [bytes.subarray(0, HEAD_BYTES)]
  for (let at = HEAD_BYTES; at + 12 <= bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (end > bytes.length || (at === HEAD_BYTES && (type !== 'IHDR' || end - at !== 25))) break
    if (type === 'acTL') throw refusal(kind, 'is animated; send a still image')
    if (NEEDED.has(type) || type === 'IEND') kept.push(bytes.subarray(at, end))
    if (type === 'IEND') {
      return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), essential: Buffer.concat(kept) }
    }
    at = end
  }
  throw refusal(kind, 'is corrupt or truncated')
}

function refusal(kind: TextureKind, what: string, cause?: unknown): TextureError {
  return new TextureError(`The ${kind} ${what}.`, { cause })
}
