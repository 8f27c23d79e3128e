import type { IncomingMessage } from 'node:http'
import { koaBody } from 'koa-body'
import { createPieceCount, readBounded, TooManyPieces } from '../../../lib/buffers.ts'
import { Fault } from '../../../lib/errors.ts'
import { isNestedDeeper } from '../../../lib/validation/nesting.ts'
import { HttpRefusal, invalidField } from '../errors.ts'
import type { ApiContext } from '../request-state.ts'

const LIMIT_BYTES = 64 * 1024
/** Bytes of a too long body that are still read off the wire, which lets the caller read the answer. */
const DISCARD_BYTES = 16 * 1024 * 1024

const parse = koaBody({
  jsonLimit: LIMIT_BYTES,
  // The schema checks the JSON: it refuses `null` and lists by name.
  jsonStrict: false,
  urlencoded: false,
  text: false,
  multipart: false,
  patchNode: false,
  parsedMethods: ['POST', 'PUT', 'PATCH', 'DELETE'] as never,
})

/** The answer to a body in too many pieces. */
export const SMALL_PIECES = 'The body arrives in too many small chunks. Send larger ones.'

/** Logging and forwarding a body would need a stack as deep as the body. */
export const MAX_DEPTH = 64

/** @throws {Fault} a validation fault on `body` for JSON that is nested deeper than anything but an attack. */
export function assertShallow(body: unknown): void {
  if (isNestedDeeper(body, MAX_DEPTH))
    throw invalidField('body', `The body is nested more than ${MAX_DEPTH} levels deep.`)
}

async function done(): Promise<void> {}

/**
 * Reads the JSON body of a request into `ctx.request.body`, `{}` if there is none; what is not JSON stays there as text.
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
    const pieces = watchPieces(req)
    await Promise.race([parse(ctx, done), pieces.tooMany]).finally(pieces.end)
  } catch (thrown) {
    Object.assign(ctx.request, { body: (thrown as { readonly body?: unknown }).body })
    throw await refusal(thrown, req)
  }
  if (ctx.request.body === '') ctx.request.body = {}
}

/** Rejects once a body comes in too many pieces, and keeps the rest of it from its reader. */
function watchPieces(req: IncomingMessage): { readonly tooMany: Promise<never>; readonly end: () => void } {
  const pieces = createPieceCount()
  const { promise: tooMany, reject } = Promise.withResolvers<never>()
  const onData = (piece: Buffer) => {
    if (pieces.add(piece)) return
    req.unpipe().removeAllListeners('data').removeAllListeners('end')
    reject(new TooManyPieces())
  }
  req.on('data', onData)
  return { tooMany, end: () => req.off('data', onData) }
}

async function refusal(thrown: unknown, req: IncomingMessage): Promise<Fault> {
  if (thrown instanceof TooManyPieces) {
    await discard(req)
    return invalidField('body', SMALL_PIECES)
  }
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
  return invalidField('body', "The body isn't valid JSON.")
}

/**
 * The whole body, as it came.
 * @throws what `tooLarge` makes, and {HttpRefusal} for one in too many pieces.
 */
export async function readWhole(req: IncomingMessage, maxBytes: number, tooLarge: () => Error): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) {
    await discard(req)
    throw tooLarge()
  }
  try {
    return await readBounded(req, maxBytes, tooLarge)
  } catch (error) {
    throw error instanceof TooManyPieces ? new HttpRefusal(400, SMALL_PIECES) : error
  }
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
