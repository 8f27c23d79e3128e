import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { matches, type Answer } from '../answer.ts'
import { HttpRefusal } from '../errors.ts'
import { Streamed } from './streamed.ts'

/** The bytes from `start` to `end`, both included. */
interface Part {
  readonly start: number
  readonly end: number
}

interface DownloadSpec {
  readonly contentType: string
  readonly sizeBytes: number
  /** Names the content for ever, without quotes. */
  readonly tag: string
  /** How much longer it can be had. */
  readonly maxAgeMs: number
  /** What a browser saves it as. */
  readonly fileName: string
  /** @throws {Fault} when it is gone. */
  readonly open: (part: Part | null) => Promise<Readable>
}

/** A file: a handler that returns one answers with it alone, or with the part of it that was asked for. */
export class Download {
  readonly spec: DownloadSpec

  constructor(spec: DownloadSpec) {
    this.spec = spec
  }
}

/**
 * Opens what the request wants of a file, by its range and conditions (RFC 9110).
 * @throws {HttpRefusal} 416 for a range that lies outside; what `open` throws.
 */
export async function startDownload(req: IncomingMessage, { spec }: Download, earned: string[]): Promise<Answer> {
  const { sizeBytes, contentType, maxAgeMs, fileName } = spec
  const etag = `"${spec.tag}"`
  const maxAge = Math.max(0, Math.floor(maxAgeMs / 1000))
  const headers = [...earned, 'ETag', etag, 'Cache-Control', `private, max-age=${maxAge}, immutable`]
  if (matches(req.headers['if-none-match'], etag)) return { status: 304, body: null, headers }
  const part = partOf(req, etag, sizeBytes)
  const stream = await spec.open(part)
  headers.push('Accept-Ranges', 'bytes', 'Content-Type', contentType)
  headers.push('Content-Disposition', `inline; filename="${fileName}"`)
  headers.push('Content-Length', String(part ? part.end - part.start + 1 : sizeBytes))
  if (part) headers.push('Content-Range', `bytes ${part.start}-${part.end}/${sizeBytes}`)
  return { status: part ? 206 : 200, body: new Streamed(stream), headers }
}

/** Null: the whole. A range that is no single range of bytes is passed over, as the standard wants it. */
function partOf({ headers }: IncomingMessage, etag: string, sizeBytes: number): Part | null {
  const ifRange = headers['if-range']
  if (ifRange !== undefined && ifRange !== etag) return null
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? []
  if (from === '' && to === '') return null
  const start = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from)
  const end = from === '' || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1)
  if (from !== '' && to !== '' && Number(to) < start) return null
  if (start < sizeBytes && start <= end) return { start, end }
  throw new HttpRefusal(416, `The file has ${sizeBytes} bytes.`, { headers: ['Content-Range', `bytes */${sizeBytes}`] })
}
