import type { ProjectRequest } from '../../http/page-request.ts'
import { requestsPath, type RequestFilter } from '../requests/address.ts'
import type { Steps } from './ranges.ts'

/** Request log filters for counts. */
export const STATUS_FILTERS = {
  ok: '2xx',
  clientErrors: '4xx',
  limited: '429',
  serverErrors: '5xx',
} as const

export type CountFilter = Pick<RequestFilter, 'status' | 'route' | 'key'>

/** Retention of single requests in the request log. */
const LOGGED_MS = 7 * 86_400_000

/** The request log of each step; null if its requests are gone. */
export function stepLinks({ context, project }: ProjectRequest, { starts, stepMs }: Steps): readonly (string | null)[] {
  const oldestMs = context.requests.isOn ? context.now() - LOGGED_MS : Infinity
  return starts.map((fromMs) =>
    fromMs + stepMs > oldestMs ? requestsPath(project.id, { fromMs, toMs: fromMs + stepMs }) : null,
  )
}

/** Links the requests of a range that the log still has. */
export function rangeLink(
  { context, project }: ProjectRequest,
  { sinceMs, untilMs }: Steps,
  filter: CountFilter,
): string {
  const fromMs = Math.max(sinceMs, context.now() - LOGGED_MS)
  return requestsPath(project.id, { ...filter, fromMs, toMs: untilMs })
}
