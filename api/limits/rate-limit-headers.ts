import { PLANS, PLAN_NAMES, type MeteredClass, type Plan } from '../../lib/plans.ts'
import type { ApiContext } from '../http/request-state.ts'
import { setHeader } from '../http/response.ts'
import type { RateLimitRequest, RateLimitResult } from './limiter.ts'

const WINDOW_SECONDS = 60
/** The policy of all classes together, beside those that have the name of their class. */
const TOTAL = 'total'

/** The quotas of a class in a plan, as a structured field. Made once, since every answer has one. */
const POLICIES = Object.fromEntries(PLAN_NAMES.map((plan) => [plan, policiesOf(plan)])) as Readonly<
  Record<Plan, Readonly<Record<MeteredClass, string>>>
>

function policiesOf(plan: Plan): Readonly<Record<MeteredClass, string>> {
  const { players: _, aggregate, ...classes } = PLANS[plan]
  const policies = Object.entries(classes).map(([name, quota]) => [
    name,
    `${policy(name, quota)}, ${policy(TOTAL, aggregate)}`,
  ])
  return Object.fromEntries(policies) as Record<MeteredClass, string>
}

function policy(name: string, quota: number | null): string {
  return `"${name}";q=${quota};w=${WINDOW_SECONDS}`
}

/** Sets the headers of a metered answer's budget: those of the IETF's draft and the older `X-RateLimit-*`. */
export function setRateLimitHeaders(ctx: ApiContext, ask: RateLimitRequest, charged: RateLimitResult): void {
  const { plan, routeClass, limit } = ask
  const remaining = charged.allowed ? charged.remaining : 0
  setHeader(ctx, 'X-RateLimit-Class', routeClass)
  setHeader(ctx, 'X-RateLimit-Limit', String(limit))
  setHeader(ctx, 'X-RateLimit-Remaining', String(remaining))
  setHeader(ctx, 'RateLimit-Policy', POLICIES[plan][routeClass])
  const spent = charged.allowed || charged.spent === 'class' ? routeClass : TOTAL
  setHeader(ctx, 'RateLimit', `"${spent}";r=${remaining};t=${resetSeconds(limit, charged)}`)
}

/** Until all of the quota is there again; of a refusal until the next request passes, as `Retry-After` says. */
function resetSeconds(limit: number, charged: RateLimitResult): number {
  if (!charged.allowed) return Math.max(1, Math.ceil(charged.waitMs / 1000))
  return Math.ceil(((limit - charged.remaining) * WINDOW_SECONDS) / limit)
}
