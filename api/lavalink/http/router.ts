import type { IncomingMessage } from 'node:http'
import Router from '@koa/router'
import { readBody } from '../../http/body/body.ts'
import { data } from '../../http/envelopes.ts'
import { HttpRefusal } from '../../http/errors.ts'
import type { ApiContext, RequestState } from '../../http/request-state.ts'
import { Fault } from '../../../lib/errors.ts'
import type { NodeCaller } from './node-keys.ts'
import { toWireJson } from '../protocol/json.ts'
import { assertShallow, JSON_TYPE } from './refusals.ts'
import type { LavalinkRequest, LavalinkRoute, RouteParts } from './route.ts'

/** Spring's, which names its own charset. */
const TEXT = 'text/plain;charset=ISO-8859-1'
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

/** Finds the route of a request and answers with what it returns. @throws {Fault} also where there is none */
export function createLavalinkRouter(routes: readonly LavalinkRoute[], parts: RouteParts) {
  const router = new Router<RequestState>({ sensitive: true })
  const callers = new WeakMap<IncomingMessage, NodeCaller>()
  for (const route of routes) {
    router.register(route.path, [route.method], async (ctx) => {
      const caller = callers.get(ctx.req)
      if (caller) await serve(ctx, { route, caller, params: ctx.params }, parts)
    })
  }
  const dispatch = router.routes()

  return async (ctx: ApiContext, caller: NodeCaller): Promise<void> => {
    callers.set(ctx.req, caller)
    await dispatch(ctx as never, async () => answerUnmatched(ctx))
  }
}

interface MatchedRequest extends Pick<LavalinkRequest, 'caller' | 'params'> {
  readonly route: LavalinkRoute
}

async function serve(ctx: ApiContext, { route, caller, params }: MatchedRequest, parts: RouteParts): Promise<void> {
  const { state } = ctx
  state.route = { id: route.id, url: templateOf(route), class: 'player', envelope: data }
  if (WITH_BODY.has(ctx.method)) {
    await readBody(ctx)
    assertShallow(ctx.request.body)
  }
  const request = { caller, params, query: new URLSearchParams(ctx.querystring), headers: ctx.headers }
  setAnswer(ctx, await route.run({ ...request, body: ctx.request.body, signal: () => state.signal }, parts))
}

/** The path as the log and the reference write it. */
function templateOf({ path }: LavalinkRoute): string {
  return path.replaceAll(/:(\w+)/g, '{$1}')
}

function setAnswer(ctx: ApiContext, answer: unknown): void {
  if (answer === undefined) {
    ctx.status = 204
    return
  }
  ctx.status = 200
  ctx.set('Content-Type', typeof answer === 'string' ? TEXT : JSON_TYPE)
  ctx.body = typeof answer === 'string' ? answer : toWireJson(answer)
}

function answerUnmatched(ctx: ApiContext): void {
  const { method } = ctx
  const verbs = ((ctx['matched'] ?? []) as Router['stack']).flatMap(({ methods }) => methods)
  if (verbs.length === 0) throw new Fault('not_found', 'Route not found.')
  const allow = [...new Set([...verbs, 'OPTIONS'])].join(', ')
  ctx.set('Allow', allow)
  if (method !== 'OPTIONS') throw new HttpRefusal(405, `Method '${method}' is not supported.`)
  ctx.status = 200
  ctx.body = ''
}
