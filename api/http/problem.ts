import { z } from 'zod'
import { BOT_REASONS, SOURCE_REASONS, type Fault } from '../../lib/errors.ts'
import { errorBody, PUBLIC_CODES, statusOf } from './errors.ts'
import type { ApiContext } from './request-state.ts'
import type { Route } from './route.ts'

export const PROBLEM_TYPE = 'application/problem+json'

/** The page that explains each code: the target of the `type` of a problem. */
export const ERRORS_PATH = '/docs/errors'

export const ProblemDetails = z
  .object({
    type: z.url().describe('Stable. Links to the meaning of the code.'),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('Same as `message` in the default format.'),
    instance: z.string().describe("URL of the request in the project's request log, if it is logged."),
    code: z.enum(PUBLIC_CODES).describe('Stable identifier. Branch on this value.'),
    errors: z
      .array(
        z.object({
          field: z.string().describe('Same as in `details` of the default format.'),
          detail: z.string(),
          pointer: z.string().optional().describe('JSON pointer to a field of the body.'),
        }),
      )
      .optional(),
    reason: z.enum([...SOURCE_REASONS, ...BOT_REASONS]).optional(),
    source: z.string().optional(),
    requestId: z.string(),
    retryAfter: z.int().optional().describe('Seconds to wait, same as `Retry-After` where there is one.'),
  })
  .meta({ id: 'Problem' })

/** Whether the caller likes problems (RFC 9457) better than the form that all other refusals have. */
export function wantsProblem(ctx: Pick<ApiContext, 'headers' | 'accepts'>): boolean {
  if (!ctx.headers.accept?.includes(PROBLEM_TYPE)) return false
  return ctx.accepts('application/json', PROBLEM_TYPE) === PROBLEM_TYPE
}

/** The same facts as `errorBody`. */
export function problemBody(fault: Fault, requestId: string, baseUrl: string): z.infer<typeof ProblemDetails> {
  const { error } = errorBody(fault, requestId)
  const { code, message, details, reason, source } = error
  return {
    type: `${baseUrl}${ERRORS_PATH}#${code}`,
    title: titleOf(code),
    status: statusOf(fault),
    detail: message,
    instance: `/v1/requests/${requestId}`,
    code,
    ...(details && { errors: details.map(withPointer) }),
    ...(reason && { reason }),
    ...(source !== undefined && { source }),
    requestId,
    ...(fault.retryAfterMs !== undefined && { retryAfter: retryAfterSeconds(fault.retryAfterMs) }),
  }
}

/** Whether refusals of a route have `Retry-After`: what no limit holds back says it in the body alone. */
export function hasRetryAfter(route: Pick<Route, 'class'> | null): boolean {
  return route?.class !== 'player' && route?.class !== 'open'
}

/** Value of `Retry-After`: whole seconds, rounded up. */
export function retryAfterSeconds(retryAfterMs: number): number {
  return Math.max(1, Math.ceil(retryAfterMs / 1000))
}

/** `rate_limited` → `Rate limited`. */
function titleOf(code: string): string {
  const words = code.replaceAll('_', ' ').replaceAll('api', 'API')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

function withPointer({ field, message: detail }: { readonly field: string; readonly message: string }) {
  const [place, ...path] = field.split('.')
  return { field, detail, ...(place === 'body' && { pointer: ['#', ...path].join('/') }) }
}
