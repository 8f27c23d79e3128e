import { Fault, unprocessable } from '../../../lib/errors.ts'
import type { PlayerPatch } from '../inputs.ts'
import type { PlayerState } from '../player-state.ts'

/** @throws {Fault} `conflict` for what needs a track when none plays, `validation_error` for a position that it has not. */
export function assertPossible(state: PlayerState, { paused, positionMs }: PlayerPatch): void {
  const { current } = state.rotation
  if (current === null) {
    if (paused) throw nothingPlaying('nothing to pause')
    if (positionMs !== undefined) throw nothingPlaying('no position to set')
    return
  }
  if (positionMs === undefined) return
  const { isStream, lengthMs } = current.info
  if (isStream) {
    throw new Fault('conflict', 'The current track is a live stream. Live streams have no positions.', {
      reason: 'no_positions',
    })
  }
  if (lengthMs > 0 && positionMs > lengthMs) {
    const message = `Must be less than ${lengthMs}, the length of the current track in milliseconds.`
    throw unprocessable('no_such_position', message)
  }
}

export function nothingPlaying(what: string): Fault {
  return new Fault('conflict', `Nothing is playing, so there is ${what}.`, { reason: 'nothing_playing' })
}
