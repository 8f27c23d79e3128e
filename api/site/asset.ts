import { hash } from 'node:crypto'
import type { Context } from 'koa'
import { sentOften } from '../http/compress.ts'
import { isFresh } from '../http/response.ts'

/** A response of a site, ready to be sent. */
export interface Asset {
  readonly type: string
  readonly body: Buffer
  /** Weak, since the answer may be compressed. */
  readonly etag: string
  /** Language of a page that exists in several languages. */
  readonly language: string | null
}

/** Nothing comes from elsewhere; pictures and sound may be what a script of ours has fetched. */
const CONTENT_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; img-src 'self' data: blob:; " +
  "media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

interface Kind {
  readonly language?: string
  /** Made for one answer: it is not worth to be kept compressed. */
  readonly isOnce?: boolean
}

export function prepare(type: string, content: string | Buffer, { language, isOnce = false }: Kind = {}): Asset {
  const bytes = Buffer.from(content)
  const body = isOnce || type.startsWith('font/') ? bytes : sentOften(bytes)
  return { type, body, etag: `W/"${hash('sha1', bytes, 'base64url')}"`, language: language ?? null }
}

export function answerAsset(ctx: Context, { type, body, etag, language }: Asset, status = 200): void {
  ctx.set({
    'Content-Type': type.startsWith('font/') ? type : `${type}; charset=utf-8`,
    'Cache-Control': 'no-cache',
    ETag: etag,
    Vary: language === null ? 'Accept-Encoding' : 'Accept-Encoding, Accept-Language, Cookie',
    'Content-Security-Policy': CONTENT_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Access-Control-Allow-Origin': '*',
    ...(language !== null && { 'Content-Language': language }),
  })
  ctx.status = status
  if (status === 200 && isFresh(ctx)) ctx.status = 304
  else ctx.body = body
}
