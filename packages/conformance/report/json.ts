import type { Result } from '../suite/runner.ts'
import { count, type RunFacts } from './summary.ts'

export function jsonReport(facts: RunFacts, results: readonly Result[]): string {
  const { startedAt, ...rest } = facts
  const report = {
    suite: 'lavalink-conformance',
    ...rest,
    startedAt: startedAt.toISOString(),
    ...count(results),
    results,
  }
  return `${JSON.stringify(report, null, 2)}\n`
}
