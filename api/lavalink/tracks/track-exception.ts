import { exceptionOf } from '../../../bot/audio/node/track-exception.ts'
import { Fault } from '../../../lib/errors.ts'
import type { TrackException } from '../protocol/track.ts'

const UNKNOWN = 'Something went wrong while looking up the track.'
const LATE = 'The track was not found in time. Try again in a moment.'

/** Why a track was not found, in the words and with the severity that bots show. Of bugs it says nothing. */
export function toTrackException(error: unknown): TrackException & { readonly message: string } {
  const isLate = error instanceof DOMException && error.name === 'TimeoutError'
  const fault = isLate ? new Fault('timed_out', LATE) : error
  const { severity, cause } = exceptionOf(fault)
  const { message, source } = fault instanceof Fault ? fault : { message: UNKNOWN, source: undefined }
  const at = source === undefined ? '' : `\n\tat ${source}`
  return { message, severity, cause, causeStackTrace: `${cause}${at}` }
}
