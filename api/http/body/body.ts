import type { IncomingMessage } from 'node:http'
import { koaBody } from 'koa-body'
import { Fault } from '../../../lib/errors.ts'
import { invalidField } from '../errors.ts'
import type { ApiContext } from '../request-state.ts'

const LIMIT_BYTES = 64 * 1024
/** How much of a body that is too long anyway is read off the wire, so that the caller gets to read the answer. */
const DISCARD_BYTES = 16 * 1024 * 1024

const parse = koaBody({
  jsonLimit: LIMIT_BYTES,
  // What JSON may hold is the schema's business: it refuses `null` and lists by name.
  jsonStrict: false,
  urlencoded: false,
  text: false,
  multipart: false,
  patchNode: false,
  parsedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'] as never,
})

/** A body of some length may come in smaller pieces on average; each costs more than its bytes. */
const MIN_PIECE_BYTES = 64
const MAX_SMALL_PIECES = 4096

/** Counts the pieces of a body, as chunked coding and the network cut it. */
export function createPieceCount() {
  let count = 0
  let bytes = 0
  return {
    get bytes() {
      return bytes
    },
    /** Returns false once the body has come in more small pieces than anything but an attack sends. */
    add(piece: { readonly length: number }): boolean {
      count += 1
      bytes += piece.length
      return count <= MAX_SMALL_PIECES || bytes >= count * MIN_PIECE_BYTES
    },
  }
}

async function done(): Promise<void> {}

/**
 * Reads the JSON body of a request into `ctx.request.body`, `{}` if there is none.
 * @throws {Fault} a validation fault on `body` for anything that is not a JSON document of at most 64 KiB.
 */
export async function readBody(ctx: ApiContext): Promise<void> {
  const { req } = ctx
  const { 'content-length': length, 'transfer-encoding': transfer } = req.headers
  if (transfer === undefined && (length === undefined || length === '0')) return
  if (!ctx.is('application/json')) {
    throw invalidField('body', 'Send the body as JSON, with `Content-Type: application/json`.')
  }
  try {
    await parse(ctx, done)
  } catch (thrown) {
    throw await refusal(thrown, req)
  }
  if (ctx.request.body === '') ctx.request.body = {}
}

async function refusal(thrown: unknown, req: IncomingMessage): Promise<Fault> {
  const { type, status } = thrown as { type?: string; status?: number }
  if (type === 'entity.too.large') {
    await discard(req)
    return invalidField('body', `The body is larger than ${LIMIT_BYTES / 1024} KiB.`)
  }
  if (type === 'request.aborted' || type === 'request.size.invalid') {
    return invalidField('body', 'The body ended early. Send it again.')
  }
  if (status === 415) return invalidField('body', 'Send the body as UTF-8, uncompressed or with gzip, deflate or br.')
  if (type === 'stream.encoding.set') return new Fault('internal_error', 'The body was read twice.', { cause: thrown })
  return invalidField('body', 'The body is not valid JSON.')
}

/** Reads on until the body has ended or is longer than anyone would wait for; the server's own clock cuts it. */
export async function discard(req: IncomingMessage): Promise<void> {
  const pieces = createPieceCount()
  req.unpipe()
  await new Promise<void>((resolve) => {
    const onData = (piece: Buffer) => {
      if (pieces.add(piece) && pieces.bytes <= DISCARD_BYTES) return
      req.off('data', onData)
      resolve()
    }
    req.on('data', onData)
    req.once('end', resolve)
    req.once('close', resolve)
    req.resume()
    if (req.readableEnded || req.destroyed) resolve()
  })
}
