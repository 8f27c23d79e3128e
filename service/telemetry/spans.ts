import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import { createLru } from '../../lib/sharing/lru.ts'
import type { AnsweredRequest, EndedJob, TelemetryHooks, OpenedTrack } from '../../lib/telemetry-hooks.ts'
import { currentContext, type RequestContext } from '../../lib/request-context.ts'

/** Something that is over. */
interface Past {
  readonly name: string
  readonly kind: SpanKind
  readonly startedAtMs: number
  readonly endedAtMs: number
  readonly attributes: Attributes
  readonly hasFailed: boolean
}

/** Limit of unfinished jobs that are remembered with the request that queued them. */
const MOST_JOBS = 4000

/** The hooks that leave a span. */
export type Spans = Pick<TelemetryHooks, 'answered' | 'traceparent' | 'called' | 'opened' | 'queued' | 'ended'>

/** Spans of what the hooks hear. */
export function createSpans(tracer: Tracer): Spans {
  const requests = createRequests(tracer)
  const jobs = createLru<string, Context>(MOST_JOBS)
  const record = (parent: Context, { name, kind, startedAtMs, endedAtMs, attributes, hasFailed }: Past): void => {
    const span = tracer.startSpan(name, { kind, startTime: startedAtMs, attributes }, parent)
    if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(endedAtMs)
  }
  return {
    answered: (request) => requests.end(request),
    traceparent: (origin) => requests.traceparentOf(origin),
    called(upstream, outcome, durationMs) {
      const attributes = { 'peer.service': upstream, 'bandstand.outcome': outcome }
      const hasFailed = outcome !== 'answered' && outcome !== 'absent'
      const about = { name: `call ${upstream}`, kind: SpanKind.CLIENT, attributes, hasFailed }
      record(requests.here(), { ...about, ...justNow(durationMs) })
    },
    opened: (track) => record(requests.here(), ofTrack(track)),
    queued(jobId) {
      if (!jobs.has(jobId)) jobs.set(jobId, requests.here())
    },
    ended(job) {
      // All services on one Redis hear of its end; the one that queued it tells.
      const parent = jobs.get(job.id)
      jobs.delete(job.id)
      if (parent) record(parent, ofJob(job))
    },
  }
}

/** A request's span is made when it is over, or before when something in it wants a parent. */
function createRequests(tracer: Tracer) {
  const spans = new WeakMap<RequestContext, Span>()

  function spanOf(origin: RequestContext | null): Span | null {
    if (origin?.startedAtMs === undefined) return null
    const known = spans.get(origin)
    if (known) return known
    const startTime = wallClock(origin.startedAtMs)
    const span = tracer.startSpan('request', { kind: SpanKind.SERVER, startTime }, remote(origin.traceparent))
    spans.set(origin, span)
    const { traceId, traceFlags } = span.spanContext()
    if ((traceFlags & TraceFlags.SAMPLED) !== 0) origin.traceId = traceId
    return span
  }

  return {
    /** Returns the context of the current request; the root for the service's own work. */
    here(): Context {
      const span = spanOf(currentContext())
      return span ? trace.setSpan(ROOT_CONTEXT, span) : ROOT_CONTEXT
    },
    traceparentOf(origin: RequestContext): string | undefined {
      const context = spanOf(origin)?.spanContext()
      if (!context) return undefined
      return `00-${context.traceId}-${context.spanId}-0${context.traceFlags & TraceFlags.SAMPLED}`
    },
    end({ origin, requestId, method, path, route, status, durationMs, projectId, keyId }: AnsweredRequest): void {
      const span = spanOf(origin)
      if (!span) return
      span.updateName(route ? `${method} ${route.url}` : method)
      span.setAttributes({
        'http.request.method': method,
        'http.response.status_code': status,
        'url.path': path,
        ...(route && { 'http.route': route.url, 'bandstand.operation': route.id }),
        'bandstand.request_id': requestId,
        ...(projectId && { 'bandstand.project_id': projectId }),
        ...(keyId && { 'bandstand.key_id': keyId }),
      })
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(wallClock((origin.startedAtMs ?? 0) + durationMs))
    },
  }
}

function ofTrack({ botId, guildId, projectId, source, outcome, durationMs }: OpenedTrack): Past {
  const attributes = {
    'bandstand.bot_id': botId,
    'bandstand.guild_id': guildId,
    'bandstand.project_id': projectId,
    'bandstand.source': source,
    'bandstand.outcome': outcome,
  }
  const about = { name: 'start track', kind: SpanKind.INTERNAL, attributes, hasFailed: outcome === 'failed' }
  return { ...about, ...justNow(durationMs) }
}

function ofJob({ id, type, status, projectId, createdAtMs, startedAtMs, finishedAtMs, errorCode }: EndedJob): Past {
  const attributes = {
    'bandstand.job_id': id,
    'bandstand.job_type': type,
    'bandstand.outcome': status,
    'bandstand.project_id': projectId,
    'bandstand.waited_ms': (startedAtMs ?? finishedAtMs) - createdAtMs,
    ...(errorCode && { 'error.type': errorCode }),
  }
  const about = { name: `do ${type}`, kind: SpanKind.CONSUMER, attributes, hasFailed: errorCode !== null }
  return { ...about, startedAtMs: startedAtMs ?? createdAtMs, endedAtMs: finishedAtMs }
}

/** Returns the context in the `traceparent` of a caller that is traced itself. */
function remote(traceparent: string | undefined): Context {
  const parent = traceparent === undefined ? null : parseTraceParent(traceparent)
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT
}

/** Returns the wall-clock time at `steadyMs` of the monotonic clock. */
function wallClock(steadyMs: number): number {
  return Date.now() - performance.now() + steadyMs
}

function justNow(durationMs: number): Pick<Past, 'startedAtMs' | 'endedAtMs'> {
  const endedAtMs = Date.now()
  return { startedAtMs: endedAtMs - durationMs, endedAtMs }
}
