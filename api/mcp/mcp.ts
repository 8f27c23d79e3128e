import type { Middleware } from 'koa'
import { Fault } from '../../lib/errors.ts'
import { once } from '../docs/lazy.ts'
import type { Docs } from '../docs/pages.ts'
import { TAGS, type Tag } from '../docs/tags.ts'
import type { KeyRecord } from '../http/app-context.ts'
import {
  assertAddress,
  assertClass,
  authorizationOf,
  bearerKey,
  callerOf,
  digestOf,
  findWorkingKey,
} from '../http/auth.ts'
import { readBody } from '../http/body/body.ts'
import { clientAddress, isLoopbackUrl } from '../http/client-address.ts'
import { invalidField } from '../http/errors.ts'
import type { RequestHandler } from '../http/koa.ts'
import type { Pipeline } from '../http/pipeline.ts'
import type { ApiContext, RequestState } from '../http/request-state.ts'
import { setCommonHeaders, setJson } from '../http/response.ts'
import type { RouteClass } from '../../lib/plans.ts'
import { admitBytes } from '../limits/long-answers.ts'
import { paceRequest } from '../limits/request-pace.ts'
import { rateLimitRequest } from '../limits/limiter.ts'
import { areaOf } from './tools.ts'
import type { McpAnswer, Offers } from './server.ts'

interface McpOptions {
  /** Handler of the whole application, which serves the requests of tools too. */
  readonly handle: RequestHandler
  readonly docs: Docs
  /** Pages that may call, besides those of this service and of the caller's own machine. */
  readonly origins: readonly string[]
}

const PATH = '/mcp'
const METHODS = 'POST, OPTIONS'
const HEADERS = 'Authorization, Content-Type, Accept, Mcp-Protocol-Version, Mcp-Session-Id, X-Request-Id'
/** Clients of today send one. */
const MAX_MESSAGES = 10
const CLASSES: readonly RouteClass[] = ['open', 'cheap', 'fetch', 'canvas', 'browser', 'player', 'socket']
/** Cost beside the JSON of an answer: a list is read, compressed and sent. */
const LIST_BYTES = 256 * 1024
const MESSAGE_BYTES = 128 * 1024
const AREAS = (Object.keys(TAGS) as Tag[]).map(areaOf)

/** `POST /mcp`: the routes as tools of the Model Context Protocol, by streamable HTTP without sessions. */
export function createMcp(pipeline: Pipeline, { handle, docs, origins }: McpOptions): Middleware<RequestState> {
  const { app } = pipeline
  // The protocol's library takes memory that a service without agents need not have.
  const server = once(async () => {
    const [{ createMcpServer }, { tools }] = await Promise.all([import('./server.ts'), docs()])
    const { baseUrl, version } = app
    const onError = (err: unknown) => app.log.error({ err }, 'tool call failed')
    return createMcpServer({ tools, site: { handle, baseUrl }, version, onError })
  })

  return async (ctx, next) => {
    if (ctx.path !== PATH) return next()
    setCommonHeaders(ctx)
    assertOrigin(ctx, [app.baseUrl, ...origins])
    if (ctx.method === 'OPTIONS') return preflight(ctx)
    if (ctx.method !== 'POST') {
      ctx.set('Allow', METHODS)
      throw new Fault(
        'method_not_allowed',
        'Send Model Context Protocol messages by POST. This server has no sessions.',
      )
    }
    const record = await authenticate(pipeline, ctx)
    await paceRequest(pipeline.pace, record, ctx.state)
    const areas = areasOf(ctx)
    await read(pipeline, ctx)
    await admitMessages(record.projectId, ctx.request.body)
    const agents = await server()
    const { requestId, signal } = ctx.state
    const caller = { headers: ctx.req.headers, address: ctx.req.socket.remoteAddress, requestId, signal }
    send(
      ctx,
      await agents.answer({
        url: app.baseUrl + PATH,
        headers: protocolHeaders(ctx),
        message: ctx.request.body,
        caller,
        offers: offersOf(record, areas),
      }),
    )
  }
}

