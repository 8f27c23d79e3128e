import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

/** So much a host that caps its parts sends at once. */
const CAP_BYTES = 48 * 1024

type Manner = (bytes: Buffer, asked: IncomingMessage, answer: ServerResponse) => void

/** Ways in which hosts send files, by the first part of the path. */
export const MANNERS = {
  ranges: (bytes, asked, answer) => sendPart(bytes, asked, answer),
  none: (bytes, _, answer) => void answer.writeHead(200, { 'content-length': bytes.length }).end(bytes),
  chunked: (bytes, _, answer) => {
    answer.writeHead(200).write(bytes.subarray(0, 5000))
    answer.end(bytes.subarray(5000))
  },
  capped: (bytes, asked, answer) => sendPart(bytes, asked, answer, { cap: CAP_BYTES }),
  'capped without a total': (bytes, asked, answer) => sendPart(bytes, asked, answer, { cap: CAP_BYTES, total: '*' }),
  'gzip unasked': (bytes, _, answer) => {
    const packed = gzipSync(bytes, { level: 1 })
    answer.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length }).end(packed)
  },
} satisfies Record<string, Manner>

export type MannerName = keyof typeof MANNERS

interface Parts {
  readonly cap?: number
  readonly total?: string
}

function sendPart(
  bytes: Buffer,
  { headers: { range = '' } }: IncomingMessage,
  answer: ServerResponse,
  { cap = Infinity, total = String(bytes.length) }: Parts = {},
): void {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? []
  if (first === undefined) return void answer.writeHead(200, { 'content-length': bytes.length }).end(bytes)
  const from = Number(first)
  if (from >= bytes.length) return void answer.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end()
  const end = Math.min(bytes.length, from + cap, last ? Number(last) + 1 : Infinity)
  const headers = { 'content-length': end - from, 'content-range': `bytes ${from}-${end - 1}/${total}` }
  answer.writeHead(206, headers).end(bytes.subarray(from, end))
}
