/** `warn`: it runs, and something is lost. `fail`: it does not run, or not safely. */
type Verdict = 'ok' | 'warn' | 'fail'

/** The subject and result of a check. */
export interface Finding {
  readonly name: string
  readonly verdict: Verdict
  /** The state found, or the fault. */
  readonly found: string
  /** Advice for the operator; null if nothing needs doing. */
  readonly advice: string | null
}

export function ok(name: string, found: string): Finding {
  return { name, verdict: 'ok', found, advice: null }
}

export function warn(name: string, found: string, advice: string): Finding {
  return { name, verdict: 'warn', found, advice }
}

export function fail(name: string, found: string, advice: string): Finding {
  return { name, verdict: 'fail', found, advice }
}

/** A check of its own: what it throws is what it found. */
export async function guarded(name: string, look: () => Finding | Promise<Finding>): Promise<Finding> {
  try {
    return await look()
  } catch (error) {
    return fail(name, error instanceof Error ? error.message : String(error), 'Fix this, then run the doctor again.')
  }
}
