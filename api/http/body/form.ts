import { Writable } from 'node:stream'
import { errors, multipart, type Part } from 'formidable'
import { koaBody } from 'koa-body'
import { concatAndRelease, createPieceCount } from '../../../lib/buffers.ts'
import { Fault } from '../../../lib/errors.ts'
import { truncate } from '../../../lib/text.ts'
import { invalidField } from '../errors.ts'
import type { ApiContext } from '../request-state.ts'
import { discard, SMALL_PIECES } from './body.ts'

/** More parts than any form for pictures has; each costs time to look at. */
const MAX_PARTS = 16
const MAX_HEAD_BYTES = 4096

interface FormLimits {
  readonly fileBytes: number
  readonly bodyBytes: number
  /** What a file or a form beyond its bound is refused with. */
  readonly tooLarge: Fault
}

/** What a plugin of formidable gets to see of a form that is being parsed. */
interface Form {
  readonly _parser?: NodeJS.EventEmitter
  onPart: (part: Part) => unknown
  on(event: 'progress', listener: (receivedBytes: number) => void): void
  _handlePart(part: Part): unknown
  _error(error: Error): void
}

/**
 * The files of a `multipart/form-data` body in their order, kept in memory.
 * @throws {Fault} a validation fault on `body` when it is not well formed, on `body.<name>` for a field that is no file.
 */
export async function readForm(ctx: ApiContext, limits: FormLimits): Promise<Buffer[]> {
  const files: Buffer[][] = []
  const parse = koaBody({
    multipart: true,
    patchKoa: false,
    formidable: {
      maxFileSize: limits.fileBytes,
      maxTotalFileSize: limits.bodyBytes,
      allowEmptyFiles: true,
      minFileSize: 0,
      fileWriteStreamHandler: () => collectInto(files),
      enabledPlugins: [multipart, (form: unknown) => bound(form as Form, limits)],
    },
  })
  try {
    await parse(ctx, async () => {})
  } catch (thrown) {
    // So that the caller gets to read the answer.
    await discard(ctx.req)
    throw refusal(thrown, limits)
  }
  return files.map(concatAndRelease)
}

/** Formidable writes views of buffers that it uses again. */
function collectInto(files: Buffer[][]): Writable {
  const chunks: Buffer[] = []
  files.push(chunks)
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(Buffer.from(chunk))
      done()
    },
  })
}

/** Adds the bounds that formidable lacks: of the whole, of parts, of their heads and of the pieces they come in. */
function bound(form: Form, { bodyBytes, tooLarge }: FormLimits): void {
  const parser = form._parser
  if (!parser) return
  const refuse = (fault: Fault) => {
    parser.removeAllListeners('data')
    form._error(fault)
  }
  const pieces = createPieceCount()
  form.on('progress', (receivedBytes) => {
    if (!pieces.add({ length: receivedBytes - pieces.bytes })) refuse(invalidField('body', SMALL_PIECES))
    else if (receivedBytes > bodyBytes) refuse(tooLarge)
  })
  let parts = 0
  let headBytes = 0
  let isInHead = false
  // Before formidable's own listener, which searches each head by expressions of more than linear time.
  parser.prependListener('data', ({ name, start = 0, end = 0 }: { name: string; start?: number; end?: number }) => {
    if (name === 'partBegin') {
      parts += 1
      headBytes = 0
      isInHead = true
    }
    if (name === 'headersEnd') isInHead = false
    if (name.startsWith('header')) headBytes += end - start
    if (parts > MAX_PARTS) refuse(invalidField('body', `The form has more than ${MAX_PARTS} parts.`))
    else if (headBytes > MAX_HEAD_BYTES || (name === 'partEnd' && isInHead)) refuse(malformed())
  })
  form.onPart = (part) => {
    // A file is what has a file name; what the caller says of its type is not asked.
    part.mimetype = 'application/octet-stream'
    if (part.originalFilename !== null) return form._handlePart(part)
    // A parameter in a form would be missed in silence.
    if (part.name !== null) refuse(unknownField(part.name))
    return undefined
  }
}

function unknownField(name: string): Fault {
  const message = 'Unknown field. Send only files in the form, and parameters in the query.'
  return invalidField(`body.${truncate(name, 100)}`, message)
}

function refusal(thrown: unknown, { tooLarge }: FormLimits): unknown {
  if (thrown instanceof Fault) return thrown
  const { code, httpCode } = thrown as { readonly code?: unknown; readonly httpCode?: number }
  if (httpCode === 413) return tooLarge
  if (code === errors.aborted) return invalidField('body', 'The body ended early. Send it again.')
  return malformed()
}

function malformed(): Fault {
  return invalidField('body', 'The body is not valid `multipart/form-data`.')
}
