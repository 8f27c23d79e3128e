import { JobFailure } from '../queue/job.ts'
import { withTimeout } from '../../lib/deadline.ts'

/** Time limits of the stages of a screenshot. */
export interface StageTimes {
  /** Until the host answers, all redirects included. */
  readonly answerMs: number
  /** Covers all resources of the page; those that have not arrived by then are left out. */
  readonly loadMs: number
  /** Covers fonts, late pictures and fetches of scripts; a requested delay comes on top. */
  readonly settleMs: number
  /** On a busy machine a very tall page alone takes ten seconds. */
  readonly captureMs: number
  /** Time for the element of `waitFor` to appear. */
  readonly waitMs: number
}

export const STAGE_TIMES: StageTimes = {
  answerMs: 15_000,
  loadMs: 8000,
  settleMs: 15_000,
  captureMs: 30_000,
  waitMs: 8000,
}

/** Why a page that was opened cannot be photographed. */
export const BUSY = "The page's scripts block the browser."

/** @throws {JobFailure} when the step takes longer: a page whose scripts never pause answers no question. */
export function within<T>(timeMs: number, step: Promise<T>): Promise<T> {
  return withTimeout(timeMs, step, () => {
    throw new JobFailure('timed_out', BUSY)
  })
}
