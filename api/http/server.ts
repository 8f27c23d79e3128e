import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import Koa from 'koa'
import { Fault } from '../../lib/errors.ts'
import { send } from './answer.ts'
import { noopHooks, type TelemetryHooks } from '../../lib/telemetry-hooks.ts'
import { runInContext } from '../../lib/request-context.ts'
import { LOOPBACK } from './client-address.ts'
import type { App } from './app-context.ts'
import { bindPort, type BoundPort, type PortOptions } from './bound-port.ts'
import { createConnectionLimit, type ConnectionLimit } from './connection-limit.ts'
import { openDocs, type Docs } from '../docs/pages.ts'
import { HttpRefusal } from './errors.ts'
import { createEventSockets, EVENT_RULES, type EventRules, type EventSockets } from '../events/events-socket.ts'
import { Exchange, requestIdOf } from './exchange.ts'
import type { HealthCheck } from '../site/health.ts'
import { createRequestCounts, gauge, type MetricSource } from '../site/metrics.ts'
import { assertBounds, finish, refuse, serve, type Pipeline } from './pipeline.ts'
import { sendRaw } from './raw-response.ts'
import type { Route } from './route.ts'
import { routes as allRoutes } from '../routes/index.ts'
import { createSite, type Pages } from '../site/static-routes.ts'
import { createTable } from './router.ts'

export interface Api {
  readonly port: number
  readonly baseUrl: string
  /** How many event sockets are open. */
  readonly openSockets: number
  /** All that `/metrics` tells. */
  readonly sources: readonly MetricSource[]
  /** Lets requests in flight finish, says goodbye to sockets, then ends; after `graceMs` it cuts what is left. */
  close(): Promise<void>
}

export interface ApiOptions extends PortOptions {
  /** Where it listens already; left out: it binds `port`. */
  readonly bound?: BoundPort
  /** Where callers reach it; null: at the address it listens on. */
  readonly baseUrl: string | null
  readonly graceMs?: number
  readonly routes?: readonly Route[]
  readonly events?: Partial<EventRules>
  /** Address ranges (CIDR) of proxies whose `X-Forwarded-For` is believed; none unless told. */
  readonly trustedProxies?: readonly string[]
  /** Connections of one address, and event sockets of one address behind a trusted proxy. */
  readonly connectionsPerAddress?: number
  /** Addresses (CIDR) of which any number of connections may come, besides trusted proxies; the loopback by default. */
  readonly unboundedAddresses?: readonly string[]
  /** Pages that come before those of the API's own site. */
  readonly pages?: (app: Pick<App, 'baseUrl'>, stopping: AbortSignal, docs: Docs) => Pages
  /** Hears of every answer. */
  readonly observer?: TelemetryHooks
  /** What `/readyz` tells. */
  readonly check?: HealthCheck
  readonly metrics?: {
    /** Who sends it may read `/metrics`; null or left out: only programs of this machine may. */
    readonly token?: string | null
    /** Beyond what the API counts by itself. */
    readonly sources?: readonly MetricSource[]
  }
}

/** For an office or a host with many bots behind one address; a fortieth of all that may be open. */
const CONNECTIONS_PER_ADDRESS = 500

/** Opens the API: everything on one port. */
export async function listen(given: Omit<App, 'baseUrl'>, options: ApiOptions): Promise<Api> {
  const { routes = allRoutes, graceMs = 8000 } = options
  const bound = options.bound ?? (await bindPort(options))
  const { server, port, url } = bound
  const baseUrl = options.baseUrl ?? url
  const app: App = { ...given, baseUrl }
  const stopping = new AbortController()
  const pipeline: Pipeline = {
    app,
    table: createTable(routes),
    // Looking for secrets in a line that can hold none would cost more than all the rest of the line.
    access: app.log.child({}, { redact: [] }),
    observer: options.observer ?? noopHooks,
    stopping: stopping.signal,
    reading: new WeakMap(),
    counts: createRequestCounts(),
    trustedProxies: options.trustedProxies ?? [],
  }
  const { connectionsPerAddress: perAddress = CONNECTIONS_PER_ADDRESS, unboundedAddresses = LOOPBACK } = options
  const limit = createConnectionLimit({ perAddress, unbounded: [...unboundedAddresses, ...pipeline.trustedProxies] })
  const sockets = createEventSockets(pipeline, { ...EVENT_RULES, perAddress, ...options.events })
  const sources = sourcesOf(pipeline, sockets, options)
  const answer = createHandler(pipeline, limit, openPages(pipeline, sources, options))
  answerBelowKoa(server, pipeline, limit, sockets)
  server.on('connection', (socket: Socket) => limit.add(socket))
  bound.serve(answer, (req) => sockets.wants(req))
  return {
    port,
    baseUrl,
    get openSockets() {
      return sockets.size
    },
    sources,
    close: () => closeServer(server, sockets, stopping, graceMs),
  }
}

/** The dashboard where there is one, then the pages about the API, which own all that is left. */
function openPages(pipeline: Pipeline, sources: readonly MetricSource[], options: ApiOptions): readonly Pages[] {
  const { metrics: { token = null } = {}, pages, check = () => [] } = options
  const { app, stopping } = pipeline
  const hasDashboard = pages !== undefined
  const docs = openDocs(() => ({ version: app.version, baseUrl: app.baseUrl, hasDashboard }))
  const site = createSite(app, {
    metrics: { token, sources, hasProxy: pipeline.trustedProxies.length > 0 },
    hasDashboard,
    docs,
    check,
    stopping,
  })
  return pages ? [pages(app, stopping, docs), site] : [site]
}

