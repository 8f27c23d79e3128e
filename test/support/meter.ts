import { expect } from 'chai'
import {
  rateLimitRequest,
  type RateLimitRequest,
  type RateLimitResult,
  type RateLimiter,
} from '../../api/limits/limiter.ts'
import type { MeteredClass, Plan } from '../../lib/plans.ts'
import { readTestData } from './test-data.ts'

interface Expected {
  readonly status: number
  readonly limit: number
  readonly remaining: number
  readonly retryAfter?: number
  readonly budget?: string
}

export interface Scenario {
  readonly name: string
  readonly steps: readonly {
    readonly t: number
    readonly class: MeteredClass
    readonly plan: Plan
    readonly n: number
    readonly allowed: number
    readonly project?: string
    readonly first: Expected
    readonly last?: Expected
  }[]
}

/** The scenarios that every meter follows. */
export function readScenarios(): readonly Scenario[] {
  return readTestData('limit-scenarios.json') as readonly Scenario[]
}

/** Plays a scenario on a meter whose clock is `clock`. Times begin at `startMs`. */
export async function play(scenario: Scenario, meter: RateLimiter, clock: { nowMs: number }): Promise<void> {
  const startMs = clock.nowMs
  for (const [i, step] of scenario.steps.entries()) {
    clock.nowMs = startMs + step.t
    const ask = mustAsk(`${scenario.name}/${step.project ?? 'p'}`, step.plan, step.class)
    const charges: RateLimitResult[] = []
    // One after the other: `first` and `last` speak of an order.
    for (let n = 0; n < step.n; n++) charges.push(await meter.charge(ask))
    const what = `step ${i} at ${step.t} ms`
    expect(charges.filter(({ allowed }) => allowed).length, what).to.equal(step.allowed)
    check(charges[0], ask, step.first, `${what}, first`)
    if (step.last) check(charges.at(-1), ask, step.last, `${what}, last`)
  }
}

export function mustAsk(projectId: string, plan: Plan, routeClass: MeteredClass): RateLimitRequest {
  const ask = rateLimitRequest(projectId, plan, routeClass)
  if (!ask) throw new Error(`The plan ${plan} has no class ${routeClass}.`)
  return ask
}

function check(charge: RateLimitResult | undefined, ask: RateLimitRequest, expected: Expected, what: string): void {
  expect(ask.limit, what).to.equal(expected.limit)
  const seen = charge?.allowed
    ? { status: 200, remaining: charge.remaining }
    : {
        status: 429,
        remaining: 0,
        retryAfter: Math.max(1, Math.ceil((charge?.waitMs ?? 0) / 1000)),
        budget: charge?.spent === 'class' ? ask.routeClass : 'aggregate',
      }
  const { status, remaining, retryAfter, budget } = expected
  expect(seen, what).to.deep.equal(status === 200 ? { status, remaining } : { status, remaining, retryAfter, budget })
}
