import { expect } from 'chai'
import {
  createMemoryMeter,
  rateLimitRequest,
  type RateLimitResult,
  type RateLimiter,
} from '../../../api/limits/limiter.ts'
import { PLANS, type MeteredClass, type Plan } from '../../../lib/plans.ts'
import { mustAsk, play, readScenarios } from '../../support/meter.ts'

const ask = (plan: Plan, routeClass: MeteredClass) => mustAsk('p', plan, routeClass)

/** The rule with exact fractions: every request passed adds its cost, time takes it away. */
function createModel(now: () => number): RateLimiter {
  const levels = new Map<string, { units: bigint; at: number }>()
  const levelOf = (key: string, limit: number) => {
    const { units, at } = levels.get(key) ?? { units: 0n, at: now() }
    const left = units - BigInt(now() - at) * BigInt(limit)
    return left > 0n ? left : 0n
  }
  return {
    charge({ projectId, routeClass, limit, aggregate }) {
      const budgets = [
        { key: `${projectId}/${routeClass}`, limit },
        { key: `${projectId}/*`, limit: aggregate },
      ].map(({ key, limit }) => ({ key, limit, next: levelOf(key, limit) + 60_000n }))
      const waits = budgets.map(({ limit, next }) => {
        const over = next - 60_000n * BigInt(limit)
        return over <= 0n ? 0 : Number((over + BigInt(limit) - 1n) / BigInt(limit))
      })
      const [own = 0, total = 0] = waits
      if (own > 0 || total > 0) {
        return { allowed: false, spent: total > own ? 'aggregate' : 'class', waitMs: Math.max(own, total) }
      }
      for (const { key, next } of budgets) levels.set(key, { units: next, at: now() })
      const left = budgets.map(({ limit, next }) => Number((60_000n * BigInt(limit) - next) / 60_000n))
      return { allowed: true, remaining: Math.min(...left) }
    },
  }
}

describe('the meter in memory', () => {
  it('allows a burst of exactly the limit for every plan and class, then one request as time goes by', () => {
    for (const plan of Object.keys(PLANS) as Plan[]) {
      for (const routeClass of ['cheap', 'fetch', 'canvas', 'browser'] as const) {
        const limit = PLANS[plan][routeClass]
        if (limit === null) continue
        const clock = { nowMs: 1_000_000 }
        const meter = createMemoryMeter(() => clock.nowMs)
        const passed = () =>
          Array.from({ length: limit + 5 }, () => meter.charge(ask(plan, routeClass)) as RateLimitResult)
        expect(passed().filter(({ allowed }) => allowed).length, `${plan} ${routeClass}`).to.equal(limit)
        clock.nowMs += Math.ceil(60_000 / limit)
        expect(passed().filter(({ allowed }) => allowed).length, `${plan} ${routeClass} later`).to.equal(1)
      }
    }
  })

  it('charges neither budget when either is spent', () => {
    const meter = createMemoryMeter(() => 0)
    for (let i = 0; i < 500; i++) void meter.charge(ask('free', 'canvas'))
    let passed = 0
    for (let i = 0; i < 200; i++) passed += (meter.charge(ask('free', 'cheap')) as RateLimitResult).allowed ? 1 : 0
    for (let i = 0; i < 200; i++) passed += (meter.charge(ask('free', 'fetch')) as RateLimitResult).allowed ? 1 : 0
    expect(passed).to.equal(70)
  })

  it('decides as exact arithmetic does, over thousands of requests at odd moments', () => {
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % below
    }
    for (const plan of ['free', 'standard', 'advanced', 'scale'] as const) {
      const clock = { nowMs: 5 }
      const meter = createMemoryMeter(() => clock.nowMs)
      const model = createModel(() => clock.nowMs)
      for (let i = 0; i < 20_000; i++) {
        if (random(20) === 0) clock.nowMs += random(400)
        const wanted = ask(plan, (['cheap', 'fetch', 'canvas'] as const)[random(3)] ?? 'cheap')
        expect(meter.charge(wanted)).to.deep.equal(model.charge(wanted))
      }
    }
  })

  it('rounds the wait up where a plan leaves no whole milliseconds, and has no budget for what a plan lacks', () => {
    const clock = { nowMs: 0 }
    const meter = createMemoryMeter(() => clock.nowMs)
    for (let i = 0; i < 30; i++) void meter.charge(ask('free', 'cheap'))
    clock.nowMs = 1
    void meter.charge(ask('free', 'cheap'))
    for (let i = 0; i < 369; i++) void meter.charge(ask('standard', 'cheap'))
    expect(meter.charge(ask('standard', 'cheap'))).to.deep.equal({ allowed: false, spent: 'class', waitMs: 150 })
    expect(rateLimitRequest('p', 'free', 'browser')).to.equal(null)
    const cheap = { projectId: 'p', plan: 'free', routeClass: 'cheap', limit: 60, aggregate: 80 }
    expect(rateLimitRequest('p', 'free', 'cheap')).to.deep.equal(cheap)
  })

  it('forgets budgets that time has emptied', () => {
    const clock = { nowMs: 0 }
    const meter = createMemoryMeter(() => clock.nowMs)
    for (let i = 0; i < 60; i++) void meter.charge(ask('free', 'cheap'))
    clock.nowMs = 10 * 60_000
    expect(meter.charge(ask('free', 'cheap'))).to.deep.equal({ allowed: true, remaining: 59 })
  })

  for (const scenario of readScenarios()) {
    it(scenario.name, async () => {
      const clock = { nowMs: Date.UTC(2026, 0, 1) }
      await play(
        scenario,
        createMemoryMeter(() => clock.nowMs),
        clock,
      )
    })
  }
})
