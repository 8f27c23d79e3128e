import { expect } from 'chai'
import { Registry } from 'prom-client'
import { createEventBus } from '../../bot/event-bus.ts'
import type { EventBus } from '../../bot/events.ts'
import { digestOf } from '../../api/http/auth.ts'
import { ErrorBody } from '../../api/http/errors.ts'
import { ProblemDetails, PROBLEM_TYPE } from '../../api/http/problem.ts'
import { createMemoryMeter } from '../../api/limits/limiter.ts'
import { routes as allRoutes } from '../../api/routes/index.ts'
import { listen, type Api, type ApiOptions } from '../../api/http/server.ts'
import type { KeyRecord, App } from '../../api/http/app-context.ts'
import { requestLogOff } from '../../db/requests/request-log.ts'
import { createLog } from '../../lib/log.ts'
import { createMetrics } from '../../service/telemetry/metrics.ts'
import { areServicesDivided, listenDivided, type PagesOf } from './divided-api.ts'
import { idempotentRequestsInMemory } from './idempotent-requests.ts'
import { NO_UTILITIES } from './no-lookups.ts'
import { FAKE_IMAGES } from './fake-images.ts'
import { createFakeJobs } from './fake-jobs.ts'
import { createFakeMusic, type FakeMusic } from './fake-music.ts'
import { projects } from './projects.ts'

/** The keys that every test API knows. */
export const keys = {
  linked: `svc.${'a1'.repeat(32)}`,
  unlinked: `svc.${'b2'.repeat(32)}`,
  /** Same project as `linked`, another bot. */
  otherBot: `svc.${'ab'.repeat(32)}`,
  pool: `svc.${'bc'.repeat(32)}`,
  emptyPool: `svc.${'cb'.repeat(32)}`,
  free: `svc.${'c3'.repeat(32)}`,
  freeToo: `svc.${'c4'.repeat(32)}`,
  revoked: `svc.${'d4'.repeat(32)}`,
  expired: `svc.${'e5'.repeat(32)}`,
  revokedAndExpired: `svc.${'e6'.repeat(32)}`,
  otherProject: `svc.${'f6'.repeat(32)}`,
  fetchOnly: `svc.${'f7'.repeat(32)}`,
  elsewhere: `svc.${'f8'.repeat(32)}`,
} as const

export const unknownKey = `svc.${'00'.repeat(32)}`

export const bots = { first: '900000000000000001', second: '900000000000000002', other: '900000000000000003' } as const

const MIDNIGHT = Date.UTC(2026, 0, 1)

const common = {
  projectId: projects.one,
  poolId: null,
  poolBotIds: [],
  isBotRemoved: false,
  plan: 'scale',
  botId: null,
  allow: null,
  classes: null,
  revokedAtMs: null,
  expiresAtMs: null,
} as const

const records: Record<keyof typeof keys, Omit<KeyRecord, 'id'>> = {
  linked: { ...common, botId: bots.first },
  unlinked: common,
  otherBot: { ...common, botId: bots.second },
  // The last one belongs to another project by now.
  pool: { ...common, poolId: 'pol_1', poolBotIds: [bots.first, bots.second, bots.other] },
  emptyPool: { ...common, poolId: 'pol_2' },
  free: { ...common, projectId: projects.small, plan: 'free', botId: '900000000000000009' },
  freeToo: { ...common, projectId: projects.small, plan: 'free' },
  revoked: { ...common, botId: bots.first, revokedAtMs: MIDNIGHT },
  expired: { ...common, botId: bots.first, expiresAtMs: MIDNIGHT },
  revokedAndExpired: { ...common, revokedAtMs: MIDNIGHT, expiresAtMs: MIDNIGHT },
  otherProject: { ...common, projectId: projects.two, botId: bots.other },
  fetchOnly: { ...common, botId: bots.first, classes: ['fetch'] },
  elsewhere: { ...common, botId: bots.first, allow: ['10.1.0.0/16', '2001:db8::/32'] },
}

