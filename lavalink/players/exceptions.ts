import { Fault } from '../../lib/errors.ts'
import type { TrackException } from '../protocol/track.ts'

const MAX_CAUSE_CHARS = 500

/** Why a track did not play, in Lavalink's words: what is known of it is `common`, a source that failed `suspicious`. */
export function exceptionOf(thrown: unknown): TrackException {
  const fault = thrown instanceof Fault ? thrown : null
  const severity = !fault
    ? 'fault'
    : fault.code === 'validation_error' || fault.code === 'not_found'
      ? 'common'
      : 'suspicious'
  const message = fault?.message ?? 'Something broke when playing the track.'
  const cause = `${fault?.name ?? 'Error'}: ${message}`.slice(0, MAX_CAUSE_CHARS)
  return { message, severity, cause, causeStackTrace: cause }
}
