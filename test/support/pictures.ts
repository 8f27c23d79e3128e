import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { decode, inspect, type Decoded } from '../../packages/images/codec/decode.ts'
import type { Frame, Picture } from '../../packages/images/codec/picture.ts'

/** Time limit for the workers of a test that is not about time limits: longer than a busy machine needs. */
export const UNHURRIED_MS = 60_000

export type Colour = readonly [red: number, green: number, blue: number, alpha: number]

/** A frame whose points a function says. */
export function frameOf(width: number, height: number, at: (x: number, y: number) => Colour): Frame {
  const data = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) data.set(at(x, y), (y * width + x) * 4)
  return { width, height, data }
}

/** Red and blue halves, the upper left corner clear. */
export const HALVES = frameOf(40, 30, (x, y) =>
  x < 8 && y < 8 ? [0, 0, 0, 0] : x < 20 ? [200, 40, 20, 255] : [20, 60, 220, 255],
)

export function still(frame: Frame): Picture {
  return { width: frame.width, height: frame.height, frames: [frame], delaysMs: [], plays: 0 }
}

export function pixelOf({ width, data }: Frame, x: number, y: number): number[] {
  return [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)]
}

/** A page of black points, in as few bytes as that takes. */
export function blackPng(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 1
  const rows = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height), { level: 9 })
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length, 0)
  body.copy(out, 4)
  out.writeUInt32BE(crc32(body), body.length + 4)
  return out
}

export function pngOf({ data, width, height }: Frame): Promise<Buffer> {
  return sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer()
}

/** A moving picture whose frames are one colour each. */
export function movingOf(format: 'gif' | 'webp', count: number, side = 24): Promise<Buffer> {
  const frames = Array.from({ length: count }, (_, at) =>
    Buffer.alloc(side * side * 4, Uint8Array.of((at * 83) % 256, (at * 151) % 256, at % 2 ? 30 : 220, 255)),
  )
  const whole = sharp(Buffer.concat(frames), {
    raw: { width: side, height: side * count, channels: 4, pageHeight: side },
  })
  const timing = { delay: frames.map(() => 70), loop: 3 }
  return (format === 'gif' ? whole.gif({ ...timing, effort: 1 }) : whole.webp({ ...timing, lossless: true })).toBuffer()
}

/** Decodes a file like a worker. */
export async function decoded(file: Buffer, size = 4096): Promise<Decoded> {
  return decode(await inspect(file), size)
}