export interface CallOptions {
  readonly key?: string | null
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Called {
  readonly status: number
  readonly headers: Headers
  readonly body: any
}

export interface TestApi {
  readonly baseUrl: string
  readonly port: number
  readonly api: Api
  readonly music: FakeMusic
  readonly events: EventBus
  /** Moves only when a test moves it. */
  readonly clock: { nowMs: number }
  /** Every line of the log, parsed. */
  readonly log: readonly Record<string, unknown>[]
  changeKey(name: keyof typeof keys, change: Partial<KeyRecord>): void
  /** Calls the API with the linked key by default. Checks the response against the contract of every answer. */
  call(method: string, path: string, options?: CallOptions): Promise<Called>
  close(): Promise<void>
}

/** The whole API on a free port of the loopback, with music in memory behind it. */
export async function startApi(
  options: Partial<ApiOptions> & { app?: Partial<App>; bus?: EventBus; pagesOf?: PagesOf } = {},
): Promise<TestApi> {
  const clock = { nowMs: Date.UTC(2026, 10, 21, 12) }
  const lines: Record<string, unknown>[] = []
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
  const stored = new Map<string, KeyRecord>()
  for (const [name, key] of Object.entries(keys)) {
    stored.set(digestOf(key).toString('hex'), { id: `key-${name}`, ...records[name as keyof typeof keys] })
  }
  const events = options.bus ?? createEventBus({ log })
  const music = createFakeMusic(events)
  const { app, bus: _, pagesOf, ...listening } = options
  const { registry = new Registry() } = options.metrics ?? {}
  const all: Omit<App, 'baseUrl'> = {
    log,
    keys: { findByDigest: async (digest) => stored.get(digest.toString('hex')) ?? null },
    meter: createMemoryMeter(() => clock.nowMs),
    usage: { count: () => undefined },
    requests: requestLogOff,
    idempotency: idempotentRequestsInMemory(() => clock.nowMs),
    music,
    images: FAKE_IMAGES,
    jobs: createFakeJobs(),
    events,
    version: '1.2.3',
    environment: 'test',
    ...NO_UTILITIES,
    now: () => clock.nowMs,
    checkAnswers: true,
    ...app,
  }
  const settings = { host: '127.0.0.1', port: 0, baseUrl: null, graceMs: 2000, observer: createMetrics(registry) }
  const metricsOf = ({ peers }: Partial<ApiOptions>) =>
    peers && areServicesDivided ? { ...options.metrics, registry: new Registry() } : { registry, ...options.metrics }
  const listenWith = (own: Omit<App, 'baseUrl'>, more: Partial<ApiOptions>) =>
    listen(own, { ...settings, ...listening, ...more, metrics: metricsOf(more) })
  const isDivided = areServicesDivided && !options.peers && !options.routes
  const divided = { app: all, options: listening, botIds: Object.values(bots), pagesOf, listen: listenWith }
  const alone = pagesOf && { pages: pagesOf({}) }
  const api = isDivided ? await listenDivided(divided) : await listenWith(all, { ...listening, ...alone })
  return {
    baseUrl: api.baseUrl,
    port: api.port,
    api,
    music,
    events,
    clock,
    log: lines,
    changeKey(name, change) {
      const id = digestOf(keys[name]).toString('hex')
      stored.set(id, { ...(stored.get(id) as KeyRecord), ...change })
    },
    call: (method, path, call) => callAndCheck(api.baseUrl, method, path, call),
    close: () => api.close(),
  }
}

const patterns = allRoutes.map((route) => ({
  route,
  pattern: new RegExp(`^${route.url.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

async function callAndCheck(
  baseUrl: string,
  method: string,
  path: string,
  { key = keys.linked, body, headers = {} }: CallOptions = {},
): Promise<Called> {
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = /^application\/(?:problem\+)?json/.test(response.headers.get('content-type') ?? '')
  const called = {
    status: response.status,
    headers: response.headers,
    body: isJson && text !== '' ? JSON.parse(text) : text,
  }
  assertContract(method, path, called)
  return called
}

/** Asserts the contract of every answer, for any request. */
export function assertContract(method: string, path: string, { status, headers, body }: Called): void {
  const what = `${method} ${path.slice(0, 200)} answered ${status} ${JSON.stringify(body).slice(0, 500)}`
  expect(headers.get('x-request-id'), what).to.match(/^[A-Za-z0-9._:-]{1,128}$/)
  if (status < 400 || method === 'HEAD') return
  const [pathname = ''] = path.split('?')
  const route = patterns.find((one) => one.route.method === method && one.pattern.test(pathname))?.route
  const isProblem = headers.get('content-type')?.startsWith(PROBLEM_TYPE) ?? false
  const own = status === 400 && !isProblem && route?.invalid === 'bad_request' ? route.envelope.refusal : undefined
  if (own) {
    expect(own.schema.safeParse(body).error, what).to.equal(undefined)
    return
  }
  const shape = isProblem ? ProblemDetails.strict() : ErrorBody.strict()
  expect(shape.safeParse(body).error, what).to.equal(undefined)
  expect(body.requestId, what).to.equal(headers.get('x-request-id'))
}
