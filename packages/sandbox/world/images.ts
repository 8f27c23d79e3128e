import { createHash } from 'node:crypto'
import { invalidForm } from './errors.ts'
import type { Image, World } from './world.ts'

/** Discord's limit for emojis; icons and avatars may be larger. */
export const EMOJI_BYTES = 256 * 1024
const PICTURE_BYTES = 10 * 1024 * 1024

/** First bytes of files of each type. */
const MAGIC: readonly (readonly [type: string, hex: string])[] = [
  ['image/png', '89504e470d0a1a0a'],
  ['image/jpeg', 'ffd8ff'],
  ['image/gif', '474946383961'],
  ['image/gif', '474946383761'],
  ['image/webp', '52494646'],
]

/**
 * A picture of a `data:` URI.
 * @throws {DiscordError} for what is no picture, or too large.
 */
export function readImage(path: string, uri: string, maxBytes = PICTURE_BYTES): Image {
  const [head = '', base64 = ''] = uri.split(',', 2)
  // The type that it claims does not matter, as in Discord: the bytes decide.
  if (!/^data:image\/[^;]+;base64$/.test(head)) {
    throw invalidForm(path, 'IMAGE_INVALID', 'Invalid image data')
  }
  const bytes = Buffer.from(base64, 'base64')
  const type = typeOf(bytes)
  if (type === undefined) throw invalidForm(path, 'IMAGE_INVALID', 'Unsupported image type given')
  if (bytes.length > maxBytes) {
    throw invalidForm(path, 'BINARY_TYPE_MAX_SIZE', `File cannot be larger than ${maxBytes / 1024} kb.`)
  }
  return { type, bytes }
}

export function typeOf(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 8).toString('hex')
  return MAGIC.find(([, hex]) => start.startsWith(hex))?.[0]
}

/** Keeps the address of a picture under its hash. The sandbox fetches nothing: clients that ask for the picture are sent there. */
export function keepLink(world: World, folder: string, url: string): string {
  const location = new URL(url).href
  const hash = createHash('md5').update(location).digest('hex')
  world.images.set(`${folder}/${hash}`, { type: 'text/plain', bytes: Buffer.alloc(0), location })
  return hash
}

/**
 * Keeps a picture under its hash, as avatars and icons are; null stays null.
 * @param folder `icons/{guildId}`, as in the address on the CDN
 */
export function keepImage(world: World, { folder, path }: { folder: string; path: string }, uri: string | null) {
  if (uri === null) return null
  const image = readImage(path, uri)
  const md5 = createHash('md5').update(image.bytes).digest('hex')
  const hash = image.type === 'image/gif' ? `a_${md5}` : md5
  world.images.set(`${folder}/${hash}`, image)
  return hash
}
