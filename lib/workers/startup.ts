import { abortable, settleWithin } from '../deadline.ts'
import { Fault } from '../errors.ts'
import type { Logger } from '../log.ts'

/** Far above what the slowest step takes on a busy machine. */
const LIMIT_MS = 180_000
const REPORT_EVERY_MS = 5000
/** Time for an abandoned step to close what it has opened. */
const CLEANUP_MS = 3500

export interface StepOptions {
  readonly log: Logger
  /** Aborts when the program has to stop while it starts. */
  readonly signal: AbortSignal
  readonly limitMs?: number
}

/**
 * Waits for one step of a start, for minutes where the machine is slow, and logs every 5 s what it waits for. The signal
 * that `run` gets aborts when the step is given up.
 * @throws {Fault} `timed_out` after `limitMs`, 3 minutes by default; the reason of `signal` when that aborts.
 */
export async function awaitStep<T>(
  step: string,
  run: (signal: AbortSignal) => Promise<T>,
  { log, signal, limitMs = LIMIT_MS }: StepOptions,
): Promise<T> {
  const startedMs = performance.now()
  const report = setInterval(() => {
    log.warn({ step, waitedMs: Math.round(performance.now() - startedMs) }, 'startup waiting')
  }, REPORT_EVERY_MS)
  const ended = AbortSignal.any([signal, AbortSignal.timeout(limitMs)])
  const work = run(ended)
  try {
    return await abortable(work, ended)
  } catch (error) {
    if (!ended.aborted) throw error
    await settleWithin(CLEANUP_MS, work)
    signal.throwIfAborted()
    const waited = `didn't start within ${limitMs / 1000} s`
    throw new Fault(
      'timed_out',
      `${step} ${waited}. Read the log for its last step, and check the load of the machine.`,
    )
  } finally {
    clearInterval(report)
  }
}