function sourcesOf({ counts }: Pipeline, sockets: EventSockets, { metrics }: ApiOptions): readonly MetricSource[] {
  const own: MetricSource = () => [gauge('event_sockets', 'Event sockets that are open.', sockets.size)]
  return [counts.source, own, ...(metrics?.sources ?? [])]
}

/** What it looks like when a caller went away; the last is an answer that was still being read. */
const GONE: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'])

/**
 * Pages go through Koa. The API's requests have one way of their own, which is most of what they cost; Koa makes the
 * context of those that bring a body.
 */
function createHandler(
  pipeline: Pipeline,
  limit: ConnectionLimit,
  places: readonly Pages[],
): (req: IncomingMessage, res: ServerResponse) => void {
  const koa = new Koa()
  koa.silent = true
  const onError = (err: NodeJS.ErrnoException, requestId?: string): void => {
    // That a caller went away is no failure of ours.
    if (!GONE.has(err.code)) pipeline.app.log.error({ requestId, err }, 'answer failed')
  }
  koa.on('error', (err: NodeJS.ErrnoException, ctx?: Koa.Context) => {
    onError(err, ctx?.response.get('X-Request-Id'))
  })
  const pagesAt = (pathname: string) => places.find((it) => it.owns(pathname))
  koa.use(async (ctx) => {
    const exchange = new Exchange(ctx.req, ctx.res, pipeline)
    const pages = pagesAt(exchange.pathname)
    if (pages) await runInContext(exchange.origin, () => servePage(pipeline, exchange, ctx, pages))
  })
  const pages = koa.callback()
  return (req, res) => {
    if (limit.isRefused(req.socket)) return
    const excess = limit.check(req, res)
    if (excess) {
      refuseAndClose(pipeline, req, res, excess)
      return
    }
    const exchange = new Exchange(req, res, pipeline)
    if (pagesAt(exchange.pathname)) {
      void pages(req, res)
      return
    }
    res.on('error', (err) => onError(err, exchange.requestId))
    void serve(pipeline, exchange, () => koa.createContext(req, res))
  }
}

async function servePage(pipeline: Pipeline, exchange: Exchange, ctx: Koa.Context, pages: Pages): Promise<void> {
  try {
    assertBounds(exchange)
    ctx.set('X-Request-Id', exchange.requestId)
    await pages.serve(ctx)
    finish(pipeline, exchange, ctx.status)
  } catch (thrown) {
    ctx.respond = false
    const allow = ctx.response.get('Allow')
    if (allow) exchange.headers.push('Allow', allow)
    const answer = refuse(pipeline, exchange, thrown)
    for (const name of Object.keys(ctx.response.headers)) ctx.remove(name)
    await send(exchange, answer, pipeline.stopping.aborted)
    finish(pipeline, exchange, answer.status)
  }
}

function refuseAndClose(pipeline: Pipeline, req: IncomingMessage, res: ServerResponse, fault: Fault): void {
  const exchange = new Exchange(req, res, pipeline)
  const answer = refuse(pipeline, exchange, fault)
  void send(exchange, answer, true).then(() => finish(pipeline, exchange, answer.status))
}

/** What Node would answer by itself, without a request id and a body. */
function answerBelowKoa(server: Server, pipeline: Pipeline, limit: ConnectionLimit, sockets: EventSockets): void {
  const refuseOn = (socket: Duplex, req: IncomingMessage, fault: Fault, headers: readonly string[] = []) => {
    const exchange = new Exchange(req, null, pipeline)
    exchange.headers.push(...headers)
    const answer = refuse(pipeline, exchange, fault)
    sendRaw(socket, exchange.requestId, answer)
    finish(pipeline, exchange, answer.status)
  }
  server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    const excess = limit.check(req, null)
    if (excess) refuseOn(socket, req, excess)
    else void sockets.open(req, socket, head)
  })
  server.on('connect', (req: IncomingMessage, socket: Duplex) => {
    refuseOn(socket, req, new Fault('method_not_allowed', 'This is no proxy.'), ['Allow', 'GET, HEAD, OPTIONS'])
  })
  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => {
    refuseAndClose(pipeline, req, res, new HttpRefusal(417, 'The one expectation known here is 100-continue.'))
  })
  server.on('clientError', (err: NodeJS.ErrnoException, socket: Socket) => {
    if (err.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const fault = malformed(err.code)
    const requestId = pipeline.reading.get(socket) ?? requestIdOf(undefined)
    const body = JSON.stringify({ error: { code: 'bad_request', message: fault.message }, requestId })
    sendRaw(socket, requestId, { status: fault.status, body, headers: [] })
    pipeline.app.log.info({ requestId, status: fault.status, code: err.code }, 'malformed request refused')
  })
}

function malformed(code: string | undefined): HttpRefusal {
  if (code === 'HPE_HEADER_OVERFLOW') return new HttpRefusal(431, 'The head of the request is too long.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new HttpRefusal(408, 'The request did not arrive in time.')
  return new HttpRefusal(400, 'This is not well-formed HTTP/1.1.')
}

async function closeServer(
  server: Server,
  sockets: EventSockets,
  stopping: AbortController,
  graceMs: number,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  stopping.abort(new Error('The service is stopping.'))
  const cut = setTimeout(() => server.closeAllConnections(), graceMs)
  // Whoever had an answer meanwhile keeps the connection for the next request, which none will take.
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  await sockets.close()
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}
