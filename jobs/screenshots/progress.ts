import { JobFailure } from '../queue/job.ts'
import { withTimeout } from '../../lib/deadline.ts'

/** What each stage of a screenshot may take. */
export interface StageTimes {
  /** Until the host answers, all redirects included. */
  readonly answerMs: number
  /** For all that belongs to the page; what has not come by then is left out. */
  readonly loadMs: number
  /** For fonts, late pictures and what scripts fetch; a delay that was asked for comes on top. */
  readonly settleMs: number
  /** On a busy machine a very tall page alone takes ten seconds. */
  readonly captureMs: number
  /** For the element of `waitFor` to appear. */
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
export const BUSY = 'The scripts of the page block the browser.'

/** @throws {JobFailure} when the step takes longer: a page whose scripts never pause answers no question. */
export function within<T>(timeMs: number, step: Promise<T>): Promise<T> {
  return withTimeout(timeMs, step, () => {
    throw new JobFailure('timed_out', BUSY)
  })
}
