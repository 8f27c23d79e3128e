import { Refusal } from '../refusal.ts'

export type InputFormat = 'png' | 'jpeg' | 'webp' | 'avif' | 'gif'

/** Detects the format by the first bytes alone; null unless it is an accepted one. */
export function sniff(bytes: Buffer): InputFormat | null {
  if (bytes.subarray(0, 8).equals(PNG)) return 'png'
  if (bytes.length > 3 && bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  const start = bytes.toString('latin1', 0, 12)
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'gif'
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'webp'
  if (start.slice(4, 8) === 'ftyp' && /avi[fs]/.test(bytes.toString('latin1', 8, 64))) return 'avif'
  return null
}

/**
 * The picture of a file without what stands behind it: phones put sounds, films and notes of their own there, and other
 * programs archives. Walks from part to part without decoding any.
 * @throws {Refusal} when it is truncated.
 */
export function cutToPicture(bytes: Buffer, format: InputFormat): Buffer {
  const end = ENDS[format](bytes)
  if (end === null || end > bytes.length) throw new Refusal('The image is corrupt or truncated.', 'picture_unreadable')
  return bytes.subarray(0, end)
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Finders of a picture's end by format; null if it has none. */
const ENDS: Readonly<Record<InputFormat, (bytes: Buffer) => number | null>> = {
  png: endOfPng,
  jpeg: endOfJpeg,
  webp: endOfRiff,
  avif: endOfBoxes,
  gif: endOfGif,
}

function endOfPng(bytes: Buffer): number | null {
  let at = PNG.length
  while (at + 12 <= bytes.length) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    at += 12 + bytes.readUInt32BE(at)
    if (type === 'IEND') return at
  }
  return null
}

function endOfJpeg(bytes: Buffer): number | null {
  let at = 2
  while (at + 1 < bytes.length) {
    const next = bytes.indexOf(0xff, at)
    if (next < 0) return null
    const marker = bytes[next + 1] ?? 0
    at = next + (marker === 0xff ? 1 : 2)
    if (marker === 0xd9) return at
    // Within the compressed data a marker is escaped or a restart; all others have a length.
    const isBare = marker === 0 || marker === 0xff || marker === 1 || (marker >= 0xd0 && marker <= 0xd8)
    if (isBare) continue
    if (at + 2 > bytes.length) return null
    at += bytes.readUInt16BE(at)
  }
  return null
}

function endOfRiff(bytes: Buffer): number | null {
  if (bytes.length < 12) return null
  const size = bytes.readUInt32LE(4)
  return 8 + size + (size % 2)
}

/** Boxes of pictures and of animated ones (ISO/IEC 14496-12 and 23008-12). */
const BOXES = new Set([
  'ftyp',
  'styp',
  'meta',
  'moov',
  'mdat',
  'moof',
  'mfra',
  'sidx',
  'pdin',
  'meco',
  'idat',
  'free',
  'skip',
  'wide',
  'uuid',
])

function endOfBoxes(bytes: Buffer): number | null {
  const seen = new Set<string>()
  let at = 0
  while (at + 8 <= bytes.length) {
    const size = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    // An unknown box or another `ftyp` after the description and data belongs to something appended to the picture.
    if (seen.has('mdat') && (seen.has('meta') || seen.has('moov')) && (!BOXES.has(type) || type === 'ftyp')) return at
    if (size === 0) return bytes.length
    if (size < 8) return null
    seen.add(type)
    at += size
  }
  return at
}

function endOfGif(bytes: Buffer): number | null {
  if (bytes.length < 13) return null
  let at = 13 + colourTableBytes(bytes[10] ?? 0)
  while (at < bytes.length) {
    const kind = bytes[at]
    if (kind === 0x3b) return at + 1
    if (kind === 0x21) at = skipBlocks(bytes, at + 2)
    else if (kind === 0x2c) at = skipBlocks(bytes, at + 11 + colourTableBytes(bytes[at + 9] ?? 0))
    else return null
  }
  return null
}

function colourTableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

function skipBlocks(bytes: Buffer, start: number): number {
  let at = start
  while (at < bytes.length) {
    const size = bytes[at] ?? 0
    at += size + 1
    if (size === 0) break
  }
  return at
}
