import rateLimit from '@fastify/rate-limit'
import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import Koa from 'koa'
import { Registry } from 'prom-client'
import { readConfig } from '../../config.ts'
import { LOOPBACK } from '../../api/http/client-address.ts'
import { createConnectionLimit } from '../../api/http/connections/connection-limit.ts'
import { assertAccepted, bearerKey, callerOf, digestOf, findWorkingKey } from '../../api/http/auth.ts'
import type { Caller } from '../../api/http/app-context.ts'
import { createRedisRateLimiter } from '../../api/limits/limiter-redis.ts'
import { rateLimitRequest } from '../../api/limits/limiter.ts'
import { setRateLimitHeaders } from '../../api/limits/rate-limit-headers.ts'
import type { ApiContext } from '../../api/http/request-state.ts'
import { createKeys } from '../../db/projects/keys.ts'
import { openDatabase } from '../../db/engine/open.ts'
import { createSqliteStore } from '../../db/engine/sqlite-store.ts'
import { createUsageCounter } from '../../db/projects/usage-counter.ts'
import { createUsage } from '../../db/projects/usage.ts'
import { createLoggedRequests } from '../../db/requests/logged-requests.ts'
import { openRequestLog } from '../../db/requests/request-log.ts'
import { errorBody, statusOf, toApiFault } from '../../api/http/errors.ts'
import { connectRedis, untilReady } from '../../jobs/redis/redis-client.ts'
import { startRedis } from '../../jobs/redis/redis.ts'
import { createAccessLog, createLog } from '../../lib/log.ts'
import { bufferedOutput } from '../../lib/log-output.ts'
import type { LoggedRequest } from '../../lib/request-log/request-log.ts'
import { runInContext, type RequestContext } from '../../lib/request-context.ts'
import { createMetrics } from '../../service/telemetry/metrics.ts'

/** A server to compare the service with, in a process of its own: `koa`, `fastify` or `fastify-rate-limit`. */
const PATH = '/v1/tools/binary/encode'
const ROUTE = { id: 'encodeBinary', url: PATH }

