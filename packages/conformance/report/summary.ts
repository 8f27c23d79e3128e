import type { Result } from '../suite/runner.ts'

/** Facts of a run, for the head of every report. */
export interface RunFacts {
  readonly url: string
  /** The version that the server reports. */
  readonly serverVersion: string | null
  readonly suiteVersion: string
  readonly startedAt: Date
  readonly ms: number
}

export function count(results: readonly Result[]) {
  const of = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length
  return { passed: of('passed'), failed: of('failed'), skipped: of('skipped') }
}

/** Failures that make a server nonconforming; those of `should` only do where they are asked for. */
export function decisive(results: readonly Result[], isStrict: boolean): readonly Result[] {
  return results.filter(({ outcome, level }) => outcome === 'failed' && (isStrict || level !== 'should'))
}
