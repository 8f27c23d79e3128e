import sharp, { type Metadata } from 'sharp'
import type { Effect, EffectParams } from '../declaration.ts'
import { SAFE, type Inspected } from './decode.ts'
import { flatten } from '../perform.ts'
import type { Picture } from './picture.ts'

/**
 * A still picture read and changed in one pipeline. Null if it has to go step by step: it moves, is larger than
 * wished, stands on its side, has colours of another kind, or is damaged, which the steps tell.
 */
export async function direct(
  effect: Effect,
  params: EffectParams,
  [file, another]: readonly Inspected[],
  size: number,
): Promise<Picture | null> {
  if (!effect.pipe || !file || another || effect.animate(params)) return null
  const { bytes, meta, frames } = file
  if (frames > 1 || !isPlain(meta) || Math.max(meta.width, meta.height) > size) return null
  try {
    const frame = await flatten(effect.pipe(sharp(bytes, { ...SAFE, pages: 1 }), params, meta))
    return { width: frame.width, height: frame.height, frames: [frame], delaysMs: [], plays: 0 }
  } catch {
    return null
  }
}

function isPlain({ space, depth, orientation = 1 }: Metadata): boolean {
  return space === 'srgb' && depth === 'uchar' && orientation === 1
}
