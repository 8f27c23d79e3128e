import { crc32, deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { blackPng, frameOf, movingOf, pngOf } from './pictures.ts'

/** A file that is no honest picture, and what is wrong with it. */
export interface Hostile {
  readonly name: string
  readonly bytes: Buffer
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Files that each have to be refused, made again: none is kept in the repository. */
export async function hostilePictures(): Promise<readonly Hostile[]> {
  const good = await honestPictures()
  return [...cutShort(good), ...damaged(good), ...liars(good), ...bombs(), ...strangers()]
}

type Good = Readonly<Record<'png' | 'jpeg' | 'webp' | 'avif' | 'gif', Buffer>>

async function honestPictures(): Promise<Good> {
  const png = await pngOf(frameOf(64, 48, (x, y) => [(x * 37) % 256, (y * 91) % 256, (x * y) % 256, 255]))
  const [jpeg, webp, avif] = await Promise.all([
    sharp(png).jpeg().toBuffer(),
    sharp(png).webp({ lossless: true }).toBuffer(),
    sharp(png).avif({ effort: 0 }).toBuffer(),
  ])
  return { png, jpeg, webp, avif, gif: await movingOf('gif', 4) }
}

/** Five kinds of file, each cut at six places between its first bytes and its last. */
function cutShort(good: Good): readonly Hostile[] {
  return Object.entries(good).flatMap(([kind, bytes]) =>
    [0.02, 0.1, 0.25, 0.5, 0.75, 0.95].map((part) => ({
      name: `${kind} cut short at ${part * 100} %`,
      bytes: bytes.subarray(0, Math.max(3, Math.floor(bytes.length * part))),
    })),
  )
}

function damaged({ png, webp, gif }: Good): readonly Hostile[] {
  const without = (type: string) => pngFrom(chunksOf(png).filter((chunk) => chunk.type !== type))
  return [
    { name: 'a PNG whose data has a wrong checksum', bytes: changed(png, png.indexOf('IDAT') + 12, 0xff) },
    { name: 'a PNG whose header has a wrong checksum', bytes: changed(png, 29, 0x55) },
    { name: 'a PNG without a header', bytes: without('IHDR') },
    { name: 'a PNG without data', bytes: without('IDAT') },
    { name: 'a PNG without an end', bytes: without('IEND') },
    { name: 'a PNG whose data comes first', bytes: pngFrom(chunksOf(png).toReversed()) },
    { name: 'a PNG chunk of four gigabytes', bytes: longChunk(png) },
    { name: 'a WebP whose container ends early', bytes: changed(webp, 4, 0x08) },
    { name: 'a GIF with a block of no known kind', bytes: changed(gif, 13 + 3 * 2 ** ((gif[10]! & 7) + 1), 0x77) },
  ]
}

function liars({ png, webp, avif }: Good): readonly Hostile[] {
  const sized = (width: number, height: number) =>
    pngFrom(
      chunksOf(png).map((chunk) => (chunk.type === 'IHDR' ? { type: chunk.type, data: header(width, height) } : chunk)),
    )
  return [
    { name: 'a PNG of no width', bytes: sized(0, 48) },
    { name: 'a PNG of no height', bytes: sized(64, 0) },
    { name: 'a PNG that claims 2³¹−1 squared', bytes: sized(0x7fffffff, 0x7fffffff) },
    { name: 'a PNG that claims more rows than it has', bytes: sized(64, 4000) },
    { name: 'a PNG that claims 1 × 40,000,001', bytes: sized(1, 40_000_001) },
    { name: 'a WebP that claims 16,384 squared', bytes: largestWebp(webp) },
    { name: 'an AVIF that claims 65,535 squared', bytes: sizedAvif(avif, 65_535) },
    { name: 'an AVIF that claims more than it has', bytes: sizedAvif(avif, 4000) },
  ]
}

function bombs(): readonly Hostile[] {
  return [
    { name: 'a PNG of 16,000 squared in a few kilobytes', bytes: blackPng(16_000, 16_000) },
    { name: 'a PNG of 30,000 × 10,000', bytes: blackPng(30_000, 10_000) },
    { name: 'a PNG of 1 × 41,000,000', bytes: blackPng(1, 41_000_000) },
    { name: 'a PNG of 41,000,000 × 1', bytes: blackPng(41_000_000, 1) },
    { name: 'a GIF of 201 frames', bytes: gifOf(201, 8) },
    { name: 'a GIF of 5,000 frames', bytes: gifOf(5000, 1) },
    { name: 'a GIF whose frames together have 60 megapixels', bytes: gifOf(150, 632) },
  ]
}

function svg(inner: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inner}</svg>`
}

function strangers(): readonly Hostile[] {
  const entity = '<?xml version="1.0"?><!DOCTYPE s [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
  const texts = {
    'an SVG': svg('<rect width="9" height="9"/>'),
    'an SVG with an external entity': entity + svg('<text>&x;</text>'),
    'an SVG that names a file': svg('<image href="file:///etc/passwd"/>'),
    'an SVG that names an address': svg('<image href="http://127.0.0.1/"/>'),
    'an HTML page': '<!doctype html><title>no picture</title>',
    'a PDF': '%PDF-1.7\n%âãÏÓ',
    'a PPM': 'P6\n9 9\n255\n',
    'a script for ImageMagick': 'push graphic-context\nimage over 0,0 0,0 "https://example.com"',
    'an XBM': '#define a_width 9\n#define a_height 9\nstatic char a_bits[] = {0};',
    'a sentence': 'This is no picture.',
  }
  return [
    ...Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
    { name: 'one byte', bytes: Buffer.from([0x89]) },
    { name: 'nothing but the magic number of PNG', bytes: SIGNATURE },
    { name: 'a TIFF', bytes: Buffer.from('49492a0008000000', 'hex') },
    { name: 'a BMP', bytes: Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)]) },
    { name: 'a gzip bomb', bytes: gzipSync(Buffer.alloc(4_000_000)) },
  ]
}

interface Chunk {
  readonly type: string
  readonly data: Buffer
}

function chunksOf(png: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 8; at + 12 <= png.length; at += 12 + png.readUInt32BE(at)) {
    const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at))
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data })
  }
  return chunks
}

/** Builds a PNG with correct checksums, so that nothing but the content is wrong. */
function pngFrom(chunks: readonly Chunk[]): Buffer {
  const parts = chunks.map(({ type, data }) => {
    const out = Buffer.alloc(12 + data.length)
    out.writeUInt32BE(data.length, 0)
    out.write(type, 4, 'latin1')
    data.copy(out, 8)
    out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length)
    return out
  })
  return Buffer.concat([SIGNATURE, ...parts])
}

function header(width: number, height: number): Buffer {
  const data = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0])
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  return data
}

/** The largest size that its fourteen bits can say. */
function largestWebp(lossless: Buffer): Buffer {
  const bytes = Buffer.from(lossless)
  bytes.writeUInt32LE(((bytes.readUInt32LE(21) & 0xf000_0000) | 0x0fff_ffff) >>> 0, 21)
  return bytes
}

function sizedAvif(avif: Buffer, side: number): Buffer {
  const bytes = Buffer.from(avif)
  const at = bytes.indexOf('ispe') + 8
  bytes.writeUInt32BE(side, at)
  bytes.writeUInt32BE(side, at + 4)
  return bytes
}

function longChunk(png: Buffer): Buffer {
  const bytes = Buffer.from(png)
  bytes.writeUInt32BE(0xffffffff, png.indexOf('IDAT') - 4)
  return bytes
}

function changed(bytes: Buffer, at: number, mask: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = copy[at]! ^ mask
  return copy
}

/** Frames of one clear pixel each on a canvas as large as is wanted: a few bytes a frame. */
function gifOf(frames: number, side: number): Buffer {
  const head = Buffer.from('47494638396100000000800000000000ffffff', 'hex')
  head.writeUInt16LE(side, 6)
  head.writeUInt16LE(side, 8)
  const frame = Buffer.from('21f90400010000002c0000000001000100000202440100', 'hex')
  return Buffer.concat([head, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])])
}

/** Pictures of 64 × 48 with a load that no one needs: honest ones all the same, so they have to be drawn, and cheaply. */
export async function laden(): Promise<readonly Hostile[]> {
  const good = await honestPictures()
  const { png, jpeg, gif } = good
  const profile = Buffer.concat([Buffer.from('colours\0\0', 'latin1'), deflateSync(Buffer.alloc(16 * 1024 * 1024))])
  const exif = Buffer.concat([Buffer.from('Exif\0\0MM\0*\0\0\0\u0008', 'latin1'), Buffer.alloc(60_000, 0xff)])
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1, (exif.length + 2) >> 8, (exif.length + 2) & 0xff]), exif])
  const screen = Buffer.from(gif)
  screen.writeUInt16LE(65_535, 6)
  screen.writeUInt16LE(65_535, 8)
  return [
    { name: 'a PNG whose text unfolds to 16 MiB', bytes: await textBomb(png) },
    { name: 'a PNG whose colour profile unfolds to 16 MiB', bytes: withChunk(png, 'iCCP', profile) },
    { name: 'a PNG with 8 MiB of Exif', bytes: withChunk(png, 'eXIf', Buffer.alloc(8 * 1024 * 1024, 0x4d)) },
    {
      name: 'a JPEG with 6 MiB of Exif that points nowhere',
      bytes: Buffer.concat([jpeg.subarray(0, 2), ...Array.from({ length: 100 }, () => segment), jpeg.subarray(2)]),
    },
    // The area of its frames counts: the screen is where a player of long ago would have put them.
    { name: 'a GIF on a screen of 65,535 squared', bytes: screen },
    ...polyglots(good),
  ]
}

/** Pictures that another file stands behind: it is left out of what is made of them. */
function polyglots({ png, jpeg, webp, avif, gif }: Good): readonly Hostile[] {
  const tails = {
    ZIP: Buffer.from('PK\u0003\u0004\u0014\u0000 hidden.txt and more'),
    HTML: Buffer.from('<html><script>alert(1)</script></html>'),
    // A phone's block behind a JPEG: notes, each with a length, and a directory of them at the very end.
    Phone: Buffer.from('\0\0\u0001\n\u000e\0\0\0Image_UTC_Data1700000000000SEFHk\0\0\0\u0001\0\0\0SEFT', 'latin1'),
    Picture: jpeg,
    PDF: Buffer.from('%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj'),
  }
  return Object.entries(tails).flatMap(([kind, tail]) => [
    { name: `a PNG that is ${kind} too`, bytes: Buffer.concat([png, tail]) },
    { name: `a JPEG that is ${kind} too`, bytes: Buffer.concat([jpeg, tail]) },
    { name: `a WebP that is ${kind} too`, bytes: Buffer.concat([webp, tail]) },
    { name: `an AVIF that is ${kind} too`, bytes: Buffer.concat([avif, tail]) },
    { name: `a GIF that is ${kind} too`, bytes: Buffer.concat([gif, tail]) },
  ])
}

/** A PNG whose text chunk unfolds to sixteen megabytes. */
export async function textBomb(picture?: Buffer): Promise<Buffer> {
  const data = Buffer.concat([Buffer.from('note\0\0', 'latin1'), deflateSync(Buffer.alloc(16 * 1024 * 1024))])
  return withChunk(picture ?? (await honestPictures()).png, 'zTXt', data)
}

function withChunk(png: Buffer, type: string, data: Buffer): Buffer {
  const [first, ...rest] = chunksOf(png)
  return pngFrom([first!, { type, data }, ...rest])
}

/** The picture as the first of two frames. */
export function animatedPng(picture: Buffer): Buffer {
  const [first, ...rest] = chunksOf(picture)
  return pngFrom([first!, { type: 'acTL', data: Buffer.from('0000000200000000', 'hex') }, ...rest])
}
