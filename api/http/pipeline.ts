import type { Duplex } from 'node:stream'
import type { Context } from 'koa'
import { Fault } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import type { TelemetryHooks } from '../../lib/telemetry-hooks.ts'
import { runInContext } from '../../lib/request-context.ts'
import type { MeteredClass, RouteClass } from '../../lib/plans.ts'
import { redact } from '../../lib/redact.ts'
import { Bytes, send, type Answer } from './answer.ts'
import type { App } from './app-context.ts'
import { addressOf } from './client-address.ts'
import { assertAccepted, bearerKey, callerOf, digestOf, findWorkingKey, type KeyRecord } from './auth.ts'
import { readBody } from './body/body.ts'
import { errorBody, HttpRefusal, statusOf, toFault } from './errors.ts'
import { Download, startDownload } from './body/download.ts'
import type { Exchange } from './exchange.ts'
import { rateLimitRequest } from '../limits/limiter.ts'
import type { RequestCounts } from '../site/metrics.ts'
import type { Route } from './route.ts'
import type { Place, RouteTable } from './router.ts'

/** The fields of a request's head, names and values. The target has a bound of its own, for texts in a query. */
const HEADER_LIMIT_BYTES = 16 * 1024
/** Room for 10,000 characters of four bytes each, percent-encoded. */
const TARGET_LIMIT_BYTES = 128 * 1024

export interface Pipeline {
  readonly app: App
  readonly table: RouteTable
  /** Takes the one line of each request. Its fields are fixed and none is a secret, so it does without redaction. */
  readonly access: Logger
  /** Hears of each request at its end. */
  readonly observer: TelemetryHooks
  /** How often each route answered with each status. */
  readonly counts: RequestCounts
  /** Address ranges (CIDR) of proxies whose word on a caller's address is taken. */
  readonly trustedProxies: readonly string[]
  /** Aborts when the service begins to close; answers then end their connection. */
  readonly stopping: AbortSignal
  /** Ids of the requests whose bodies are still coming, for the refusal of one that never ends. */
  readonly reading: WeakMap<Duplex, string>
}

/**
 * The life of a request to the API, top to bottom:
 * id → route → key → link → plan gate → meter → inputs → handler → envelope. Never throws.
 * @param context for the parser of bodies, made where there is one
 */
export function serve(pipeline: Pipeline, exchange: Exchange, context: () => Context): Promise<void> {
  return runInContext(exchange.origin, async () => {
    const answer = await live(pipeline, exchange, context).catch((thrown: unknown) =>
      refuse(pipeline, exchange, thrown),
    )
    await send(exchange, answer, pipeline.stopping.aborted)
    finish(pipeline, exchange, answer.status)
  })
}

async function live(pipeline: Pipeline, exchange: Exchange, context: () => Context): Promise<Answer> {
  if (exchange.req.method === 'OPTIONS') return preflight(pipeline, exchange)
  const route = await admit(pipeline, exchange)
  if (route.body) {
    const { socket } = exchange.req
    pipeline.reading.set(socket, exchange.requestId)
    exchange.body = await readBody(context()).finally(() => pipeline.reading.delete(socket))
  }
  if (route.produces) exchange.headers.push('Vary', 'Accept')
  const data = await route.run(exchange, pipeline.app)
  if (data instanceof Download) return startDownload(exchange.req, data, exchange.headers)
  return {
    status: route.status ?? 200,
    body: data instanceof Bytes ? data : JSON.stringify(route.envelope.wrap(data, exchange.requestId)),
    headers: exchange.headers,
    etag: route.etag ?? false,
    isDense: route.produces !== undefined,
  }
}

/** Every step before the inputs. The handshake of a socket goes through these too. */
export async function admit({ app, table, trustedProxies }: Pipeline, exchange: Exchange): Promise<Route> {
  assertBounds(exchange)
  const { routes, allow } = findPlace(table, exchange)
  const { method = 'GET' } = exchange.req
  const route = routes.get(method === 'HEAD' ? 'GET' : method)
  if (!route) {
    exchange.headers.push('Allow', allow)
    throw new Fault('method_not_allowed', `This path does not know ${method}; it knows ${allow}.`)
  }
  exchange.route = route
  if (route.class === 'open') return route
  const record = authenticate(app, exchange, route.class)
  assertAccepted(record, route.class, () => addressOf(exchange.req, trustedProxies))
  if (route.class !== 'player' && route.class !== 'socket') await charge(app, exchange, route.class)
  return route
}

/** What a browser asks before it lets a page call: any origin may, with a key it already has. */
function preflight({ table }: Pipeline, exchange: Exchange): Answer {
  assertBounds(exchange)
  const allow = exchange.pathname === '*' ? ALL_VERBS : findPlace(table, exchange).allow
  const headers = ['Allow', allow, 'Access-Control-Allow-Methods', allow, ...PREFLIGHT]
  return { status: 204, body: null, headers }
}

function findPlace(table: RouteTable, exchange: Exchange): Place {
  exchange.found = table.find(exchange.pathname)
  if (!exchange.found) throw new Fault('not_found', 'There is no such route. The reference is at /docs.')
  return exchange.found.place
}

