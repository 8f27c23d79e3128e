import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { BodyError, readBody } from '../http/body.ts'
import { createRouter, segmentsOf, type Match } from '../http/router.ts'
import { readFrom, writeFor } from '../http/versions.ts'
import { answerOfFault, passageOfRules } from '../faults/answers.ts'
import type { Faults, Passage, RequestEnd } from '../faults/faults.ts'
import { findByToken } from '../world/applications.ts'
import { DiscordError } from '../world/errors.ts'
import type { Application, World } from '../world/world.ts'
import { createLimits, type Limits, type Verdict } from './limits.ts'
import type { Answer, Route } from './route.ts'
import { ROUTES } from './routes.ts'
import { lackedField, notImplemented, unimplemented } from './unimplemented.ts'

const NEWEST_VERSION = 10
/** Discord's own: ten files of 10 MiB would not pass either. */
const BODY_BYTES = 25 * 1024 * 1024
/** Statuses that count as invalid requests; Discord's edge blocks a caller with too many of them. */
const INVALID: ReadonlySet<number> = new Set([401, 403, 429])
/** The resource in the path that has limits of its own. */
const MAJOR = ['channelId', 'guildId', 'webhookId', 'webhookToken', 'interactionToken'] as const
/** Parameters that identify callers without a token. */
const SECRETS = ['webhookToken', 'interactionToken', 'code'] as const

export interface RestOptions {
  readonly world: World
  readonly log: Logger
  readonly faults: Faults
  readonly startLimit: (applicationId: string) => object
  /** The dice of the faults, 0 to 1. */
  readonly random?: () => number
}

/** One finished exchange, for those who check the stand-in against Discord's own description. */
export interface Exchange {
  /** Application whose valid token the request had; null if none. */
  readonly applicationId: string | null
  readonly method: string
  /** Without the `/api/v10` in front, decoded. */
  readonly path: string
  /** `/channels/{channelId}`; null where there is no such route. */
  readonly route: string | null
  readonly query: URLSearchParams
  /** The header `X-Audit-Log-Reason`, decoded. */
  readonly reason: string | null
  readonly request: unknown
  readonly multipart: boolean
  /** Names of uploaded files. */
  readonly files: readonly string[]
  /** 0 where a fault left it without an answer. */
  readonly status: number
  readonly response: unknown
  /** Time from the first byte of the request to the answer. */
  readonly durationMs: number
}

export type Rest = ReturnType<typeof createRest>

/** Discord's REST interface over the world. */
export function createRest({ world, log, faults, startLimit, random = Math.random }: RestOptions) {
  const router = createRouter<Route>(ROUTES)
  const limits = createLimits(world)
  const listeners: ((exchange: Exchange) => void)[] = []

  /** Null: a fault leaves it without an answer. */
  async function answerTo(arrived: Arrived, match: Match<Route>): Promise<Performed | null> {
    const { request, me, method, path, segments } = arrived
    const route = match.is === 'found' ? match.route.path : null
    const passage = join(
      passageOfRules(world.rules, random),
      faults.ofRequest({ applicationId: me?.id ?? null, method, path, route }),
    )
    if (passage.delayMs > 0) await sleep(passage.delayMs)
    if (passage.end) return failBy(passage.end, request)
    return match.is === 'found'
      ? perform({ world, limits, startLimit }, arrived, match)
      : refuse(match, method, segments)
  }

  return {
    /** Called after every exchange. */
    onExchange: (listener: (exchange: Exchange) => void) => void listeners.push(listener),
    /** Answers a request to `/api` or `/api/v10`. */
    async handle(request: IncomingMessage, response: ServerResponse) {
      const startedAtMs = performance.now()
      const url = new URL(request.url ?? '/', 'http://localhost')
      const method = request.method ?? 'GET'
      const me = findByToken(world, request.headers.authorization ?? '')
      const [prefix = '', version = NEWEST_VERSION] = /^\/api(?:\/v(\d{1,3}))?(?=\/|$)/.exec(url.pathname) ?? []
      const segments = ownSegments(segmentsOf(url.pathname.slice(prefix.length)), me)
      const path = `/${(segments ?? []).join('/')}`
      const arrived = { request, me, url, method, segments, version: Number(version), path }
      const match: Match<Route> = segments ? router(method, segments) : { is: 'unknown' }
      let performed: Performed | null
      try {
        performed = await answerTo(arrived, match)
      } catch (error) {
        performed = { answer: explain(error, log), headers: {} }
      }
      if (performed && INVALID.has(performed.answer.status)) limits.noteInvalid(callerOf(arrived))
      if (performed) write(response, { ...performed, version: arrived.version })
      const exchange = describe(arrived, match.is === 'found' ? match.route.path : null, {
        request: performed?.sent,
        files: performed?.files ?? [],
        status: performed?.answer.status ?? 0,
        response: performed?.answer.body,
        durationMs: performance.now() - startedAtMs,
      })
      for (const listener of listeners) listener(exchange)
      log.trace({ method, path, status: exchange.status }, 'REST request answered')
    },
  }
}

/** A bot calls itself `@me` or by its ID. */
function ownSegments(segments: readonly string[] | null, me: Application | undefined): readonly string[] | null {
  const [first, id, ...rest] = segments ?? []
  return first === 'users' && id === me?.id && rest.length > 0 ? [first, '@me', ...rest] : segments
}

