import { pipeline } from 'node:stream/promises'
import { MultipartParser } from 'formidable'
import { concatAndRelease, createPieceCount } from '../../../lib/buffers.ts'
import { Fault } from '../../../lib/errors.ts'
import { truncate } from '../../../lib/text.ts'
import { invalidField } from '../errors.ts'
import type { ApiContext } from '../request-state.ts'
import { discard, SMALL_PIECES } from './body.ts'

/** More parts than any form for pictures has; each costs time to look at. */
const MAX_PARTS = 16
const MAX_HEAD_BYTES = 4096

const BOUNDARY = /;\s*boundary=(?:"([^"]+)"|([^;]+))/i
const NAME = /(?:^|;)\s*name=(?:"([^"]*)"|([^\s;"]+))/i
/** A file is what has a file name; what the caller says of its type is not asked. */
const FILE_NAME = /;\s*filename=/i
const PLAIN = /^(?:7bit|8bit|binary|utf-8)$/i

interface FormLimits {
  readonly fileBytes: number
  readonly bodyBytes: number
  /** Thrown for a file or a form beyond its limit. */
  readonly tooLarge: Fault
}

/**
 * The files of a `multipart/form-data` body in their order, kept in memory.
 * @throws {Fault} a validation fault on `body` when it is not well formed, on `body.<name>` for a field that is no file.
 */
export async function readForm(ctx: ApiContext, limits: FormLimits): Promise<Buffer[]> {
  const { req } = ctx
  if (req.headers['content-length'] === '0') return []
  const parts = new FormParts(limits)
  try {
    const parser = new MultipartParser()
    parser.initWithBoundary(boundaryOf(req.headers['content-type'] ?? ''))
    await pipeline(boundedPieces(ctx, limits), parser, async (tokens: AsyncIterable<Token>) => {
      for await (const token of tokens) parts.take(token)
    })
  } catch (thrown) {
    // So that the caller gets to read the answer.
    await discard(req)
    throw refusal(thrown)
  }
  return parts.files.map(contentOf)
}

/** @throws {Fault} where there is none */
function boundaryOf(type: string): string {
  const [, quoted, plain] = BOUNDARY.exec(type) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) throw malformed()
  return boundary
}

/** The body as it comes; what ends the reading leaves the connection open for the answer. */
async function* boundedPieces({ req }: ApiContext, { bodyBytes, tooLarge }: FormLimits): AsyncGenerator<Buffer> {
  const pieces = createPieceCount()
  for await (const piece of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (!pieces.add(piece)) throw invalidField('body', SMALL_PIECES)
    if (pieces.bytes > bodyBytes) throw tooLarge
    yield piece
  }
}

interface File {
  readonly chunks: Buffer[]
  readonly isBase64: boolean
}

function contentOf({ chunks, isBase64 }: File): Buffer {
  const whole = concatAndRelease(chunks)
  return isBase64 ? Buffer.from(whole.toString('latin1'), 'base64') : whole
}

/** A token of formidable's parser; its text or content, if any, is `buffer` from `start` to `end`. */
interface Token {
  readonly name: string
  readonly buffer?: Buffer
  readonly start?: number
  readonly end?: number
}

/** Puts the files of a form together, within bounds that the parser lacks: of parts, of their heads and of files. */
class FormParts {
  readonly files: File[] = []
  readonly #limits: FormLimits
  #count = 0
  /** The head that is being read; null within the content of a part. */
  #head: { bytes: number; field: string; value: string } | null = null
  #disposition = ''
  #isBase64 = false
  /** Null in a part that is no file. */
  #file: File | null = null
  #fileBytes = 0

  constructor(limits: FormLimits) {
    this.#limits = limits
  }

  take({ name, buffer = Buffer.alloc(0), start, end }: Token): void {
    if (name === 'partBegin') this.#beginPart()
    else if (name === 'headersEnd') this.#endHead()
    else if (name === 'partData') this.#addContent(buffer.subarray(start, end))
    else if (this.#head) this.#readHead(name, buffer.subarray(start, end))
  }

  #beginPart(): void {
    this.#count += 1
    if (this.#count > MAX_PARTS) throw invalidField('body', `The form has more than ${MAX_PARTS} parts.`)
    this.#head = { bytes: 0, field: '', value: '' }
    this.#disposition = ''
    this.#isBase64 = false
    this.#file = null
    this.#fileBytes = 0
  }

  #readHead(name: string, text: Buffer): void {
    const head = this.#head
    if (!head || name === 'partEnd') throw malformed()
    head.bytes += text.length
    if (head.bytes > MAX_HEAD_BYTES) throw malformed()
    if (name === 'headerField') head.field += text.toString()
    if (name === 'headerValue') head.value += text.toString()
    if (name !== 'headerEnd') return
    const field = head.field.toLowerCase()
    if (field === 'content-disposition') this.#disposition = head.value
    if (field === 'content-transfer-encoding') {
      this.#isBase64 = /^base64$/i.test(head.value)
      if (!this.#isBase64 && !PLAIN.test(head.value)) throw malformed()
    }
    head.field = head.value = ''
  }

  #endHead(): void {
    this.#head = null
    if (FILE_NAME.test(this.#disposition)) {
      this.files.push((this.#file = { chunks: [], isBase64: this.#isBase64 }))
      return
    }
    const [, quoted, plain] = NAME.exec(this.#disposition) ?? []
    const name = quoted ?? plain
    // A parameter in a form would be missed in silence.
    if (name !== undefined) throw unknownField(name)
  }

  #addContent(content: Buffer): void {
    this.#fileBytes += this.#isBase64 ? (content.length * 3) / 4 : content.length
    if (this.#fileBytes > this.#limits.fileBytes) throw this.#limits.tooLarge
    // The parser uses its buffers again.
    this.#file?.chunks.push(Buffer.from(content))
  }
}

function unknownField(name: string): Fault {
  const message = 'Unknown field. Send only files in the form, and parameters in the query.'
  return invalidField(`body.${truncate(name, 100)}`, message)
}

function refusal(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown
  const isGone = (thrown as NodeJS.ErrnoException).code === 'ECONNRESET'
  return isGone ? invalidField('body', 'The body ended early. Send it again.') : malformed()
}

function malformed(): Fault {
  return invalidField('body', "The body isn't valid `multipart/form-data`.")
}
