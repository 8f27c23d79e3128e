import type { Duplex } from 'node:stream'
import { Fault } from '../../lib/errors.ts'
import { stringifyInPieces } from '../../lib/process/long-json.ts'
import { FAULT_HEADER, NOT_HERE_HEADER, NOT_HERE_STATUS, type Forwarding } from '../../lib/sharing/forwarding.ts'
import type { AccessLine } from '../../lib/log.ts'
import type { TelemetryHooks } from '../../lib/telemetry-hooks.ts'
import type { MeteredClass, RouteClass } from '../../lib/plans.ts'
import { redactPath } from '../../lib/redact.ts'
import type { EventSockets } from '../events/events-socket.ts'
import { clientAddress } from './client-address.ts'
import { assertAccepted, authorizationOf, bearerKey, callerOf, digestOf, findWorkingKey } from './auth.ts'
import type { App, Caller, KeyRecord } from './app-context.ts'
import { assertShallow, readBody } from './body/body.ts'
import { FileResponse, setDownload } from './body/download.ts'
import { readQuery } from './body/inputs.ts'
import { answerOnce, takesIdempotencyKey } from './conditions/idempotency.ts'
import { errorBody, HttpRefusal, statusOf, toApiFault } from './errors.ts'
import { assertHere } from './forwarding/at-owner.ts'
import { serveWherePlayed } from './forwarding/music-requests.ts'
import { describeFault } from './forwarding/relay.ts'
import { hasManyTracks } from '../limits/long-answers.ts'
import { paceRequest, type RequestPace } from '../limits/request-pace.ts'
import { rateLimitRequest } from '../limits/limiter.ts'
import { setRateLimitHeaders } from '../limits/rate-limit-headers.ts'
import { PROBLEM_TYPE, problemBody, hasRetryAfter, retryAfterSeconds, wantsProblem } from './problem.ts'
import { linkToRequest, recordRequest, type RequestRecorder } from '../request-log/record.ts'
import type { ApiContext } from './request-state.ts'
import { BytesResponse, setBytes, setCommonHeaders, setHeader, setJson, setTaggedJson, weakTagOf } from './response.ts'
import { rawInputs, type Route } from './route.ts'
import { Page } from '../schemas/pages.ts'
import { counted } from '../../lib/text.ts'

/** Dependencies of every request, those to the API and others. */
export interface RequestParts extends RequestRecorder {
  readonly app: Pick<App, 'log' | 'usage' | 'keys' | 'requests' | 'baseUrl'>
  /** Takes the one line of each request. */
  readonly access: (line: AccessLine) => void
  /** Called at the end of each request. */
  readonly observer: Pick<TelemetryHooks, 'answered' | 'forwarded' | 'traceparent'>
  /** Aborts when the service begins to close; answers then end their connection. */
  readonly stopping: AbortSignal
  /** Requests that have no answer yet. */
  readonly underWay: { count: number }
  /** Ids of the requests whose bodies are still coming, for the refusal of one that never ends. */
  readonly reading: WeakMap<Duplex, string>
}

export interface Pipeline extends RequestParts {
  readonly app: App
  readonly sockets: EventSockets
  readonly pace: RequestPace
  /** The way to the other services that run shards of the same bots; null if this one runs all. */
  readonly forwarding: Forwarding | null
}

/**
 * The life of a request to the API once `koa.ts` has given it an id and @koa/router has found its route, top to bottom:
 * key → link → plan gate → meter → inputs → handler → envelope. What it throws becomes the answer by `setRefusal`.
 */
export async function serve(pipeline: Pipeline, ctx: ApiContext, route: Route): Promise<void> {
  const { app, sockets, forwarding } = pipeline
  const { state } = ctx
  state.route = route
  setCommonHeaders(ctx)
  if (state.forwarded) admitForwarded(pipeline, ctx)
  else await admit(pipeline, ctx, route)
  if (route.body) {
    const { socket } = ctx.req
    pipeline.reading.set(socket, state.requestId)
    await readBody(ctx).finally(() => pipeline.reading.delete(socket))
    assertShallow(ctx.request.body)
  }
  if (state.upgrade) return sockets.open(ctx, route.parse(rawInputs(ctx, route)))
  const { caller } = state
  const serveHere = () => serveRoute(app, ctx, route)
  // Awaited: to return a promise takes three turns of the microtask queue.
  if (!forwarding || !caller || state.forwarded || route.class !== 'player') return await serveHere()
  const traceparent = pipeline.observer.traceparent(state.origin) ?? state.origin.traceparent
  const { trustedProxies } = pipeline
  const { bots } = app.music
  await serveWherePlayed({ ctx, route, caller, bots, forwarding, trustedProxies, traceparent, serveHere })
}

