import type { TrackInfo } from '../../../bot/tracks/track.ts'
import { abortable } from '../../../lib/deadline.ts'
import { Fault } from '../../../lib/errors.ts'
import type { NodeCaller } from '../http/node-keys.ts'
import type { TrackObject } from '../protocol/track.ts'
import type { TrackService } from '../tracks/track-service.ts'
import type { WantedTrack } from './player-intent.ts'

/** Until a track that is named in words is found. */
const RESOLVE_TIMEOUT_MS = 30_000

/** A track that was asked for, as it goes over the wire and as sources know it. */
export interface GivenTrack {
  readonly track: TrackObject
  readonly info: TrackInfo
}

/** The track that a request names, if it names one. @throws {Fault} for what is no track, or not exactly one */
export async function findGivenTrack(
  tracks: TrackService,
  wanted: WantedTrack,
  { caller, signal }: { readonly caller: NodeCaller; readonly signal: AbortSignal },
): Promise<GivenTrack | null> {
  if (wanted.is === 'encoded') return { track: tracks.decode(wanted.encoded), info: tracks.read(wanted.encoded) }
  if (wanted.is !== 'identifier') return null
  const late = AbortSignal.timeout(RESOLVE_TIMEOUT_MS)
  const patience = AbortSignal.any([signal, late])
  try {
    const info = await abortable(tracks.resolve(wanted.identifier, caller, patience), patience)
    return { track: tracks.encode(info), info }
  } catch (cause) {
    if (signal.aborted) throw cause
    if (late.aborted) throw new Fault('bad_request', "The track wasn't found in time.", { cause })
    // Clients ask again where the status is 500 or more.
    throw cause instanceof Fault ? new Fault('bad_request', cause.message, { cause, reason: cause.reason }) : cause
  }
}
