import { hash } from 'node:crypto'
import fresh from 'fresh'
import { releaseBuffer } from '../../lib/buffers.ts'
import type { ApiContext } from './request-state.ts'

/** A response other than JSON, without an envelope. The receiver owns `data`. */
export class BytesResponse {
  readonly contentType: string
  readonly data: Buffer

  constructor(contentType: string, data: Buffer) {
    this.contentType = contentType
    this.data = data
  }
}

const EXPOSED = [
  'X-Request-Id',
  'Idempotent-Replayed',
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Plan',
  'X-RateLimit-Class',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-Translation-Provider',
  'X-Translation-Remaining',
  'Retry-After',
  'WWW-Authenticate',
  'ETag',
  'Content-Range',
  'Allow',
  'Link',
].join(', ')

/** Cheaper than `ctx.set`, which makes four arrays and two closures each time; every answer has a dozen headers. */
export function setHeader({ res }: ApiContext, name: string, value: string): void {
  if (!res.headersSent) res.setHeader(name, value)
}

/** Sets the headers that every answer of the API has. */
export function setCommonHeaders(ctx: ApiContext): void {
  setHeader(ctx, 'Access-Control-Allow-Origin', '*')
  setHeader(ctx, 'X-Content-Type-Options', 'nosniff')
  setHeader(ctx, 'Cache-Control', 'no-store')
  if (ctx.req.headers.origin !== undefined) ctx.set('Access-Control-Expose-Headers', EXPOSED)
}

export function setJson(ctx: ApiContext, text: string | Buffer, type = 'application/json'): void {
  setHeader(ctx, 'Content-Type', `${type}; charset=utf-8`)
  ctx.body = text
}

/** A tag that names a text, whichever way it is compressed. */
export function weakTagOf(text: string): string {
  return `W/"${hash('sha1', text, 'base64url')}"`
}

/** JSON under a tag: a read answers 304 where the caller has it already. */
export function setTaggedJson(ctx: ApiContext, text: string, etag: string): void {
  ctx.etag = etag
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
  if (isRead) ctx.set('Cache-Control', 'private, no-cache')
  if (isRead && isFresh(ctx)) ctx.status = 304
  else setJson(ctx, text)
}

export function setBytes(ctx: ApiContext, { contentType, data }: BytesResponse): void {
  ctx.set('Content-Type', contentType)
  ctx.body = data
  if (ctx.method !== 'HEAD') ctx.res.once('finish', () => releaseBuffer(data))
}

/**
 * Whether the caller has what `ETag` names. Unlike `ctx.fresh` it passes over `Cache-Control: no-cache`, which `fetch`
 * adds to every request that has an `If-None-Match` of its own.
 */
export function isFresh(ctx: Pick<ApiContext, 'req' | 'response'>): boolean {
  const { 'if-none-match': sent } = ctx.req.headers
  return sent !== undefined && fresh({ 'if-none-match': sent.trim() }, { etag: ctx.response.get('ETag') })
}
