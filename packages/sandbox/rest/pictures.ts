import type { ServerResponse } from 'node:http'
import { crc32, deflateSync } from 'node:zlib'
import type { World } from '../world/world.ts'

/** Like those of Discord, which are named by number: a ground and a figure before it. */
const COLOURS = [
  [0x58, 0x65, 0xf2],
  [0x74, 0x7f, 0x8d],
  [0x3b, 0xa5, 0x5d],
  [0xfa, 0xa6, 0x1a],
  [0xed, 0x42, 0x45],
  [0xeb, 0x45, 0x9f],
] as const
const EDGE = 256

/** A picture that a bot gave: `/cdn/emojis/{id}.png`, `/cdn/icons/{guild}/{hash}.png`, in the type it was given. */
export function servePicture(world: World, segments: readonly string[], response: ServerResponse): void {
  const image = world.images.get(segments.join('/').replace(/\.\w{3,4}$/, ''))
  if (!image) return serveAvatar(segments, response)
  if (image.location !== undefined) {
    response.writeHead(302, { location: image.location }).end()
    return
  }
  response.writeHead(200, { 'content-type': image.type, 'content-length': image.bytes.length })
  response.end(image.bytes)
}

/** `/cdn/embed/avatars/{number}.png`: what members look like who have no avatar of their own. */
function serveAvatar(segments: readonly string[], response: ServerResponse): void {
  const number = /^embed\/avatars\/(\d)\.png$/.exec(segments.join('/'))?.[1]
  const colour = number === undefined ? undefined : COLOURS[Number(number)]
  if (!colour) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('This picture does not exist.\n')
    return
  }
  const png = drawFigure(colour)
  response.writeHead(200, { 'content-type': 'image/png', 'content-length': png.length }).end(png)
}

/** Head and shoulders, lit from above. */
function drawFigure(colour: readonly [number, number, number]): Buffer {
  const rows = Buffer.alloc(EDGE * (1 + EDGE * 3))
  for (let y = 0; y < EDGE; y++) {
    const light = 1.12 - (0.3 * y) / EDGE
    for (let x = 0; x < EDGE; x++) {
      const cover = coverAt(x / EDGE, y / EDGE)
      const at = y * (1 + EDGE * 3) + 1 + x * 3
      colour.forEach((value, channel) => {
        rows[at + channel] = Math.min(255, value * light * (1 - cover) + 245 * cover)
      })
    }
  }
  return toPng(rows)
}

/** Share of a pixel that the figure covers; its edges are a little soft. */
function coverAt(x: number, y: number): number {
  const head = 0.17 - Math.hypot(x - 0.5, y - 0.4)
  const shoulders = 1 - Math.hypot((x - 0.5) / 0.33, (y - 1) / 0.34)
  return Math.min(1, Math.max(0, Math.max(head, shoulders * 0.33) * EDGE * 0.7))
}

function toPng(rows: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(EDGE, 0)
  header.writeUInt32BE(EDGE, 4)
  // Eight bits of red, green and blue.
  header.set([8, 2], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
