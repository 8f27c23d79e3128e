import Router from '@koa/router'
import type { Middleware } from 'koa'
import type { ApiContext, RequestState } from './request-state.ts'
import type { Route } from './route.ts'

const OPTIONS = { strict: true, sensitive: true } as const

/**
 * A router for each area, such as `/v1/music`: a router tests its paths one after the other, which 150 would make slow.
 * Literals come before parameters, so that they win.
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
    const path = route.url.replaceAll(/\{(\w+)\}/g, ':$1')
    // `DELETE /queue/shuffle` names the shuffling, which does not know the verb, and no track of the queue.
    router.register(path, [route.method], (ctx, next) => (isNearest(ctx, path) ? serve(ctx, route) : next()))
  }
  const dispatchers = new Map([...areas].map(([area, router]) => [area, router.routes()]))
  return (ctx, next) => dispatchers.get(areaOf(ctx.path))?.(ctx as never, next) ?? next()
}

/** `music` of `/v1/music/players`. */
function areaOf(path: string): string {
  return path.split('/', 3)[2] ?? ''
}

const VERBS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

interface Matched {
  readonly path: string
  /** Layers that the routers have matched, in their order. */
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
