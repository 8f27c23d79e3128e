import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { HttpRefusal } from '../errors.ts'
import type { ApiContext } from '../request-state.ts'
import { isFresh } from '../response.ts'

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
  /** Time until it expires. */
  readonly maxAgeMs: number
  /** File name for saving it in a browser. */
  readonly fileName: string
  /** @throws {Fault} when it is gone. */
  readonly open: (part: Part | null) => Promise<Readable>
}

/** A file: a handler that returns one responds with it, or with the requested range, without an envelope. */
export class FileResponse {
  readonly spec: DownloadSpec

  constructor(spec: DownloadSpec) {
    this.spec = spec
  }
}

/**
 * Opens what the request wants of a file, by its range and conditions (RFC 9110).
 * @throws {HttpRefusal} 416 for a range that lies outside; what `open` throws.
 */
export async function setDownload(ctx: ApiContext, { spec }: FileResponse): Promise<void> {
  const { sizeBytes, contentType, maxAgeMs, fileName } = spec
  ctx.etag = `"${spec.tag}"`
  ctx.set('Cache-Control', `private, max-age=${Math.max(0, Math.floor(maxAgeMs / 1000))}, immutable`)
  if (isFresh(ctx)) {
    ctx.status = 304
    return
  }
  const part = partOf(ctx.req, ctx.response.etag, sizeBytes)
  ctx.set('Content-Type', contentType)
  ctx.body = await spec.open(part)
  ctx.set('Accept-Ranges', 'bytes')
  ctx.set('Content-Disposition', `inline; filename="${fileName}"`)
  ctx.length = part ? part.end - part.start + 1 : sizeBytes
  if (!part) return
  ctx.status = 206
  ctx.set('Content-Range', `bytes ${part.start}-${part.end}/${sizeBytes}`)
}

/** Null means the whole file. Ignores anything but a single byte range, as RFC 9110 allows. */
function partOf({ headers }: IncomingMessage, etag: string, sizeBytes: number): Part | null {
  const ifRange = headers['if-range']
  if (ifRange !== undefined && ifRange !== etag) return null
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? []
  if (from === '' && to === '') return null
  const start = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from)
  const end = from === '' || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1)
  if (from !== '' && to !== '' && Number(to) < start) return null
  if (start < sizeBytes && start <= end) return { start, end }
  throw new HttpRefusal(416, `The range is outside the file, which has ${sizeBytes} bytes.`, {
    headers: { 'Content-Range': `bytes */${sizeBytes}` },
  })
}
