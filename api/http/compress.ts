import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { ApiContext } from './request-state.ts'

/** Shorter bodies cost more to compress than they save. */
const FROM_BYTES = 1024

/** Pictures, sound and archives are compressed already; what is sent bit by bit, such as events, is a stream and not looked at. */
const COMPRESSIBLE = /^(?:text\/|application\/(?:[a-z.]+\+)?(?:json|javascript|xml|yaml)\b|image\/svg)/

const CODINGS = ['br', 'gzip'] as const
type Coding = (typeof CODINGS)[number]

const brotliAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)

// On zlib's own threads: a long answer must not hold up the requests behind it.
const compressors: Readonly<Record<Coding, (body: string | Buffer, isKept: boolean) => Promise<Buffer>>> = {
  br: (body, isKept) => brotliAsync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: isKept ? 9 : 4 } }),
  gzip: (body, isKept) => gzipAsync(body, { level: isKept ? 9 : 5 }),
}

/** Compressed forms of bodies that are sent often, by the body. */
const compressed = new WeakMap<Buffer, Map<Coding, Promise<Buffer>>>()

/** Says that these very bytes are sent again and again, so that they are compressed once, and better. */
export function sentOften(body: Buffer): Buffer {
  compressed.set(body, new Map())
  return body
}

function compressOnce(body: Buffer, coding: Coding, known: Map<Coding, Promise<Buffer>>): Promise<Buffer> {
  const made = known.get(coding) ?? compressors[coding](body, true)
  known.set(coding, made)
  return made
}

/** Compresses the answer as the caller likes, where that is worth it. */
export async function compress(ctx: ApiContext, body: string | Buffer): Promise<void> {
  if (ctx.state.isCompressed || ctx.res.hasHeader('Content-Encoding')) return
  if (!COMPRESSIBLE.test(ctx.response.get('Content-Type'))) return
  ctx.vary('Accept-Encoding')
  const coding = acceptedCoding(ctx.get('Accept-Encoding'))
  if (!coding) return
  const known = typeof body === 'string' ? undefined : compressed.get(body)
  ctx.body = await (known ? compressOnce(body as Buffer, coding, known) : compressors[coding](body, false))
  ctx.set('Content-Encoding', coding)
}

/** The caller's preferred coding, Brotli if there is no preference; null for none. */
function acceptedCoding(accepted: string): Coding | null {
  if (accepted === '') return null
  const qualities = new Map(accepted.split(',').map(readQuality))
  const qualityOf = (coding: string) => qualities.get(coding) ?? qualities.get('*') ?? 0
  const [best] = CODINGS.toSorted((a, b) => qualityOf(b) - qualityOf(a))
  const most = best ? qualityOf(best) : 0
  return best && most > 0 && most >= (qualities.get('identity') ?? 0) ? best : null
}

function readQuality(one: string): [name: string, quality: number] {
  const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase())
  const quality = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1)
  return [name, Number.isNaN(quality) ? 0 : quality]
}

export function isLong(body: unknown): body is string | Buffer {
  if (typeof body === 'string') return body.length > FROM_BYTES / 4 && Buffer.byteLength(body) > FROM_BYTES
  return Buffer.isBuffer(body) && body.length > FROM_BYTES
}
