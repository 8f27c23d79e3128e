/**
 * Addresses of the pages of requests. They are stable: usage, jobs, webhooks, the API's `Link` header and docs/api.md lead
 * there.
 *
 *     /dashboard/projects/{projectId}/requests?status=5xx&route=play&key=key_…&code=…&q={text}&from=…&to=…
 *     /dashboard/projects/{projectId}/requests/{requestId}
 *     /dashboard/requests/{requestId}      for whom the project is not known: finds it among those of the account
 *
 * `status` is a status, a class such as `5xx`, or `error`; `route` the name of a route; `from` and `to` are ISO 8601, in UTC
 * where they name no zone, `to` is excluded.
 */
export interface RequestFilter {
  readonly status?: string | undefined
  readonly route?: string | undefined
  readonly key?: string | undefined
  readonly code?: string | undefined
  /** A part of the path, the error, the key's name or the request ID. */
  readonly q?: string | undefined
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
}

export function requestsPath(projectId: string, filter: RequestFilter = {}): string {
  const { fromMs, toMs, ...texts } = filter
  const from = fromMs === undefined ? undefined : new Date(fromMs).toISOString()
  const to = toMs === undefined ? undefined : new Date(toMs).toISOString()
  const pairs = Object.entries({ ...texts, from, to }).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const query = new URLSearchParams(pairs).toString()
  const base = `/dashboard/projects/${projectId}/requests`
  return query === '' ? base : `${base}?${query}`
}

/** @param id picks one of several requests that were sent with one request id. */
export function requestPath(projectId: string, requestId: string, id?: number): string {
  const which = id === undefined ? '' : `?n=${id.toString(36)}`
  return `/dashboard/projects/${projectId}/requests/${requestId}${which}`
}
