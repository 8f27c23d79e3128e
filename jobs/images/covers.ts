import { nullOn } from '../../lib/errors.ts'
import type { Shrinker } from './images.ts'

/** One of those who share the image processes. */
const OWNER = 'covers'

/** Pictures of tracks as pages and chats show them; null for a file that is no picture that can be read. */
export function createCoverShrinker(images: Shrinker) {
  return async (bytes: Buffer, size: number) => {
    const { signal } = new AbortController()
    const shrunk = await images.shrink({ bytes, size, owner: OWNER, signal }).catch(nullOn('validation_error'))
    return shrunk && { contentType: 'image/webp', data: shrunk.data }
  }
}
