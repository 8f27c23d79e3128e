import type { Route } from './route.ts'

interface Match {
  readonly route: Route | undefined
  readonly params: Readonly<Record<string, string>>
  /** What the place knows, for the answer to another verb. */
  readonly allow: string
}

/** Finds what belongs to a path; null where there is nothing. */
export type Table = (method: string, path: string) => Match | null

/** A parameter is an id or a name of ours, so that nothing else ever reaches a page. */
const PARAMETER = /^[\w.-]{1,100}$/

export function createTable(routes: readonly Route[]): Table {
  const places = Map.groupBy(routes, ({ path }) => path)
  const table = [...places].map(([path, all]) => ({ parts: path.split('/'), all }))
  // A literal wins over a parameter in the same place: `keys/new` is no key.
  table.sort((a, b) => rank(a.parts).localeCompare(rank(b.parts)))

  return (method, path) => {
    const segments = path.split('/')
    for (const { parts, all } of table) {
      const params = fit(parts, segments)
      if (!params) continue
      const route = all.find((it) => it.method === (method === 'HEAD' ? 'GET' : method))
      const allow = all.flatMap((it) => (it.method === 'GET' ? ['GET', 'HEAD'] : [it.method])).join(', ')
      return { route, params, allow }
    }
    return null
  }
}

function rank(parts: readonly string[]): string {
  return parts.map((part) => (part.startsWith(':') ? '1' : '0')).join('')
}

function fit(parts: readonly string[], segments: readonly string[]): Record<string, string> | null {
  if (parts.length !== segments.length) return null
  const params: Record<string, string> = {}
  for (const [i, part] of parts.entries()) {
    const segment = segments[i] ?? ''
    if (part.startsWith(':') && PARAMETER.test(segment)) params[part.slice(1)] = segment
    else if (part !== segment) return null
  }
  return params
}