type Found = Extract<Match<Route>, { is: 'found' }>
type Outcome = Pick<Exchange, 'request' | 'files' | 'status' | 'response' | 'durationMs'>

/** A request as it came. */
interface Arrived {
  readonly request: IncomingMessage
  /** Application of the token. */
  readonly me: Application | undefined
  readonly url: URL
  readonly method: string
  /** API version from the path. */
  readonly version: number
  readonly path: string
  readonly segments: readonly string[] | null
}

interface Performed {
  readonly answer: Answer
  readonly headers: Readonly<Record<string, string>>
  /** The body of the request, where it was read. */
  readonly sent?: unknown
  readonly files?: readonly string[]
}

function describe({ request, me, method, path, url }: Arrived, route: string | null, outcome: Outcome): Exchange {
  return {
    applicationId: me?.id ?? null,
    method,
    path,
    route,
    query: url.searchParams,
    reason: reasonOf(request),
    multipart: request.headers['content-type']?.startsWith('multipart/') ?? false,
    ...outcome,
  }
}

interface Serving {
  readonly world: World
  readonly limits: Limits
  readonly startLimit: RestOptions['startLimit']
}

async function perform(
  { world, limits, startLimit }: Serving,
  { request, me, url, version }: Arrived,
  match: Found,
): Promise<Performed> {
  const { route, params } = match
  if (!me && !('open' in route)) throw new DiscordError('unauthorized')
  const who = me?.id ?? SECRETS.map((name) => params[name] ?? '').join()
  const verdict = limits.take({ ...bucketOf(match), who, isGlobal: me !== undefined && !('isApart' in route) })
  if (!verdict.allowed) return { answer: limitedAnswer(verdict), headers: verdict.headers }
  const { json: sent, files } = await readBody(request, BODY_BYTES)
  const json = readFrom(version, sent)
  const call = { world, params, query: url.searchParams, body: json, files, reason: reasonOf(request), startLimit }
  const lacked = lackedField(route, json)
  const answer = attempt(() => {
    if (lacked !== undefined) return notImplemented(`the field "${lacked}" of ${route.method} ${route.path}`)
    if ('open' in route) return route.open(call)
    if (!me) throw new DiscordError('unauthorized')
    return route.handle({ ...call, me })
  })
  return { answer, headers: verdict.headers, sent: json, files: files.map(({ name }) => name) }
}

/** Rate limit bucket: a route and the resource in its path. */
function bucketOf({ route, params }: Found) {
  return {
    route: `${route.method}:${route.path}`,
    major: MAJOR.map((name) => params[name] ?? '').join(':'),
    limit: route.limit,
  }
}

function limitedAnswer({ scope, retryAfterSeconds: retry_after }: Verdict): Answer {
  // Before Discord itself there is no JSON.
  if (scope === 'edge') return { status: 429, text: 'error code: 1015' }
  return {
    status: 429,
    body: { message: 'You are being rate limited.', retry_after, global: scope === 'global', code: 0 },
  }
}

/** Identifies the sender of a request by its token, valid or not. */
const callerOf = ({ me, request }: Arrived): string => me?.id ?? request.headers.authorization ?? ''

function join(one: Passage<RequestEnd>, other: Passage<RequestEnd>): Passage<RequestEnd> {
  return { delayMs: one.delayMs + other.delayMs, end: one.end ?? other.end }
}

/**
 * The answer of a fault in place of the route's. Null if the connection ends without one, or stays open until the
 * client ends it.
 */
function failBy(end: RequestEnd, request: IncomingMessage): Performed | null {
  const fault = answerOfFault(end)
  if (end.type === 'cut') request.socket.destroy()
  else request.resume()
  return fault && { answer: { status: fault.status, body: fault.body }, headers: fault.headers }
}

/** A path that is known here gets no other verb of Discord's either: 501 for both, unless Discord has no such path. */
function refuse(match: Match<Route>, method: string, segments: readonly string[] | null): Performed {
  const kind = match.is === 'wrong-method' ? 'methodNotAllowed' : 'general'
  const answer = (segments && unimplemented(method, segments)) ?? answerOf(new DiscordError(kind))
  return { answer, headers: {} }
}

/** Percent-encoded, since a header has no letters beyond Latin. */
function reasonOf({ headers }: IncomingMessage): string | null {
  const text = headers['x-audit-log-reason']
  if (typeof text !== 'string' || text === '') return null
  return (segmentsOf(`/${text.replaceAll('/', '%2F')}`)?.[0] ?? text).slice(0, 512)
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

function write(
  response: ServerResponse,
  { answer: { status, body, text }, headers, version }: Performed & Pick<Arrived, 'version'>,
): void {
  if (text !== undefined) {
    response.writeHead(status, { ...headers, 'content-type': 'text/plain' })
    response.end(text)
    return
  }
  // A 204 has the type that Discord's have: some clients fail without one, and others would parse the nothing as JSON.
  if (body === undefined) {
    response.writeHead(status, { ...headers, 'content-type': 'text/html; charset=utf-8' })
    response.end()
    return
  }
  response.writeHead(status, { ...headers, 'content-type': 'application/json' })
  response.end(writeFor(version, body))
}
