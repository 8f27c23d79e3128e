import sharp, { type Metadata } from 'sharp'
import type { Effect } from './declaration.ts'
import { inspect, SAFE } from './decode.ts'
import { assertSendable, compressed } from './encode.ts'
import type { ImageResult, Work } from './protocol.ts'
import { Refusal } from './refusal.ts'

/**
 * A still picture from file to file in one pipeline, which takes half of the time of decoding, drawing and encoding one
 * after the other. Null where it has to go step by step: it moves, is larger than wished, stands on its side or has
 * colours of another kind.
 * @throws {Refusal} for what no way leads around.
 */
export async function direct(effect: Effect, { params, pictures, format, size }: Work): Promise<ImageResult | null> {
  const [file, another] = pictures
  if (!effect.pipe || !file || another || effect.animate(params)) return null
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const { meta, frames } = await inspect(bytes)
  if (frames > 1 || !isPlain(meta) || Math.max(meta.width, meta.height) > size) return null
  const still = { width: meta.width, height: meta.height, delaysMs: [], plays: 0 }
  const out = format ?? 'png'
  try {
    const piped = effect.pipe(sharp(bytes, { ...SAFE, pages: 1 }), params, still).toColourspace('srgb')
    const { data, info } = await compressed(piped, still, out).toBuffer({ resolveWithObject: true })
    assertSendable(data)
    return { format: out, width: info.width, height: info.height, frames: 1, data }
  } catch (error) {
    if (error instanceof Refusal) throw error
    // A damaged file, or a library that cannot do it in one go: the steps tell which.
    return null
  }
}

function isPlain({ space, depth, orientation = 1 }: Metadata): boolean {
  return space === 'srgb' && depth === 'uchar' && orientation === 1
}