async function admit({ app, pace, trustedProxies }: Pipeline, ctx: ApiContext, route: Route): Promise<void> {
  if (route.class === 'open') return
  const record = await authenticate(app, ctx, route.class)
  const turn = paceRequest(pace, record, ctx.state)
  if (turn) await turn
  assertAccepted(record, route.class, () => clientAddress(ctx.req, trustedProxies))
  if (route.class !== 'player' && route.class !== 'socket') await charge(app, ctx, route.class)
}

/** The service at which the request arrived has checked its key and limits. */
function admitForwarded({ forwarding }: Pipeline, { state }: ApiContext): void {
  const { forwarded } = state
  if (!forwarding || !forwarded?.caller) throw new Fault('forbidden', "This request wasn't forwarded for a key.")
  assertHere(forwarding, forwarded.target)
  state.caller = forwarded.caller as Caller
  state.origin.fields['projectId'] = forwarded.caller.projectId
}

async function serveRoute(app: App, ctx: ApiContext, route: Route): Promise<void> {
  const { caller } = ctx.state
  const isKeyed = caller && takesIdempotencyKey(route) && ctx.req.headers['idempotency-key'] !== undefined
  if (!isKeyed) return answer(ctx, route, await route.run(ctx, app))
  await answerOnce({ ctx, route, app, caller }, async (how) =>
    answer(ctx, route, await (how === 'again' && route.runAgain ? route.runAgain(ctx, app) : route.run(ctx, app))),
  )
}

/** Puts what a handler returned into its envelope. */
function answer(ctx: ApiContext, route: Route, data: unknown): void | Promise<void> {
  const { state } = ctx
  if (route.produces) {
    ctx.vary('Accept')
    state.isCompressed = true
  }
  ctx.status = route.status ?? 200
  if (data instanceof FileResponse) return setDownload(ctx, data)
  if (data instanceof BytesResponse) return setBytes(ctx, data)
  const items = data instanceof Page ? data.items : data
  const whole = wrapped(route, data, state.requestId)
  if (hasManyTracks(items)) return stringifyInPieces(whole).then((text) => setText(ctx, route, items, text))
  return setText(ctx, route, items, JSON.stringify(whole))
}

function setText(ctx: ApiContext, { etag }: Route, items: unknown, text: string) {
  if (etag) setTaggedJson(ctx, text, etag === true ? weakTagOf(text) : `"${etag(items as never)}"`)
  else setJson(ctx, text)
}

function wrapped({ envelope }: Route, data: unknown, requestId: string): unknown {
  if (!(data instanceof Page)) return envelope.wrap(data, requestId)
  return { ...(envelope.wrap(data.items, requestId) as object), next: data.next }
}

/** Identifies the caller; later refusals are counted as theirs. */
async function authenticate(
  app: App,
  { req, querystring, state }: ApiContext,
  routeClass: RouteClass,
): Promise<KeyRecord> {
  const authorization = authorizationOf(req)
  // Browsers cannot set headers on a handshake.
  const isInQuery = routeClass === 'socket' && authorization === undefined
  const inQuery = isInQuery ? readQuery(querystring).values['key'] : undefined
  const key = bearerKey(inQuery === undefined ? authorization : `Bearer ${inQuery}`)
  state.keyDigest = digestOf(key)
  const record = await findWorkingKey(app.keys, state.keyDigest, app.now())
  state.caller = callerOf(record)
  state.origin.fields['projectId'] = record.projectId
  return record
}