/** A page that came by another name for this address could not call, for want of a key; the protocol asks for this too. */
function assertOrigin({ req }: ApiContext, allowed: readonly string[]): void {
  const { origin } = req.headers
  if (origin === undefined || isLoopbackUrl(origin)) return
  if (allowed.some((one) => URL.parse(one)?.origin === origin)) return
  throw new Fault('forbidden', `MCP_ORIGINS doesn't allow the origin ${origin.slice(0, 200)}.`)
}

function preflight(ctx: ApiContext): void {
  ctx.set('Access-Control-Allow-Methods', METHODS)
  ctx.set('Access-Control-Allow-Headers', HEADERS)
  ctx.set('Access-Control-Max-Age', '86400')
  ctx.status = 204
}

async function authenticate({ app, trustedProxies }: Pipeline, ctx: ApiContext): Promise<KeyRecord> {
  const { state, req } = ctx
  state.keyDigest = digestOf(bearerKey(authorizationOf(req)))
  const record = await findWorkingKey(app.keys, state.keyDigest, app.now())
  state.caller = callerOf(record)
  state.origin.fields['projectId'] = record.projectId
  assertAddress(record, () => clientAddress(req, trustedProxies))
  return record
}

/** The areas of which alone the tools are listed, as `?areas=music,jobs` names them; null: all. */
function areasOf({ query }: ApiContext): readonly string[] | null {
  const { areas } = query
  if (areas === undefined) return null
  const asked = [areas]
    .flat()
    .join(',')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  const unknown = asked.find((name) => !AREAS.includes(name))
  if (unknown === undefined) return asked
  throw invalidField('query.areas', `Unknown area ${JSON.stringify(unknown.slice(0, 40))}. Use ${AREAS.join(', ')}.`)
}

async function read({ reading }: Pipeline, ctx: ApiContext): Promise<void> {
  const { socket } = ctx.req
  reading.set(socket, ctx.state.requestId)
  await readBody(ctx).finally(() => reading.delete(socket))
  const { body } = ctx.request
  if (Array.isArray(body) && body.length > MAX_MESSAGES) {
    throw invalidField('body', `Send at most ${MAX_MESSAGES} messages per request.`)
  }
}

/** Headers that the transport of the protocol reads. */
function protocolHeaders({ req }: ApiContext): Headers {
  const headers = new Headers()
  for (const name of ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id'] as const) {
    const value = req.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  return headers
}

/** @throws {Fault} for more lists than a client has a use for, and where too many requests of the project wait */
async function admitMessages(projectId: string, body: unknown): Promise<void> {
  const messages = Array.isArray(body) ? body : [body]
  const lists = messages.filter((message) => (message as { method?: unknown } | null)?.method === 'tools/list').length
  if (lists > 1) throw invalidField('body', 'Send `tools/list` once per request.')
  const bytes = lists * LIST_BYTES + (messages.length - 1) * MESSAGE_BYTES
  if (bytes > 0) await admitBytes(projectId, bytes)
}

function send(ctx: ApiContext, { status, body }: McpAnswer): void {
  ctx.status = status
  if (body !== '') setJson(ctx, body)
}

/** The tools of these areas (null: of all) that the key may use. */
function offersOf(record: KeyRecord, areas: readonly string[] | null): Offers {
  const usable = new Set(CLASSES.filter((one) => mayUse(record, one)))
  const inAreas = areas && AREAS.filter((area) => areas.includes(area))
  return {
    name: `${[...usable].join()} ${inAreas?.join() ?? ''}`,
    includes: (tool) => (inAreas === null || inAreas.includes(tool.area)) && usable.has(tool.class),
  }
}

/** Whether the pipeline would let the key use routes of a class at all. */
function mayUse(record: KeyRecord, routeClass: RouteClass): boolean {
  if (routeClass === 'open') return true
  try {
    assertClass(record, routeClass)
  } catch {
    return false
  }
  const { projectId, plan } = record
  return routeClass === 'player' || routeClass === 'socket' || rateLimitRequest(projectId, plan, routeClass) !== null
}
