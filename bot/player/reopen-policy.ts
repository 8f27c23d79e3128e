import { Fault } from '../../lib/errors.ts'
import type { TrackException } from '../audio/node/protocol.ts'
import type { PlayerState } from './player-state.ts'

/** A track that breaks sooner than this after opening is broken at its position; reopening it would loop. */
const SHORTEST_RUN_MS = 2000

/**
 * Whether a track that broke off may be reopened: URLs of sound expire after hours, and a track
 * may be paused for longer. Each time something must have been heard, so that broken ones run out.
 */
export function canReopen(state: PlayerState, exception: TrackException | undefined): boolean {
  // The track would sound the same, and break off again.
  if (exception?.cause.startsWith('unplayable: ')) return false
  return state.started !== null && state.positionMs - state.started.positionMs >= SHORTEST_RUN_MS
}

/** Whether the track's address has expired, or its target is gone. */
export function isOutdated(error: unknown): boolean {
  return error instanceof Fault && error.code === 'not_found'
}
