import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib'

type Headers = Readonly<Record<string, string | string[] | undefined>>
/** Made once the first bytes are there. */
type MakeDecoder = (first: Buffer) => Transform

/** Codings in which a host may send a body (RFC 9110, 8.4.1; RFC 8878), requested or not. */
const DECODERS: Readonly<Record<string, MakeDecoder>> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  // The standard requires a header of zlib; some hosts leave it out.
  deflate: (first) => (((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
}
/** More than this on top of each other serves an attacker alone. */
const CODINGS_MAX = 3

/** Whether the body is compressed in ways that `decodeBody` undoes. */
export function isCoded(headers: Headers): boolean {
  return decodersOf(headers).length > 0
}

/**
 * The body as it was before its host compressed it; the same one where it did not, or in an unknown way. What is read of it is
 * decompressed and no more, so that the reader's bound holds for what comes out. Fails where it is damaged or cut off.
 */
export function decodeBody(body: Readable, headers: Headers): Readable {
  const decoders = decodersOf(headers)
  if (decoders.length === 0) return body
  const steps = decoders.map((make) => (source: AsyncIterable<Buffer>) => decompressed(source, make))
  // The error reaches the reader by the last stream.
  const plain = pipeline([body, ...steps] as unknown as Transform[], () => undefined) as unknown as Readable
  plain.on('error', () => undefined)
  return plain
}

interface Answer {
  readonly headers: Headers
  readonly body: Readable
}

/** The answer as if its host had not compressed it: no header speaks of the coding, nor of the length that it had. */
export function plainOf({ headers, body }: Answer): Answer {
  if (!isCoded(headers)) return { headers, body }
  const { 'content-encoding': _coding, 'content-length': _length, ...others } = headers
  return { headers: others, body: decodeBody(body, headers) }
}

/** Decoders in the order of their use. */
function decodersOf({ 'content-encoding': coding }: Headers): readonly MakeDecoder[] {
  const names = [coding ?? []].flat().join(',').toLowerCase().split(',')
  const codings = names.map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity')
  const decoders = codings.toReversed().map((name) => DECODERS[name])
  const known = decoders.filter((make) => make !== undefined)
  return known.length === decoders.length && known.length <= CODINGS_MAX ? known : []
}

/** Nothing at all where there is nothing: an empty body has no coding. */
async function* decompressed(source: AsyncIterable<Buffer>, make: MakeDecoder): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]()
  const first = await chunks.next()
  if (first.done) return
  yield* pipeline(following(first.value, chunks), make(first.value), () => undefined)
}

async function* following(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* { [Symbol.asyncIterator]: () => rest }
}
