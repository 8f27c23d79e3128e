/** Anything with a method and a path of literal and `{named}` segments: `/channels/{channelId}/messages`. */
export interface Addressed {
  readonly method: string
  readonly path: string
}

export type Match<R extends Addressed> =
  | { readonly is: 'found'; readonly route: R; readonly params: Readonly<Record<string, string>> }
  | { readonly is: 'wrong-method'; readonly allowed: readonly string[] }
  | { readonly is: 'unknown' }

export type Router<R extends Addressed> = (method: string, segments: readonly string[]) => Match<R>

/** Finds routes by already decoded segments. Where several fit, the one whose literals come first wins. */
export function createRouter<R extends Addressed>(routes: readonly R[]): Router<R> {
  const table = routes
    .map((route) => ({ route, parts: route.path.split('/').slice(1) }))
    .toSorted((a, b) => rank(a.parts).localeCompare(rank(b.parts)))

  return (method, segments) => {
    const allowed = new Set<string>()
    for (const { route, parts } of table) {
      const params = fit(parts, segments)
      if (!params) continue
      if (route.method === method) return { is: 'found', route, params }
      allowed.add(route.method)
    }
    return allowed.size > 0 ? { is: 'wrong-method', allowed: [...allowed] } : { is: 'unknown' }
  }
}

const nameOf = (part: string): string | undefined => /^\{(\w+)\}$/.exec(part)?.[1]

const rank = (parts: readonly string[]): string => parts.map((part) => (nameOf(part) ? '1' : '0')).join('')

function fit(parts: readonly string[], segments: readonly string[]): Record<string, string> | null {
  if (parts.length !== segments.length) return null
  const params: Record<string, string> = {}
  for (const [i, part] of parts.entries()) {
    const name = nameOf(part)
    const segment = segments[i] ?? ''
    if (name) params[name] = segment
    else if (part !== segment) return null
  }
  return params
}

/** The decoded segments of a path; null when it is not validly encoded. */
export function segmentsOf(pathname: string): readonly string[] | null {
  try {
    return pathname.split('/').slice(1).map(decodeURIComponent)
  } catch {
    return null
  }
}
