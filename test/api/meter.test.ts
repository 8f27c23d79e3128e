import { expect } from 'chai'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { askFor, createMemoryMeter, type Ask, type Charge, type Meter } from '../../api/meter.ts'
import { PLANS, type MeteredClass, type Plan } from '../../plans.ts'

/** Published scenarios, where this checkout has them beside it. */
const vectorFile = join(import.meta.dirname, '..', '..', '..', 'shared', 'data', 'ratelimit-vectors.json')

interface Expected {
  readonly status: number
  readonly remaining?: number
  readonly limit?: number
  readonly retryAfter?: number
  readonly budget?: string
}

interface Step {
  readonly t: number
  readonly class: MeteredClass
  readonly plan: Plan
  readonly project?: string
  readonly n: number
  readonly allowed: number
  readonly first?: Expected
  readonly last?: Expected
}

function ask(plan: Plan, routeClass: MeteredClass, projectId = 'p'): Ask {
  const found = askFor(projectId, plan, routeClass)
  if (!found) throw new Error(`${routeClass} is not part of ${plan}`)
  return found
}

function assertExpected(charge: Charge, expected: Expected, asked: Ask, what: string): void {
  expect(charge.allowed ? 200 : 429, what).to.equal(expected.status)
  if (expected.limit !== undefined) expect(asked.limit, what).to.equal(expected.limit)
  if (charge.allowed) {
    expect(charge.remaining, what).to.equal(expected.remaining)
    return
  }
  expect(Math.max(1, Math.ceil(charge.waitMs / 1000)), what).to.equal(expected.retryAfter)
  expect(charge.spent === 'class' ? asked.routeClass : 'aggregate', what).to.equal(expected.budget)
}

/** The rule with exact fractions: every request passed adds its cost, time takes it away. */
function createModel(now: () => number): Meter {
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
        const passed = () => Array.from({ length: limit + 5 }, () => meter.charge(ask(plan, routeClass)) as Charge)
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
    for (let i = 0; i < 200; i++) passed += (meter.charge(ask('free', 'cheap')) as Charge).allowed ? 1 : 0
    for (let i = 0; i < 200; i++) passed += (meter.charge(ask('free', 'fetch')) as Charge).allowed ? 1 : 0
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

  it('forgets budgets that time has emptied', () => {
    const clock = { nowMs: 0 }
    const meter = createMemoryMeter(() => clock.nowMs)
    for (let i = 0; i < 60; i++) void meter.charge(ask('free', 'cheap'))
    clock.nowMs = 10 * 60_000
    expect(meter.charge(ask('free', 'cheap'))).to.deep.equal({ allowed: true, remaining: 59 })
  })

  it('holds against the published scenarios', function () {
    if (!existsSync(vectorFile)) {
      console.log(`      (${vectorFile} is not here: only the tests above were run)`)
      this.skip()
    }
    const { scenarios }: { scenarios: { name: string; steps: Step[] }[] } = JSON.parse(readFileSync(vectorFile, 'utf8'))
    expect(scenarios.length).to.be.greaterThan(0)
    for (const { name, steps } of scenarios) {
      const clock = { nowMs: Date.UTC(2026, 0, 1) }
      const meter = createMemoryMeter(() => clock.nowMs)
      const startMs = clock.nowMs
      for (const [at, step] of steps.entries()) {
        clock.nowMs = startMs + step.t
        const asked = ask(step.plan, step.class, step.project)
        const charges = Array.from({ length: step.n }, () => meter.charge(asked) as Charge)
        const what = `${name}, step ${at}`
        expect(charges.filter(({ allowed }) => allowed).length, what).to.equal(step.allowed)
        if (step.first) assertExpected(charges[0] as Charge, step.first, asked, what)
        if (step.last) assertExpected(charges.at(-1) as Charge, step.last, asked, what)
      }
    }
  })
})
