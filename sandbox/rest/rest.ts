import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { BodyError, readBody } from '../http/body.ts'
import { createRouter, segmentsOf, type Match } from '../http/router.ts'
import { findByToken } from '../world/applications.ts'
import { DiscordError } from '../world/errors.ts'
import type { Rules, World } from '../world/world.ts'
import { createLimits } from './limits.ts'
import type { Answer, Route } from './route.ts'
import { ROUTES } from './routes.ts'
import { unimplemented } from './unimplemented.ts'

/** Discord's own: ten files of 10 MiB would not pass either. */
const BODY_BYTES = 25 * 1024 * 1024
/** The resource in the path that has limits of its own. */
const MAJOR = ['channelId', 'guildId', 'webhookToken', 'interactionToken'] as const

export interface RestOptions {
  readonly world: World
  readonly log: Logger
  readonly startLimit: (applicationId: string) => object
  /** The dice of the faults, 0 to 1. */
  readonly random?: () => number
}

/** One finished exchange, for those who check the stand-in against Discord's own description. */
export interface Exchange {
  readonly method: string
  /** Without the `/api/v10` in front, decoded. */
  readonly path: string
  readonly request: unknown
  readonly multipart: boolean
  readonly status: number
  readonly response: unknown
  /** From the first byte of the request to the answer. */
  readonly durationMs: number
}

export interface Rest {
  /** Answers a request to `/api` or `/api/v10`. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Called after every exchange. */
  onExchange(listener: (exchange: Exchange) => void): void
}

/** Discord's REST interface over the world. */
export function createRest({ world, log, startLimit, random = Math.random }: RestOptions): Rest {
  const router = createRouter<Route>(ROUTES)
  const limits = createLimits(world.now)
  const listeners: ((exchange: Exchange) => void)[] = []

  async function perform(request: IncomingMessage, match: Found, url: URL): Promise<Performed> {
    const { route, params } = match
    const me = findByToken(world, request.headers.authorization ?? '')
    if (!me && !('open' in route)) throw new DiscordError('unauthorized')
    const bucket = `${route.method}:${route.path} ${MAJOR.map((name) => params[name] ?? '').join(':')}`
    const verdict = limits.take({
      who: me?.id ?? 'nobody',
      bucket,
      limit: route.limit,
      enforced: world.rules.rateLimits,
    })
    if (!verdict.allowed) {
      const { global, retryAfterSeconds: retry_after } = verdict
      const body = { message: 'You are being rate limited.', retry_after, global, code: 0 }
      return { answer: { status: 429, body }, headers: verdict.headers, sent: undefined }
    }
    const { json, files } = await readBody(request, BODY_BYTES)
    const call = { world, params, query: url.searchParams, body: json, files, startLimit }
    const answer = attempt(() => {
      if ('open' in route) return route.open(call)
      if (!me) throw new DiscordError('unauthorized')
      return route.handle({ ...call, me })
    })
    return { answer, headers: verdict.headers, sent: json }
  }

  return {
    onExchange: (listener) => void listeners.push(listener),
    async handle(request, response) {
      const startedAtMs = performance.now()
      const url = new URL(request.url ?? '/', 'http://localhost')
      const segments = segmentsOf(url.pathname.replace(/^\/api(?:\/v\d+)?(\/|$)/, '$1'))
      const method = request.method ?? 'GET'
      let performed: Performed
      try {
        const match: Match<Route> = segments ? router(method, segments) : { is: 'unknown' }
        const fault = troubled(world.rules, random)
        if (world.rules.restDelayMs > 0) await sleep(world.rules.restDelayMs)
        if (fault) request.resume()
        const found = match.is === 'found' ? match : null
        performed = fault ?? (found ? await perform(request, found, url) : refuse(match, method, segments))
      } catch (error) {
        performed = { answer: explain(error, log), headers: {}, sent: undefined }
      }
      const { answer, headers, sent } = performed
      write(response, answer, headers)
      const multipart = request.headers['content-type']?.startsWith('multipart/') ?? false
      const path = `/${(segments ?? []).join('/')}`
      const outcome = { status: answer.status, response: answer.body, durationMs: performance.now() - startedAtMs }
      const exchange = { method, path, request: sent, multipart, ...outcome }
      for (const listener of listeners) listener(exchange)
      log.trace({ method, path, status: answer.status }, 'REST request answered')
    },
  }
}

type Found = Extract<Match<Route>, { is: 'found' }>

interface Performed {
  readonly answer: Answer
  readonly headers: Readonly<Record<string, string>>
  readonly sent: unknown
}

/** The answer of a Discord that is in trouble, where the dice say that it is. */
function troubled({ restLimitedPercent, restFailedPercent }: Rules, random: () => number): Performed | null {
  if (restLimitedPercent + restFailedPercent === 0) return null
  const drawn = random() * 100
  if (drawn < restFailedPercent) {
    return {
      answer: { status: 503, body: { message: 'upstream connect error', code: 0 } },
      headers: {},
      sent: undefined,
    }
  }
  if (drawn >= restFailedPercent + restLimitedPercent) return null
  const body = { message: 'You are being rate limited.', retry_after: 1, global: false, code: 0 }
  const headers = { 'retry-after': '1', 'x-ratelimit-scope': 'shared' }
  return { answer: { status: 429, body }, headers, sent: undefined }
}

/** A path that is known here gets no other verb of Discord's either: 501 for both, unless Discord has no such path. */
function refuse(match: Match<Route>, method: string, segments: readonly string[] | null): Performed {
  const kind = match.is === 'wrong-method' ? 'methodNotAllowed' : 'general'
  const answer = (segments && unimplemented(method, segments)) ?? answerOf(new DiscordError(kind))
  return { answer, headers: {}, sent: undefined }
}

function attempt(work: () => Answer): Answer {
  try {
    return work()
  } catch (error) {
    if (error instanceof DiscordError) return answerOf(error)
    throw error
  }
}

function explain(error: unknown, log: Logger): Answer {
  if (error instanceof DiscordError) return answerOf(error)
  if (error instanceof BodyError)
    return answerOf(new DiscordError(error.kind === 'too-large' ? 'tooLarge' : 'invalidJson'))
  log.error({ err: error }, 'REST request failed')
  return { status: 500, body: { message: '500: Internal Server Error', code: 0 } }
}

function answerOf({ status, code, message, errors }: DiscordError): Answer {
  return { status, body: errors ? { message, code, errors } : { message, code } }
}

function write(response: ServerResponse, { status, body }: Answer, headers: Readonly<Record<string, string>>): void {
  // A 204 has no body and must not claim a type: clients would try to parse the nothing.
  if (body === undefined) {
    response.writeHead(status, headers)
    response.end()
    return
  }
  response.writeHead(status, { ...headers, 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
