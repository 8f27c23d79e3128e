import Router from '@koa/router'
import { readBody } from '../../api/http/body/body.ts'
import { data } from '../../api/http/envelopes.ts'
import { HttpRefusal } from '../../api/http/errors.ts'
import type { ApiContext, RequestState } from '../../api/http/request-state.ts'
import { Fault } from '../../lib/errors.ts'
import type { NodeCaller } from './node-keys.ts'
import { toWireJson } from '../protocol/json.ts'
import { assertShallow, JSON_TYPE } from './refusals.ts'
import type { LavalinkRoute, RouteParts } from './route.ts'

/** Spring's, which names its own charset. */
const TEXT = 'text/plain;charset=ISO-8859-1'
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

/** Finds the route of a request and answers with what it returns. @throws {Fault} also where there is none */
export function createLavalinkRouter(routes: readonly LavalinkRoute[], parts: RouteParts) {
  const router = new Router<RequestState>({ sensitive: true })
  const byLayer = new Map<unknown, LavalinkRoute>()
  for (const route of routes) {
    const layer = router.register(route.path, [route.method], () => undefined)
    byLayer.set(layer, route)
  }

  return async (ctx: ApiContext, caller: NodeCaller): Promise<void> => {
    const { method, path } = ctx
    const found = router.match(path, method)
    const [layer] = found.pathAndMethod
    const route = byLayer.get(layer)
    if (!layer || !route) {
      const verbs = found.path.flatMap(({ methods }) => methods)
      return answerUnmatched(ctx, verbs)
    }
    const { state } = ctx
    state.route = { id: route.id, url: templateOf(route), class: 'player', envelope: data }
    if (WITH_BODY.has(method)) {
      await readBody(ctx)
      assertShallow(ctx.request.body)
    }
    const answer = await route.run(
      {
        caller,
        params: layer.params(path, layer.captures(path)),
        query: new URLSearchParams(ctx.querystring),
        headers: ctx.headers,
        body: ctx.request.body,
        signal: () => state.signal,
      },
      parts,
    )
    setAnswer(ctx, answer)
  }
}

/** As the log and the reference write paths. */
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

function answerUnmatched(ctx: ApiContext, verbs: readonly string[]): void {
  const { method } = ctx
  if (verbs.length === 0) throw new Fault('not_found', 'Route not found.')
  const allow = [...new Set([...verbs, 'OPTIONS'])].join(', ')
  ctx.set('Allow', allow)
  if (method !== 'OPTIONS') throw new HttpRefusal(405, `Method '${method}' is not supported.`)
  ctx.status = 200
  ctx.body = ''
}
