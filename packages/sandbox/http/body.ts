import type { IncomingMessage } from 'node:http'
import { parseJson } from './json.ts'

export interface UploadedFile {
  /** The form field: `files[0]`. */
  readonly field: string
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
}

export interface Body {
  /** Parsed JSON, or the form's fields; undefined when nothing was sent. */
  readonly json: unknown
  readonly files: readonly UploadedFile[]
}

/** Reason that a body cannot be read. */
export class BodyError extends Error {
  override readonly name = 'BodyError'
  readonly kind: 'too-large' | 'invalid-json' | 'unsupported'

  constructor(kind: BodyError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

const NOTHING: Body = { json: undefined, files: [] }

/** The whole body: JSON, or a multipart form with `payload_json` and files as Discord takes them. */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<Body> {
  const bytes = await readBytes(request, limitBytes)
  if (bytes.length === 0) return NOTHING
  const header = request.headers['content-type'] ?? 'application/json'
  const type = header.split(';')[0]?.trim().toLowerCase()
  if (type === 'application/json') return { json: readJson(bytes.toString('utf8')), files: [] }
  if (type === 'multipart/form-data' || type === 'application/x-www-form-urlencoded') return readForm(bytes, header)
  throw new BodyError('unsupported', `The content type ${type} isn't supported. Send JSON.`)
}

async function readForm(bytes: Buffer, contentType: string): Promise<Body> {
  const fields: Record<string, unknown> = {}
  const files: UploadedFile[] = []
  for (const [field, value] of await parseForm(bytes, contentType)) {
    if (typeof value === 'string') fields[field] = value
    else files.push({ field, name: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) })
  }
  const payload = fields['payload_json']
  return { json: typeof payload === 'string' ? readJson(payload) : fields, files }
}

async function parseForm(bytes: Buffer, contentType: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData()
  } catch {
    throw new BodyError('unsupported', "The form isn't valid.")
  }
}

function readJson(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw new BodyError('invalid-json', "The body isn't valid JSON.")
  }
}

async function readBytes(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const tooLarge = () => new BodyError('too-large', `The body is larger than ${limitBytes} bytes.`)
  // Said before it is sent, it can be answered; a body that only turns out too long ends with the connection.
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge()
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > limitBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
