import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import type { z } from 'zod'
import type { Logger } from '../../lib/log.ts'
import { isChallenge } from './challenge.ts'
import { exchange, ExchangeFailure } from './exchange.ts'
import { UpstreamFailure, type FailureFacts, type FailureKind } from './failure.ts'
import type { UpstreamHooks } from '../../lib/telemetry-hooks.ts'
import { retryAfter } from './retry-after.ts'
import { trimTrailing } from '../../lib/text.ts'

/** Context that all clients of outside services share. */
export interface UpstreamContext {
  readonly dispatcher: Dispatcher
  readonly userAgent: string
  readonly log: Logger
  readonly metrics: UpstreamHooks
  /** Milliseconds that never step: for what is measured and held back. */
  readonly now: () => number
  /** The time of day, as milliseconds since 1970. */
  readonly date: () => number
  /** Retries after a failure that left nothing behind; 0 or 1. */
  readonly retries: number
  /** 0 to 1; spreads the retries. */
  readonly random: () => number
  /** Aborts when the service shuts down. */
  readonly closing: AbortSignal
}

export interface UpstreamSpec {
  /** Begins a sentence in a message to a caller: `The weather service`. */
  readonly name: string
  /** Name in metrics and log lines: `open-meteo`. */
  readonly id: string
  readonly baseUrl: string
  /** Time limit of a whole call: every attempt, the waits between them and the bodies. */
  readonly timeoutMs: number
  readonly maxBytes?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Go quiet for a minute after a single 403 or 429, for services that block clients which keep asking. */
  readonly opensOnRefusal?: boolean
}

/** An answer whose status is no success, as `absent` sees it. */
export interface FailedAnswer {
  readonly status: number
  /** Undefined where the body is no JSON. */
  readonly body: unknown
}

export interface UpstreamCall<S extends z.ZodType> {
  /** Path from `urlPath`, which leaves nothing unescaped. */
  readonly path: string
  /** Undefined values are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>
  /** Sent as JSON by POST; without it the method is GET. Such a POST must be safe to repeat: all of ours read. */
  readonly json?: unknown
  /** Sent as a form by POST, as sign-ins of OAuth need it. */
  readonly form?: Readonly<Record<string, string>>
  readonly shape: S
  /** Headers beside those of the service. */
  readonly headers?: Readonly<Record<string, string>>
  /** Maximum redirects to follow on the same host. Defaults to 0. */
  readonly redirects?: number
}

export interface Search<S extends z.ZodType> extends UpstreamCall<S> {
  /** Says of an answer that what was asked for does not exist. */
  readonly absent: (refusal: FailedAnswer) => boolean
}

/** The longest that a service may make us wait before the retry. */
const MAX_RETRY_AFTER_MS = 2000

export const failure = (
  spec: UpstreamSpec,
  kind: FailureKind,
  facts: Omit<FailureFacts, 'kind' | 'name' | 'host'> = {},
): UpstreamFailure => new UpstreamFailure({ kind, name: spec.name, host: new URL(spec.baseUrl).host, ...facts })

/**
 * The answer, tried for again once where that is safe; null for what does not exist.
 * @throws {UpstreamFailure} after `timeoutMs` at the latest.
 */
export async function call<S extends z.ZodType>(
  context: UpstreamContext,
  spec: UpstreamSpec,
  ask: Search<S>,
): Promise<z.output<S> | null> {
  const signal = AbortSignal.any([context.closing, AbortSignal.timeout(spec.timeoutMs)])
  for (let retriesLeft = context.retries; ; retriesLeft--) {
    try {
      return await attempt(context, spec, ask, signal)
    } catch (error) {
      const waitMs = retriesLeft > 0 && error instanceof UpstreamFailure ? retryWaitMs(error, context.random) : null
      if (waitMs === null) throw error
      context.metrics.retried(spec.id)
      await sleep(waitMs, undefined, { signal }).catch((cause: unknown) => {
        throw failure(spec, 'timed_out', { cause })
      })
    }
  }
}

async function attempt<S extends z.ZodType>(
  context: UpstreamContext,
  spec: UpstreamSpec,
  ask: Search<S>,
  signal: AbortSignal,
): Promise<z.output<S> | null> {
  const request = requestFor(context, spec, ask, signal)
  const answer = await exchange(context.dispatcher, request).catch((error: unknown) => {
    throw error instanceof ExchangeFailure ? failure(spec, error.kind, { cause: error.cause }) : error
  })
  const { status } = answer
  const body = fromJson(answer.text)
  // Before anything else: a challenge may have the status of what does not exist.
  if (body === undefined && isChallenge(answer.headers, answer.text)) throw failure(spec, 'refused', { status })
  if (ask.absent({ status, body })) return null
  if (status < 200 || status >= 300) {
    const retryAfterMs = retryAfter(answer.headers, context.date())
    throw failure(spec, kindOf(status), { status, body, ...(retryAfterMs !== null && { retryAfterMs }) })
  }
  const parsed = ask.shape.safeParse(body)
  if (!parsed.success) throw failure(spec, 'malformed', { status, cause: parsed.error })
  return parsed.data
}

function requestFor<S extends z.ZodType>(
  context: UpstreamContext,
  spec: UpstreamSpec,
  ask: UpstreamCall<S>,
  signal: AbortSignal,
) {
  const url = new URL(trimTrailing(spec.baseUrl, '/') + ask.path)
  const query = Object.entries(ask.query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  )
  // Not every server reads `+` as a space. A plus itself is `%2B` by now.
  url.search = new URLSearchParams(query).toString().replaceAll('+', '%20')
  const form = ask.form && new URLSearchParams(ask.form).toString()
  const body = form ?? (ask.json === undefined ? null : JSON.stringify(ask.json))
  const contentType = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded'
  return {
    method: body === null ? ('GET' as const) : ('POST' as const),
    url,
    body,
    signal,
    maxBytes: spec.maxBytes ?? 2 * 1024 * 1024,
    redirects: ask.redirects ?? 0,
    headers: {
      'user-agent': context.userAgent,
      accept: 'application/json',
      'accept-language': 'en',
      ...(body === null ? {} : { 'content-type': contentType }),
      ...spec.headers,
      ...ask.headers,
    },
  }
}

/** Wait before the retry; null when that would not help or could do harm. */
function retryWaitMs({ facts }: UpstreamFailure, random: () => number): number | null {
  const { kind, status, retryAfterMs } = facts
  if (retryAfterMs !== undefined) return retryAfterMs <= MAX_RETRY_AFTER_MS ? retryAfterMs : null
  const mayPass = kind === 'unreachable' || status === 502 || status === 503 || status === 504
  return mayPass ? 100 + random() * 200 : null
}

function kindOf(status: number): FailureKind {
  if (status >= 500) return 'broken'
  return status === 401 || status === 403 || status === 429 ? 'refused' : 'rejected'
}

/** A whole number that a number cannot hold, such as a long id, stays the text that it is. */
function exactly(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source
  const isCut = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER
  return isCut && source !== undefined && /^-?\d+$/.test(source) ? source : value
}

/** Undefined where the text is no JSON, which no shape accepts. */
function fromJson(text: string): unknown {
  try {
    return /\d{16}/.test(text) ? JSON.parse(text, exactly) : JSON.parse(text)
  } catch {
    return undefined
  }
}
