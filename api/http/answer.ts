import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { releaseBuffer } from '../../lib/buffers.ts'
import { sendStreamed, Streamed } from './body/streamed.ts'

/** What goes back to a caller. */
export interface Answer {
  readonly status: number
  /** JSON text, a thing of its own kind, a stream, or null for an answer without a body. */
  readonly body: string | Bytes | Streamed | null
  /** Flat list of names and values, besides those that every answer has. */
  readonly headers: readonly string[]
  readonly etag?: boolean
  /** What it holds is compressed already. */
  readonly isDense?: boolean
}

/** What is no JSON: a handler that returns one answers with it alone, without an envelope. `data` is handed over. */
export class Bytes {
  readonly contentType: string
  readonly data: Uint8Array

  constructor(contentType: string, data: Uint8Array) {
    this.contentType = contentType
    this.data = data
  }
}

interface Wire {
  readonly req: IncomingMessage
  /** Null on a handshake, whose refusal goes over the bare socket. */
  readonly res: ServerResponse | null
  readonly requestId: string
}

const EXPOSED = [
  'X-Request-Id',
  'X-RateLimit-Plan',
  'X-RateLimit-Class',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'Retry-After',
  'ETag',
  'Content-Range',
  'Allow',
].join(', ')

const COMMON = ['Access-Control-Allow-Origin', '*', 'X-Content-Type-Options', 'nosniff'] as const

/** Shorter bodies cost more to compress than they save. */
const COMPRESS_FROM_CHARS = 4096

const compressors = {
  br: promisify(brotliCompress),
  gzip: promisify(gzip),
}

/** Writes one answer: all headers at once, the body in the same write. Says nothing to a caller who has left. */
export async function send({ req, res, requestId }: Wire, answer: Answer, close: boolean): Promise<void> {
  if (!res) return
  const headers: string[] = ['X-Request-Id', requestId, ...COMMON, ...answer.headers]
  if (req.headers.origin !== undefined) headers.push('Access-Control-Expose-Headers', EXPOSED)
  if (close) headers.push('Connection', 'close')
  let { status } = answer
  if (answer.body instanceof Bytes) {
    sendBytes(res, answer.status, headers, answer.body)
    return
  }
  if (answer.body instanceof Streamed) {
    await sendStreamed(res, status, headers, answer.body)
    return
  }
  let body: string | Buffer | null = answer.body
  let lengthBytes = 0
  if (answer.etag && status === 200 && body !== null) {
    const tag = `W/"${createHash('sha1').update(body).digest('base64url')}"`
    headers.push('ETag', tag, 'Cache-Control', 'private, no-cache')
    if (matches(req.headers['if-none-match'], tag)) {
      status = 304
      body = null
    }
  } else {
    headers.push('Cache-Control', 'no-store')
  }
  if (body !== null) {
    headers.push('Content-Type', 'application/json; charset=utf-8')
    if (body.length >= COMPRESS_FROM_CHARS && !answer.isDense) body = await compressed(body, req, headers)
    lengthBytes = Buffer.byteLength(body)
    headers.push('Content-Length', String(lengthBytes))
  } else if (status !== 304 && status !== 204) {
    headers.push('Content-Length', '0')
  }
  if (res.destroyed || res.headersSent) return
  res.writeHead(status, headers)
  if (body === null || req.method === 'HEAD') res.end()
  // Text without a wide character is the same in Latin-1, which Node writes faster.
  else res.end(body, lengthBytes === body.length ? 'latin1' : 'utf8')
}

function sendBytes(res: ServerResponse, status: number, headers: string[], { contentType, data }: Bytes): void {
  headers.push('Cache-Control', 'no-store', 'Content-Type', contentType, 'Content-Length', String(data.length))
  if (res.destroyed || res.headersSent) return
  res.writeHead(status, headers)
  if (res.req.method === 'HEAD') res.end()
  else res.end(data, () => releaseBuffer(data))
}

async function compressed(body: string, req: IncomingMessage, headers: string[]): Promise<string | Buffer> {
  headers.push('Vary', 'Accept-Encoding')
  const coding = codingFor(req.headers['accept-encoding'])
  if (!coding) return body
  headers.push('Content-Encoding', coding)
  // On zlib's own threads: a long list must not hold up the requests behind it.
  return coding === 'br'
    ? compressors.br(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
    : compressors.gzip(body, { level: 5 })
}

/** The better of our codings that the caller takes; those it gives the weight 0 it does not. */
function codingFor(accepted: string | string[] | undefined): 'br' | 'gzip' | null {
  if (typeof accepted !== 'string') return null
  const taken = new Set<string>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', weight = ''] = part.split(';').map((piece) => piece.trim())
    if (!/^q=0(?:\.0*)?$/.test(weight)) taken.add(name)
  }
  if (taken.has('br')) return 'br'
  return taken.has('gzip') ? 'gzip' : null
}

/** Weak comparison, as `If-None-Match` wants it. */
export function matches(sent: string | undefined, tag: string): boolean {
  if (sent === undefined) return false
  if (sent.trim() === '*') return true
  return sent.split(',').some((one) => opaque(one) === opaque(tag))
}

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, '')
}
