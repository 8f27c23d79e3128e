import { parameterNames, type Method, type Route } from './route.ts'

/** One path with all its verbs. */
export interface Place {
  readonly routes: ReadonlyMap<string, Route>
  /** For the `Allow` header: the declared verbs, HEAD where GET is, and OPTIONS. */
  readonly allow: string
  readonly parameters: readonly string[]
}

export interface Found {
  readonly place: Place
  /** The values of the path's parameters in order, still percent-encoded. */
  readonly segments: readonly string[]
}

export interface RouteTable {
  find(pathname: string): Found | null
}

interface Branch {
  readonly literals: Map<string, Branch>
  parameter: Branch | null
  place: Place | null
}

const NO_SEGMENTS: readonly string[] = []

/**
 * Finds the place of a path: by one look-up where the path has no parameters, otherwise segment by segment.
 * Paths are compared as they arrived, so a badly encoded parameter still finds its route and can be refused by name.
 *
 * @throws {Error} when two routes share verb and path.
 */
export function createTable(routes: readonly Route[]): RouteTable {
  const fixed = new Map<string, Found>()
  const root = branch()
  const byShape = Object.groupBy(routes, ({ url }) => url.replaceAll(/\{\w+\}/g, '{}'))
  for (const group of Object.values(byShape)) {
    const place = placeOf(group ?? [])
    const url = group?.[0]?.url ?? ''
    if (place.parameters.length === 0) fixed.set(url, { place, segments: NO_SEGMENTS })
    else plant(root, url).place = place
  }
  return {
    find(pathname) {
      const known = fixed.get(pathname)
      if (known) return known
      const parts = pathname.split('/')
      const segments: string[] = []
      const place = walk(root, parts, 1, segments)
      return place && { place, segments }
    },
  }
}

function branch(): Branch {
  return { literals: new Map(), parameter: null, place: null }
}

function plant(root: Branch, url: string): Branch {
  let at = root
  for (const part of url.split('/').slice(1)) {
    if (part.startsWith('{')) {
      at = at.parameter ??= branch()
      continue
    }
    const next = at.literals.get(part) ?? branch()
    at.literals.set(part, next)
    at = next
  }
  return at
}

function walk(at: Branch, parts: readonly string[], index: number, segments: string[]): Place | null {
  const part = parts[index]
  if (part === undefined) return at.place
  const literal = at.literals.get(part)
  const found = literal && walk(literal, parts, index + 1, segments)
  if (found) return found
  if (!at.parameter || part === '') return null
  segments.push(part)
  const deeper = walk(at.parameter, parts, index + 1, segments)
  if (!deeper) segments.pop()
  return deeper
}

function placeOf(routes: readonly Route[]): Place {
  const byMethod = new Map<string, Route>()
  for (const route of routes) {
    if (byMethod.has(route.method)) throw new Error(`${route.method} ${route.url} is declared twice`)
    byMethod.set(route.method, route)
  }
  const verbs: Method[] = routes.map(({ method }) => method)
  const allow = [
    ...(verbs.includes('GET') ? ['GET', 'HEAD'] : []),
    ...verbs.filter((verb) => verb !== 'GET'),
    'OPTIONS',
  ]
  return { routes: byMethod, allow: allow.join(', '), parameters: parameterNames(routes[0]?.url ?? '') }
}
