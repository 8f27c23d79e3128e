import Router from '@koa/router'
import type { Middleware } from 'koa'
import type { ApiContext, RequestState } from './request-state.ts'
import type { Route } from './route.ts'

const OPTIONS = { strict: true, sensitive: true } as const

/**
 * A router for each area, such as `/v1/music`: a router tests its paths one after the other, which 150 would make slow.
 * Literals come before parameters, so that they win. What is found for a path without parameters never changes, so that it is
 * looked up once.
 *
 * @throws {Error} when two routes share verb and path.
 */
export function createRouter(
  routes: readonly Route[],
  serve: (ctx: ApiContext, route: Route) => Promise<void>,
): Middleware<RequestState> {
  const areas = new Map<string, Router<RequestState>>()
  const known = new Set<string>()
  // `{` sorts behind every letter.
  for (const route of routes.toSorted((a, b) => (a.url < b.url ? -1 : 1))) {
    const name = `${route.method} ${route.url.replaceAll(/\{\w+\}/g, '{}')}`
    if (known.has(name)) throw new Error(`${route.method} ${route.url} is declared twice`)
    known.add(name)
    const area = areaOf(route.url)
    const router = areas.get(area) ?? new Router<RequestState>(OPTIONS)
    areas.set(area, router)
    router.register(route.url.replaceAll(/\{(\w+)\}/g, ':$1'), [route.method], (ctx) => serve(ctx, route))
  }
  const literals = new Map<string, ReturnType<Router['match']>>()
  for (const { url, method } of routes) {
    const found = url.includes('{') ? undefined : areas.get(areaOf(url))?.match(url, method)
    if (found) literals.set(method + url, found)
  }
  return (ctx, next) => {
    const { path, method } = ctx
    // `router.routes()` would compose a chain of middleware for each request, and a route is one alone.
    const found = literals.get(method + path) ?? areas.get(areaOf(path))?.match(path, method)
    if (!found) return next()
    const [layer] = found.pathAndMethod
    ctx['matched'] = found.path
    // `DELETE /queue/shuffle` names the shuffling, which does not know the verb, and no track of the queue.
    if (!layer || !isNearest(ctx, layer.path)) return next()
    ctx['captures'] = layer.captures(path)
    const [handle] = layer.stack as unknown as readonly Middleware<RequestState>[]
    return handle?.(ctx, next)
  }
}

/** `music` of `/v1/music/players`. */
function areaOf(path: string): string {
  return path.split('/', 3)[2] ?? ''
}

const VERBS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

interface Matched {
  readonly path: string
  /** What routers have found on the way, in their order. */
  readonly matched?: Router['stack']
}

/** Whether no path with more literals fits. */
export function isNearest({ matched = [] }: Matched, path: string | RegExp): boolean {
  return matched[0]?.path === path
}

/** The verbs that a path knows; null for an unknown path. */
export function knownVerbs({ path, matched = [] }: Matched): readonly string[] | null {
  if (path === '*') return VERBS
  const methods = new Set(matched.filter((layer) => layer.path === matched[0]?.path).flatMap((layer) => layer.methods))
  return methods.size === 0 ? null : VERBS.filter((verb) => methods.has(verb))
}
