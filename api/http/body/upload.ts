import type { IncomingMessage } from 'node:http'
import { invalidField } from '../errors.ts'
import { concatAndRelease, createPieceCount } from '../../../lib/buffers.ts'
import { discard, SMALL_PIECES } from './body.ts'
import { readForm } from './form.ts'
import type { ApiContext } from '../request-state.ts'

/** Allowance for the boundaries and heads of a form. */
const FORM_BYTES = 64 * 1024

/**
 * The files of a request: the body itself, or the files of a form. Their readers detect the type; the type that the
 * caller declares is ignored.
 * @throws {Fault} a validation fault on `body` when there is none, or one has more than `limitBytes`.
 */
export async function readFiles(ctx: ApiContext, limitBytes: number, most: number): Promise<readonly Buffer[]> {
  const coding = ctx.req.headers['content-encoding'] ?? 'identity'
  if (coding !== 'identity') throw invalidField('body', 'Send the file without a content encoding.')
  const limits = { fileBytes: limitBytes, bodyBytes: limitBytes * most + FORM_BYTES, tooLarge: tooLarge(limitBytes) }
  const isForm = ctx.is('multipart/form-data')
  const files = isForm ? await readForm(ctx, limits) : [await readAll(ctx.req, limitBytes, limits.tooLarge)]
  const found = files.filter(({ length }) => length > 0)
  if (found.length === 0) throw invalidField('body', 'Send the file as the body, or in a multipart form.')
  if (found.length > most) throw invalidField('body', `Send ${most === 1 ? 'one file' : `${most} files`} at most.`)
  return found
}

async function readAll(req: IncomingMessage, limitBytes: number, tooLong: Error): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > limitBytes) {
    await discard(req)
    throw tooLong
  }
  const chunks: Buffer[] = []
  // Without a body it has ended before anyone listened.
  if (req.readableEnded) return Buffer.alloc(0)
  const pieces = createPieceCount()
  return new Promise((resolve, reject) => {
    const done = (how: () => void) => {
      req.removeAllListeners('data').removeAllListeners('end').off('close', onClose)
      how()
    }
    const onClose = () => done(() => reject(invalidField('body', 'The body ended early. Send it again.')))
    req.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      if (!pieces.add(chunk)) done(() => reject(invalidField('body', SMALL_PIECES)))
      else if (pieces.bytes > limitBytes) done(() => void discard(req).then(() => reject(tooLong)))
    })
    req.on('end', () => done(() => resolve(concatAndRelease(chunks))))
    req.on('close', onClose)
  })
}

function tooLarge(limitBytes: number) {
  return invalidField('body', `The file is larger than ${limitBytes / 1024 / 1024} MiB.`)
}