function encode(text: string): string {
  return [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join(' ')
}

/** Koa and a route: nothing is checked, no one is asked, nothing is written down. */
async function serveKoa(port: number): Promise<void> {
  const app = new Koa()
  app.use((ctx) => {
    if (ctx.path !== PATH) return
    ctx.body = { error: false, data: { text: encode(String(ctx.query['text'])), error: '' } }
  })
  await new Promise<void>((resolve) => {
    app.listen(port, '127.0.0.1', resolve)
  })
}

async function openParts(dataDir: string) {
  const log = createLog('info', bufferedOutput())
  const store = createSqliteStore(openDatabase({ dataDir }))
  const server = await startRedis({ dataDir, url: null, log })
  if (!server.address) throw new Error('This bench needs redis-server.')
  const redis = connectRedis(server.address, log)
  await untilReady(redis, 5000)
  const usage = createUsageCounter({ usage: createUsage(store), log })
  const { requestLog } = readConfig({})
  const requests = openRequestLog({ dataDir, requestLog }, { records: createLoggedRequests(store), log })
  return { log, redis, usage, requests, keys: createKeys(store), metrics: createMetrics(new Registry()) }
}

const ANSWER = {
  type: 'object',
  properties: {
    error: { type: 'boolean' },
    data: { type: 'object', properties: { text: { type: 'string' }, error: { type: 'string' } } },
  },
} as const

const QUERY = {
  type: 'object',
  required: ['text'],
  properties: { text: { type: 'string', minLength: 1, maxLength: 10_000 } },
} as const

interface Known {
  caller: Caller | null
  /** The rest of the budget after this request. */
  remaining: number | null
  origin: RequestContext | null
  /** Ends the context of the request. */
  end: (() => void) | null
}

type Request = FastifyRequest & Partial<Known>

/** Adds the service's work before it looks at a request: bounds of the connection, and a context for the log. */
function addContext(app: FastifyInstance): void {
  const limit = createConnectionLimit({ perAddress: 500, unbounded: LOOPBACK })
  app.server.on('connection', (socket) => limit.add(socket))
  for (const name of ['caller', 'remaining', 'origin', 'end']) app.decorateRequest(name, null)
  app.addHook('onRequest', (request: Request, reply, done) => {
    const excess = limit.check(request.raw, reply.raw)
    const origin = { fields: { requestId: request.id }, isOver: false, startedAtMs: performance.now() }
    request.origin = origin
    const untilAnswered = () =>
      new Promise<void>((resolve) => {
        request.end = resolve
        done(excess ?? undefined)
      })
    void runInContext(origin, untilAnswered)
  })
}

/** The log record of a request, as the service writes it. */
function loggedRequest(request: Request, status: number, durationMs: number): Omit<LoggedRequest, 'id'> {
  const { caller, id: requestId, method, remaining = null } = request
  return {
    projectId: caller?.projectId ?? '',
    keyId: caller?.keyId ?? '',
    requestId,
    method,
    operation: ROUTE.id,
    route: ROUTE.url,
    path: null,
    status,
    code: null,
    reason: null,
    message: null,
    durationMs,
    address: request.socket.remoteAddress ?? null,
    limitClass: 'cheap',
    limitPerMinute: null,
    limitRemaining: remaining,
    limitSpent: null,
    traceId: null,
  }
}

/**
 * Fastify with the same work: bounds of the connection, context, key from SQLite, limits in Redis and the headers that tell of
 * them, usage, metrics, a line of log, a row in the log of requests, schemas of input and answer. Its limiter is the service's
 * own, or Fastify's plugin, which knows one budget and asks Redis for each request. The bounds of target and head are Node's
 * here, and code of an operator has no place.
 */
async function serveFastify(port: number, dataDir: string, limiter: 'own' | 'plugin'): Promise<void> {
  const { log, redis, usage, requests, keys, metrics } = await openParts(dataDir)
  const access = createAccessLog(log)
  const meter = createRedisRateLimiter({ redis, log })
  const app: FastifyInstance = Fastify({
    genReqId: (req) => String(req.headers['x-request-id'] ?? randomUUID()),
    keepAliveTimeout: 65_000,
  })
  addContext(app)
  app.addHook('onRequest', async (request: Request, reply) => {
    reply.headers({
      'X-Request-Id': request.id,
      'Access-Control-Allow-Origin': '*',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    })
    const record = await findWorkingKey(keys, digestOf(bearerKey(request.headers.authorization)), Date.now())
    request.caller = callerOf(record)
    if (request.origin) request.origin.fields['projectId'] = record.projectId
    assertAccepted(record, 'cheap', () => request.socket.remoteAddress)
  })
  if (limiter === 'plugin') {
    await app.register(rateLimit, {
      redis,
      // Counting costs the same and refuses nothing: the window fills up, where the service's refills during the
      // requests.
      max: Number.MAX_SAFE_INTEGER,
      timeWindow: 60_000,
      keyGenerator: (request: Request) => request.caller?.projectId ?? '',
    })
  } else {
    app.addHook('onRequest', async (request: Request, reply) => {
      const { caller } = request
      const ask = caller && rateLimitRequest(caller.projectId, caller.plan, 'cheap')
      if (!ask) throw new Error('No caller.')
      const charged = await meter.charge(ask)
      request.remaining = charged.allowed ? charged.remaining : 0
      reply.header('X-RateLimit-Plan', ask.plan)
      const res = { headersSent: false, setHeader: (name: string, value: string) => reply.header(name, value) }
      setRateLimitHeaders({ res } as unknown as ApiContext, ask, charged)
      if (!charged.allowed) return reply.code(429).send({ error: { code: 'rate_limited' } })
    })
  }
  app.addHook('onResponse', async (request: Request, reply) => {
    const { caller, origin, end } = request
    const durationMs = Math.round(reply.elapsedTime * 10) / 10
    const status = reply.statusCode
    if (caller) usage.count({ ...caller, routeClass: 'cheap', route: ROUTE.id, status, durationMs, spent: null })
    const { projectId, keyId } = caller ?? {}
    const { id: requestId, method } = request
    const answered = { requestId, method, path: PATH, status, durationMs, projectId, keyId }
    if (origin) metrics.answered({ ...answered, origin, route: ROUTE })
    if (caller && requests.admits(caller.projectId, status))
      requests.add({ id: requests.nextId(), ...loggedRequest(request, status, durationMs) })
    access({ ...answered, route: ROUTE.id })
    end?.()
  })
  app.setErrorHandler((error, request, reply) => {
    const fault = toApiFault(error)
    return reply.code(statusOf(fault)).send(errorBody(fault, request.id))
  })
  app.get<{ Querystring: { text: string } }>(
    PATH,
    { schema: { querystring: QUERY, response: { 200: ANSWER } } },
    async ({ query }) => ({ error: false, data: { text: encode(query.text), error: '' } }),
  )
  await app.listen({ port, host: '127.0.0.1' })
}

const [kind, port, dataDir = ''] = process.argv.slice(2)
if (kind === 'koa') await serveKoa(Number(port))
else await serveFastify(Number(port), dataDir, kind === 'fastify' ? 'own' : 'plugin')
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