/** From here on the caller is known, so that a refusal is counted as theirs. */
function authenticate(app: App, exchange: Exchange, routeClass: RouteClass): KeyRecord {
  const { authorization } = exchange.req.headers
  const inQuery = routeClass === 'socket' && authorization === undefined ? exchange.query.values['key'] : undefined
  const key = bearerKey(inQuery === undefined ? authorization : `Bearer ${inQuery}`)
  exchange.keyDigest = digestOf(key)
  const record = findWorkingKey(app.keys, exchange.keyDigest, app.now())
  exchange.caller = callerOf(record)
  exchange.origin.fields['projectId'] = record.projectId
  return record
}

/** The plan gate, then the meter. */
async function charge(app: App, exchange: Exchange, routeClass: MeteredClass): Promise<void> {
  const { caller, headers } = exchange
  if (!caller) return
  const { projectId, plan } = caller
  headers.push('X-RateLimit-Plan', plan)
  const ask = rateLimitRequest(projectId, plan, routeClass)
  if (!ask) throw new Fault('forbidden', `The ${routeClass} class is not part of the ${plan} plan.`)
  const charged = await app.meter.charge(ask)
  const remaining = charged.allowed ? charged.remaining : 0
  headers.push('X-RateLimit-Class', routeClass, 'X-RateLimit-Limit', String(ask.limit))
  headers.push('X-RateLimit-Remaining', String(remaining))
  if (charged.allowed) return
  exchange.spent = charged.spent
  const message =
    charged.spent === 'class'
      ? `Over the limit for ${routeClass}: ${ask.limit} per minute.`
      : `The project is over its total request limit: ${ask.aggregate} per minute.`
  throw new Fault('rate_limited', message, { retryAfterMs: charged.waitMs })
}

/** What the caller gets for something that was thrown. A bug shows nothing of itself and is logged whole. */
export function refuse({ app }: Pipeline, exchange: Exchange, thrown: unknown): Answer {
  // What a handler throws because it was told to stop is no bug, and mostly there is nobody left to tell.
  const wasStopped = exchange.wasAborted && !(thrown instanceof Fault)
  const fault = wasStopped ? stoppingFault() : toFault(thrown)
  const { requestId, route, headers } = exchange
  if (fault.code === 'internal_error') {
    app.log.error({ ...exchange.origin.fields, route: route?.id, err: fault.cause ?? fault }, 'request failed')
  }
  if (fault.retryAfterMs !== undefined) {
    headers.push('Retry-After', String(Math.max(1, Math.ceil(fault.retryAfterMs / 1000))))
  }
  if (fault instanceof HttpRefusal) headers.push(...fault.headers)
  const dressed = fault.code === 'bad_request' && !(fault instanceof HttpRefusal) && route?.invalid === 'bad_request'
  const own = dressed ? route.envelope.refusal : undefined
  const body = own ? own.wrap(fault) : errorBody(fault, requestId)
  return { status: statusOf(fault), body: JSON.stringify(body), headers }
}

/** The one line that a request leaves in the log, and its count where the caller is known. */
export function finish({ app, access, counts, observer }: Pipeline, exchange: Exchange, status: number): void {
  const { req, requestId, pathname, route, caller, startedAtMs, origin } = exchange
  const durationMs = Math.round((performance.now() - startedAtMs) * 10) / 10
  counts.count(route?.id ?? 'none', status, durationMs)
  if (caller && route)
    app.usage.count({ ...caller, routeClass: route.class, status, durationMs, spent: exchange.spent })
  const method = req.method ?? ''
  const path = cleanPath(pathname.slice(0, 200))
  const { projectId, keyId } = caller ?? {}
  observer.answered({ origin, requestId, method, path, route, status, durationMs, projectId, keyId })
  access.info({ requestId, method, path, route: route?.id, status, durationMs, projectId, keyId }, 'request answered')
}

/** A key does not belong into a path, but some put it there. Looking closer costs, so only a hint of one is reason to. */
function cleanPath(path: string): string {
  return path.includes('svc.') ? redact(path) : path
}

function stoppingFault(): Fault {
  return new Fault('service_unavailable', 'The service is stopping. Try again in a moment.', { retryAfterMs: 5000 })
}

const ALL_VERBS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

const PREFLIGHT = [
  'Access-Control-Allow-Headers',
  'Authorization, Content-Type, If-None-Match, X-Request-Id',
  'Access-Control-Max-Age',
  '86400',
]

export function assertBounds({ req }: Exchange): void {
  if (req.headers.host === undefined && req.httpVersion === '1.1') {
    throw new HttpRefusal(400, 'HTTP/1.1 requests need a Host header.')
  }
  if ((req.url?.length ?? 0) > TARGET_LIMIT_BYTES) {
    throw new HttpRefusal(414, `The path and query may have ${TARGET_LIMIT_BYTES / 1024} KiB at most.`)
  }
  let sizeBytes = 0
  for (const text of req.rawHeaders) sizeBytes += text.length
  if (sizeBytes > HEADER_LIMIT_BYTES) {
    throw new HttpRefusal(431, `The header fields may have ${HEADER_LIMIT_BYTES / 1024} KiB at most.`)
  }
}
