import sharp, { type Metadata } from 'sharp'
import { cutToPicture, sniff, type InputFormat } from './container.ts'
import { LIMITS } from '../limits.ts'
import type { Frame, Picture } from './picture.ts'
import { Refusal } from '../refusal.ts'

/** A file and its own description, which need not be true, within the limits. */
export interface Inspected {
  readonly bytes: Buffer
  readonly format: InputFormat
  readonly meta: Metadata
  readonly frames: number
}

export interface Decoded extends Picture {
  readonly format: InputFormat
}

/** The loaders allowed for untrusted bytes; all others of the library are disabled. */
export function shutLoaders(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`),
  })
}

/** Looks at no more than the head of a file and at where its parts begin and end. @throws {Refusal} */
export async function inspect(file: Buffer): Promise<Inspected> {
  const format = sniff(file)
  if (!format) throw new Refusal("The file isn't a PNG, JPEG, WebP, AVIF or GIF image.", 'picture_unreadable')
  const bytes = cutToPicture(file, format)
  try {
    const meta = await sharp(bytes, { ...SAFE, pages: canMove(format) ? -1 : 1 }).metadata()
    const frames = framesOf(meta)
    assertBounds(meta, frames)
    return { bytes, format, meta, frames }
  } catch (error) {
    throw explained(error)
  }
}

export const SAFE = { limitInputPixels: LIMITS.inputPixels, failOn: 'error', sequentialRead: true } as const

function canMove(format: InputFormat): boolean {
  return format === 'gif' || format === 'webp'
}

function framesOf({ pages = 1 }: Metadata): number {
  return pages
}

function assertBounds(meta: Metadata, frames: number): void {
  const height = meta.pageHeight ?? meta.height
  if (frames > LIMITS.frames)
    throw new Refusal(`The animation has ${frames} frames; the maximum is ${LIMITS.frames}.`, 'picture_too_large')
  if (meta.width * height * frames > LIMITS.inputPixels) throw tooManyPixels()
}

/**
 * A picture out of a file, turned upright, its longest edge at most `size`.
 * @throws {Refusal} if the file is invalid.
 */
export async function decode(file: Inspected, size: number): Promise<Decoded> {
  try {
    return await read(file, size)
  } catch (error) {
    throw explained(error)
  }
}

async function read({ bytes, format, meta, frames }: Inspected, size: number): Promise<Decoded> {
  const moves = frames > 1
  const pipeline = sharp(bytes, { ...SAFE, pages: moves ? -1 : 1 })
  if (!moves) pipeline.autoOrient()
  const edge = moves ? Math.min(size, movingEdge(meta, frames)) : size
  const height = meta.pageHeight ?? meta.height
  if (Math.max(meta.width, height) > edge) pipeline.resize({ width: edge, height: edge, fit: 'inside' })
  const { data, info } = await pipeline
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const each = { width: info.width, height: info.height / frames }
  if (info.channels !== 4 || !Number.isInteger(each.height))
    throw new Refusal('The image is corrupt or truncated.', 'picture_unreadable')
  return {
    ...each,
    format,
    frames: split(data, each, frames),
    delaysMs: moves ? Array.from({ length: frames }, (_, at) => meta.delay?.[at] ?? 100) : [],
    plays: meta.loop ?? 0,
  }
}

/** The longest edge at which all frames together stay within what can be drawn in time. */
function movingEdge({ width, height, pageHeight = height }: Metadata, frames: number): number {
  const share = Math.sqrt(LIMITS.movingPixels / (width * pageHeight * frames))
  return Math.max(LIMITS.smallestEdge, Math.floor(Math.max(width, pageHeight) * Math.min(1, share)))
}

function split(data: Buffer, { width, height }: Omit<Frame, 'data'>, frames: number): Frame[] {
  const frameBytes = width * height * 4
  return Array.from({ length: frames }, (_, at) => ({
    width,
    height,
    // No Buffer, whose `slice` would be no copy.
    data: new Uint8Array(data.buffer, data.byteOffset + at * frameBytes, frameBytes),
  }))
}

function explained(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  return /pixel limit/i.test(String(error))
    ? tooManyPixels()
    : new Refusal('The image is corrupt or truncated.', 'picture_unreadable')
}

function tooManyPixels(): Refusal {
  const millions = LIMITS.inputPixels / 1_000_000
  return new Refusal(`The image exceeds ${millions} megapixels, counting all frames.`, 'picture_too_large')
}
