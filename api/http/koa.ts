import type { IncomingMessage, ServerResponse } from 'node:http'
import { Stream } from 'node:stream'
import Koa, { type Middleware } from 'koa'
import { Fault } from '../../lib/errors.ts'
import { runInContext } from '../../lib/request-context.ts'
import type { ConnectionLimit } from './connections/connection-limit.ts'
import { compress, isLong } from './compress.ts'
import { HttpRefusal } from './errors.ts'
import { logAccess, setRefusal, type RequestParts } from './pipeline.ts'
import { RequestState, type ApiContext, type Arrival } from './request-state.ts'
import { setCommonHeaders, setHeader } from './response.ts'
import { knownVerbs } from './router.ts'

/** The fields of a request's head, names and values. The target has a bound of its own, for texts in a query. */
const HEADER_LIMIT_BYTES = 16 * 1024
/** Room for 10,000 characters of four bytes each, percent-encoded. */
const TARGET_LIMIT_BYTES = 128 * 1024

/** A registered name or an address of RFC 3986, with a port or without. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\w.:%]+\])(?::\d*)?$/

/** Error codes of a client that disconnected; the last is an answer that was still being read. */
const GONE: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'])

interface KoaOptions {
  readonly limit: ConnectionLimit
  /** The API itself; omitted if there is none. */
  readonly router?: Middleware<RequestState>
  /** The operator's own; they see every request and every answer. */
  readonly middleware: readonly Middleware[]
  /** The pages beside the API. */
  readonly pages: readonly Middleware[]
  /** Refusals of paths that have a form of their own. */
  readonly refusals?: readonly Middleware[]
}

export type RequestHandler = (req: IncomingMessage, res: ServerResponse, arrival?: Arrival) => void

/** The one Koa application, through which every request goes, top to bottom as it is written here. */
export function createKoa(pipeline: RequestParts, options: KoaOptions): RequestHandler {
  const { limit, router, middleware, pages } = options
  const arrivals = new WeakMap<IncomingMessage, Arrival>()
  const koa = new Koa<RequestState>()
  koa.silent = true
  koa.on('error', (err: NodeJS.ErrnoException, ctx: ApiContext) => {
    // A disconnected caller is not an error of the service.
    if (!GONE.has(err.code)) pipeline.app.log.error({ requestId: ctx.state.requestId, err }, 'response failed')
  })

  /** Turns what was thrown into an answer. */
  const refusals: Middleware<RequestState> = (ctx, next) =>
    next().catch((thrown: unknown) => setRefusal(pipeline, ctx, thrown))

  koa.use((ctx, next) => {
    const state = new RequestState(ctx.req, ctx.res, pipeline.stopping, arrivals.get(ctx.req))
    ctx.state = state
    // Before anything waits, so that a connection's requests are counted as they come.
    state.excess = limit.check(ctx.req, state.upgrade ? null : ctx.res)
    setHeader(ctx, 'X-Request-Id', state.requestId)
    pipeline.underWay.count += 1
    return runInContext(state.origin, async () => {
      await refusals(ctx, next).finally(() => (pipeline.underWay.count -= 1))
      if (ctx.status >= 400 && typeof ctx.body === 'string') ctx.state.refusal = ctx.body
      // Most answers are short, and waiting costs.
      if (isLong(ctx.body)) await compress(ctx, ctx.body)
      if (pipeline.stopping.aborted) ctx.set('Connection', 'close')
      // A stream is answered once it has ended.
      if (ctx.body instanceof Stream && !ctx.res.destroyed) ctx.res.once('close', () => void logAccess(pipeline, ctx))
      else await logAccess(pipeline, ctx)
    })
  })
  for (const one of middleware) koa.use(one as Middleware<RequestState>)
  // So that a refusal is an answer for them, too.
  if (middleware.length > 0) koa.use(refusals)
  for (const own of options.refusals ?? []) koa.use(own as Middleware<RequestState>)
  koa.use((ctx, next) => {
    assertServable(ctx)
    return next()
  })
  if (router) koa.use(router)
  for (const page of pages) koa.use(page as Middleware<RequestState>)
  koa.use((ctx) => answerUnmatched(ctx as ApiContext))

  const handle = koa.callback()
  return (req, res, arrival) => {
    if (limit.isRefused(req.socket)) return
    req.url = originForm(req.url ?? '/')
    if (arrival) arrivals.set(req, arrival)
    void handle(req, res)
  }
}

/** @throws {Fault} for a request that is refused on any path: for its connection, headers or method. */
function assertServable(ctx: ApiContext): void {
  const { req, method } = ctx
  const { excess } = ctx.state
  if (excess) {
    ctx.set('Connection', 'close')
    throw excess
  }
  const { expect } = req.headers
  if ((req.url?.length ?? 0) > TARGET_LIMIT_BYTES) {
    throw new HttpRefusal(414, `The path and query are longer than ${TARGET_LIMIT_BYTES / 1024} KiB.`)
  }
  let sizeBytes = 0
  let hosts = 0
  for (const [at, text] of req.rawHeaders.entries()) {
    sizeBytes += text.length
    if (at % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host') hosts += 1
  }
  assertHost(req, hosts)
  if (sizeBytes > HEADER_LIMIT_BYTES) {
    throw new HttpRefusal(431, `The header fields are longer than ${HEADER_LIMIT_BYTES / 1024} KiB.`)
  }
  if (expect !== undefined && !/100-continue/i.test(expect)) {
    const headers = { Connection: 'close' }
    throw new HttpRefusal(417, 'The only supported expectation is 100-continue.', { headers })
  }
  if (method !== 'CONNECT') return
  ctx.set('Allow', 'GET, HEAD, OPTIONS')
  throw new Fault('method_not_allowed', "This service isn't a proxy. Send the path without scheme and host.")
}

/**
 * RFC 9112, section 3.2: one Host line with a host, and a port if it is not the usual one. Node.js shows the first of several.
 * @throws {HttpRefusal} 400
 */
function assertHost({ headers: { host }, httpVersion }: IncomingMessage, lines: number): void {
  if (lines > 1) throw new HttpRefusal(400, 'The request has several Host headers. Send one.')
  if (host === undefined && httpVersion === '1.1') throw new HttpRefusal(400, 'HTTP/1.1 requests need a Host header.')
  if (host !== undefined && !HOST.test(host)) throw new HttpRefusal(400, "The Host header isn't a host.")
}

/** 404, 405, or what a browser asks before it lets a page call: any origin may, with a key it already has. */
function answerUnmatched(ctx: ApiContext): void {
  const { method } = ctx
  const verbs = knownVerbs(ctx)
  if (!verbs) throw new Fault('not_found', 'Route not found. The reference is at /docs.')
  const allow = [...verbs, 'OPTIONS'].join(', ')
  ctx.set('Allow', allow)
  if (method !== 'OPTIONS') {
    throw new Fault('method_not_allowed', `This path doesn't support ${method}. Use ${allow}.`)
  }
  setCommonHeaders(ctx)
  ctx.set('Access-Control-Allow-Methods', allow)
  ctx.set(
    'Access-Control-Allow-Headers',
    'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id',
  )
  ctx.set('Access-Control-Max-Age', '86400')
  ctx.status = 204
}

/** Path and query of a request target; proxies may send the whole URL. */
function originForm(target: string): string {
  if (target.startsWith('/') || target === '*') return target
  const rest = /^https?:\/\/[^/?#]*(?<rest>.*)$/is.exec(target)?.groups?.['rest'] ?? target
  return rest.startsWith('/') ? rest : `/${rest}`
}
