import rateLimit from '@fastify/rate-limit'
import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import Koa from 'koa'
import { assertAccepted, bearerKey, callerOf, digestOf, findWorkingKey } from '../api/http/auth.ts'
import type { Caller } from '../api/http/app-context.ts'
import { createRedisRateLimiter } from '../api/limits/limiter-redis.ts'
import { rateLimitRequest } from '../api/limits/limiter.ts'
import { createKeys } from '../db/projects/keys.ts'
import { openDatabase } from '../db/engine/open.ts'
import { createUsageCounter } from '../db/projects/usage-counter.ts'
import { createUsage } from '../db/projects/usage.ts'
import { errorBody, statusOf, toFault } from '../api/http/errors.ts'
import { connectRedis, untilReady } from '../jobs/redis/redis-client.ts'
import { startRedis } from '../jobs/redis/redis.ts'
import { createLog } from '../lib/log.ts'
import { bufferedOutput } from '../lib/log-output.ts'
import { PLANS } from '../lib/plans.ts'

/** What the service is measured against, in a process of its own: `koa`, `fastify` or `fastify-rate-limit`. */
const PATH = '/v1/tools/binary/encode'

function encode(text: string): string {
  return [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join(' ')
}

/** Koa and a route: nothing is checked, nobody is asked, nothing is written down. */
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
  const db = openDatabase({ dataDir })
  const server = await startRedis({ dataDir, url: null, log })
  if (!server.address) throw new Error('This bench needs redis-server.')
  const redis = connectRedis(server.address, log)
  await untilReady(redis, 5000)
  const usage = createUsageCounter({ usage: createUsage(db), log })
  return { log, redis, usage, keys: createKeys(db) }
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
}

/**
 * Fastify with the same work: key from SQLite, limits in Redis, usage, a line of log, schemas of input and answer.
 * Its limiter is the service's own, or Fastify's plugin, which knows one budget and asks Redis for each request.
 */
async function serveFastify(port: number, dataDir: string, limiter: 'own' | 'plugin'): Promise<void> {
  const { log, redis, usage, keys } = await openParts(dataDir)
  const access = log.child({}, { redact: [] })
  const meter = createRedisRateLimiter({ redis, log })
  const app: FastifyInstance = Fastify({
    genReqId: (req) => String(req.headers['x-request-id'] ?? randomUUID()),
    keepAliveTimeout: 65_000,
  })
  app.decorateRequest('caller', null)
  app.addHook('onRequest', async (request: FastifyRequest & Partial<Known>, reply) => {
    reply.headers({
      'X-Request-Id': request.id,
      'Access-Control-Allow-Origin': '*',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    })
    const record = findWorkingKey(keys, digestOf(bearerKey(request.headers.authorization)), Date.now())
    request.caller = callerOf(record)
    assertAccepted(record, 'cheap', () => request.socket.remoteAddress)
  })
  if (limiter === 'plugin') {
    await app.register(rateLimit, {
      redis,
      max: PLANS.scale.cheap,
      timeWindow: 60_000,
      keyGenerator: (request: FastifyRequest & Partial<Known>) => request.caller?.projectId ?? '',
    })
  } else {
    app.addHook('onRequest', async (request: FastifyRequest & Partial<Known>, reply) => {
      const { caller } = request
      const ask = caller && rateLimitRequest(caller.projectId, caller.plan, 'cheap')
      if (!ask) throw new Error('No caller.')
      const charged = await meter.charge(ask)
      reply.headers({
        'X-RateLimit-Plan': ask.plan,
        'X-RateLimit-Class': ask.routeClass,
        'X-RateLimit-Limit': ask.limit,
        'X-RateLimit-Remaining': charged.allowed ? charged.remaining : 0,
      })
      if (!charged.allowed) return reply.code(429).send({ error: { code: 'rate_limited' } })
    })
  }
  app.addHook('onResponse', async (request: FastifyRequest & Partial<Known>, reply) => {
    const { caller } = request
    const durationMs = Math.round(reply.elapsedTime * 10) / 10
    const status = reply.statusCode
    if (caller) usage.count({ ...caller, routeClass: 'cheap', status, durationMs, spent: null })
    const { projectId, keyId } = caller ?? {}
    const { id: requestId, method } = request
    const fields = { requestId, method, path: PATH, route: 'encodeBinary', status, durationMs, projectId, keyId }
    access.info(fields, 'request answered')
  })
  app.setErrorHandler((error, request, reply) => {
    const fault = toFault(error)
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
