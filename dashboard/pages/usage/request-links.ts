import type { ProjectRequest } from '../../http/page-request.ts'
import type { Steps } from './ranges.ts'

/** So long single requests are kept in the request log. */
const LOGGED_MS = 7 * 86_400_000

export interface RequestFilter {
  readonly status?: keyof typeof STATUS
  readonly route?: string
  readonly key?: string
  readonly class?: string
}

const STATUS = { ok: '2xx', clientErrors: '4xx', limited: '429', serverErrors: '5xx', error: 'error' } as const

export function filterOf({ status, ...others }: RequestFilter): string {
  return new URLSearchParams({ ...(status && { status: STATUS[status] }), ...others }).toString()
}

/** The request log of a time. */
export function requestsUrl({ project }: ProjectRequest, fromMs: number, toMs: number): string {
  const query = new URLSearchParams({ from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() })
  return `/dashboard/projects/${project.id}/requests?${query.toString()}`
}

/** The request log of each step; null where its requests are gone. */
export function stepLinks(request: ProjectRequest, { starts, stepMs }: Steps): readonly (string | null)[] {
  const oldestMs = request.context.now() - LOGGED_MS
  return starts.map((ms) => (ms + stepMs > oldestMs ? requestsUrl(request, ms, ms + stepMs) : null))
}

/** The request log of what is left there of a range. */
export function rangeLink(request: ProjectRequest, { sinceMs, untilMs }: Steps, filter: RequestFilter): string {
  const fromMs = Math.max(sinceMs, request.context.now() - LOGGED_MS)
  return `${requestsUrl(request, fromMs, untilMs)}&${filterOf(filter)}`
}
