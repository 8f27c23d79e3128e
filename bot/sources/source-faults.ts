import { Fault, type FaultReason } from '../../lib/errors.ts'
import { UpstreamFailure, type FailureKind } from '../../upstream/http/failure.ts'

/** Reasons for failed calls, as a listener needs them. */
const REASONS: Readonly<Record<FailureKind, FaultReason>> = {
  refused: 'source_refused',
  unreachable: 'unreachable',
  timed_out: 'unreachable',
  broken: 'unreachable',
  held_back: 'unreachable',
  crowded: 'no_answer',
  rejected: 'no_answer',
  redirected: 'no_answer',
  too_large: 'no_answer',
  malformed: 'no_answer',
}

/** Runs `work` of a source. What it throws carries the name of the source, unless it names another one already. */
export async function faultsOf<T>(source: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toSourceFault(source, error)
  }
}

function toSourceFault(source: string, error: unknown): unknown {
  if (error instanceof UpstreamFailure) {
    const reason = REASONS[error.facts.kind]
    return new Fault('service_unavailable', error.message, { reason, source, cause: error })
  }
  if (!(error instanceof Fault) || error.source !== undefined) return error
  const { code, message, reason, input, retryAfterMs: ms } = error
  const options = { reason, source, input, cause: error }
  return new Fault(code, message, ms === undefined ? options : { ...options, retryAfterMs: ms })
}