/** The plan gate, then the meter. */
async function charge(app: App, ctx: ApiContext, routeClass: MeteredClass): Promise<void> {
  const { caller } = ctx.state
  if (!caller) return
  const { projectId, plan } = caller
  setHeader(ctx, 'X-RateLimit-Plan', plan)
  const ask = rateLimitRequest(projectId, plan, routeClass)
  if (!ask) throw new Fault('forbidden', `The ${plan} plan doesn't include the class ${routeClass}.`)
  const charged = await app.meter.charge(ask)
  ctx.state.limit = ask
  ctx.state.remaining = charged.allowed ? charged.remaining : 0
  setRateLimitHeaders(ctx, ask, charged)
  if (charged.allowed) return
  ctx.state.spent = charged.spent
  const message =
    charged.spent === 'class'
      ? `Over the limit for class ${routeClass}: ${counted(ask.limit, 'request')} per minute.`
      : `The project is over its total request limit: ${counted(ask.aggregate, 'request')} per minute.`
  throw new Fault('rate_limited', message, { retryAfterMs: charged.waitMs })
}

/** Answers with what was thrown. A bug shows nothing of itself and is logged whole. */
export async function setRefusal(pipeline: RequestParts, ctx: ApiContext, thrown: unknown): Promise<void> {
  const { app } = pipeline
  const { route, requestId, origin, wasAborted } = ctx.state
  // An error after an abort is not a bug, and the caller is usually gone.
  const fault = wasAborted && !(thrown instanceof Fault) ? stoppingFault() : toApiFault(thrown)
  ctx.state.fault = fault
  if (fault.code === 'internal_error') {
    app.log.error({ ...origin.fields, route: route?.id, err: fault.cause ?? fault }, 'request failed')
  }
  for (const name of OF_THE_BODY) ctx.remove(name)
  setCommonHeaders(ctx)
  if (ctx.state.forwarded) {
    if (fault.peer === 'moved') return setNotHere(ctx)
    ctx.set(FAULT_HEADER, describeFault(fault))
  } else {
    await linkToRequest(pipeline, ctx)
  }
  if (fault.retryAfterMs !== undefined && hasRetryAfter(route)) {
    ctx.set('Retry-After', String(retryAfterSeconds(fault.retryAfterMs)))
  }
  if (fault instanceof HttpRefusal) ctx.set({ ...fault.headers })
  ctx.status = statusOf(fault)
  // RFC 9110, section 11.6.1: a 401 says how to sign in.
  if (ctx.status === 401) ctx.set('WWW-Authenticate', 'Bearer')
  ctx.vary('Accept')
  if (wantsProblem(ctx)) return setJson(ctx, JSON.stringify(problemBody(fault, requestId, app.baseUrl)), PROBLEM_TYPE)
  const isDressed = fault.code === 'bad_request' && !(fault instanceof HttpRefusal) && route?.invalid === 'bad_request'
  const own = isDressed ? route.envelope.refusal : undefined
  setJson(ctx, JSON.stringify(own ? own.wrap(fault) : errorBody(fault, requestId)))
}

/** Tells the service that forwarded the request to look again for the one that runs its guild. */
function setNotHere(ctx: ApiContext): void {
  ctx.set(NOT_HERE_HEADER, '1')
  ctx.status = NOT_HERE_STATUS
  ctx.body = ''
}

/** Headers of an answer that was replaced by a refusal. */
const OF_THE_BODY = ['ETag', 'Content-Encoding', 'Content-Disposition', 'Accept-Ranges'] as const

/** Writes the one line that a request leaves in the log, and counts it where the caller is known. */
export async function logAccess(pipeline: RequestParts, ctx: ApiContext): Promise<void> {
  const { app, access, observer } = pipeline
  const { requestId, route, caller, spent, startedAtMs, origin } = ctx.state
  const { method, status } = ctx
  const durationMs = Math.round((performance.now() - startedAtMs) * 10) / 10
  const path = redactPath(ctx.path).slice(0, 200)
  const { projectId, keyId } = caller ?? {}
  const answered = { origin, requestId, method, path, route, status, durationMs, projectId, keyId }
  if (ctx.state.forwarded) {
    app.log.debug({ ...origin.fields, route: route?.id, status, durationMs }, 'forwarded request answered')
    return observer.forwarded(answered)
  }
  if (caller && route) {
    app.usage.count({ ...caller, routeClass: route.class, route: route.id, status, durationMs, spent })
  }
  observer.answered(answered)
  await recordRequest(pipeline, ctx, { path, durationMs })
  if (ctx.state.isSummarised) return
  access({ requestId, method, path, route: route?.id, status, durationMs, projectId, keyId })
}

function stoppingFault(): Fault {
  return new Fault('service_unavailable', 'The service is shutting down. Try again in a moment.', {
    retryAfterMs: 5000,
  })
}
