import { Fault, type FaultCode, type FaultReason } from '../../../lib/errors.ts'
import type { TrackException } from './protocol.ts'

type Severity = TrackException['severity']

/** Lavalink's three: nothing is wrong but the track, something outside is, and what we cannot explain. */
const OF_CODE: Readonly<Record<FaultCode, Severity>> = {
  bad_request: 'common',
  invalid_api_key: 'common',
  api_key_revoked: 'common',
  forbidden: 'common',
  player_limit: 'common',
  not_found: 'common',
  method_not_allowed: 'common',
  conflict: 'common',
  precondition_failed: 'common',
  validation_error: 'common',
  rate_limited: 'suspicious',
  service_unavailable: 'suspicious',
  upstream_failed: 'suspicious',
  timed_out: 'suspicious',
  internal_error: 'fault',
}

/** Reasons that say more than their code. */
const OF_REASON: ReadonlyMap<FaultReason, Severity> = new Map<FaultReason, Severity>([
  ['source_off', 'common'],
  ['nothing_found', 'common'],
  ['private', 'common'],
  ['region', 'common'],
  ['age', 'common'],
  ['episode', 'common'],
  ['unplayable', 'common'],
  ['address_refused', 'common'],
  ['source_refused', 'suspicious'],
  ['unreachable', 'suspicious'],
  ['no_answer', 'suspicious'],
])

/** Anything thrown on the way to a track's frames, as Lavalink tells it. What is no `Fault` is a bug, and says nothing. */
export function exceptionOf(error: unknown): TrackException {
  if (!(error instanceof Fault)) {
    return { message: 'Something broke when playing the track.', severity: 'fault', cause: 'internal_error' }
  }
  const { code, reason, message } = error
  const severity = (reason && OF_REASON.get(reason)) ?? OF_CODE[code]
  return { message, severity, cause: `${reason ?? code}: ${message}` }
}
