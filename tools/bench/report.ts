/** The result of a bench, as a line for people and, when `tools/bench/all.ts` started it, as a row of its table. */

/** A lower or upper bound: of the ratio, or of the service's own number. */
interface Goal {
  readonly of: 'ratio' | 'own'
  readonly atLeast?: number
  readonly atMost?: number
}

export const ownAtMost = (atMost: number): Goal => ({ of: 'own', atMost })
export const ratioAtMost = (atMost: number): Goal => ({ of: 'ratio', atMost })
export const ratioAtLeast = (atLeast: number): Goal => ({ of: 'ratio', atLeast })

export interface Finding {
  readonly what: string
  readonly own: number
  /** The unit of both numbers, as written behind them: ` ms`, `/s`, ` %`. */
  readonly unit: string
  /** The same of something else, measured in the same run. */
  readonly beside: { readonly whom: string; readonly value: number } | null
  readonly goal: Goal | null
}

export function ratioOf({ own, beside }: Finding): number | null {
  return beside ? own / beside.value : null
}

/** @returns null if there is no goal. */
export function isMet(finding: Finding): boolean | null {
  const { goal, own } = finding
  const value = goal?.of === 'ratio' ? ratioOf(finding) : own
  if (!goal || value === null) return null
  return value >= (goal.atLeast ?? -Infinity) && value <= (goal.atMost ?? Infinity)
}

export function goalInWords({ goal, unit }: Finding): string {
  if (!goal) return ''
  const after = goal.of === 'own' ? unit : ''
  return goal.atLeast === undefined ? `≤ ${goal.atMost}${after}` : `≥ ${goal.atLeast}${after}`
}

/** Three digits that count, and no exponents. */
export function numberInWords(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)))
}

export function report(finding: Finding): void {
  const { what, own, unit, beside } = finding
  const ratio = ratioOf(finding)
  const peer =
    beside && ratio !== null ? `; ${beside.whom} ${numberInWords(beside.value)}${unit}: ${ratio.toFixed(2)}` : ''
  const goal = finding.goal ? ` (goal: ${goalInWords(finding)}, ${isMet(finding) ? 'met' : 'missed'})` : ''
  console.log(`= ${what}: ${numberInWords(own)}${unit}${peer}${goal}`)
  process.send?.({ finding })
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}
