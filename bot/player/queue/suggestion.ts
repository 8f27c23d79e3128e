import { addTracks } from '../playback.ts'
import { channelOf } from '../phase.ts'
import type { QueuedTrack } from '../player-parts.ts'
import type { PlayerState } from '../player-state.ts'
import { prepareNext } from './next-track.ts'
import { NO_RULES } from './queue-limits.ts'

/** The data that autoplay needs to choose a track. */
export interface SuggestionRequest {
  /** The current track, or the last one played. */
  readonly seed: QueuedTrack
  readonly isPlaying: boolean
  readonly channelId: string
}

/** Null while nothing is to be chosen: tracks wait, one repeats or has no end, it is off, or no human listens. */
export function suggestionRequestOf(state: PlayerState): SuggestionRequest | null {
  const { rotation, nextTrack, suggestion, phase, parts } = state
  const { current, queue, past, loop } = rotation
  const channelId = channelOf(phase)
  if (channelId === null || phase.at === 'joining' || phase.at === 'closed' || state.isClosing || state.isAdrift)
    return null
  if (queue.length > 0 || nextTrack !== null || suggestion !== null) return null
  const seed = current ?? past[0]
  if (!seed || (current !== null && (loop !== 'off' || current.info.isStream))) return null
  return parts.autoplay.isOn && parts.countListeners(channelId) > 0
    ? { seed, isPlaying: current !== null, channelId }
    : null
}

/**
 * Takes what autoplay has chosen: plays it if nothing plays, and keeps it for the end of the queue otherwise.
 * @param seed what it was chosen for
 * @returns false if it came too late and is no longer needed.
 */
export async function suggest(state: PlayerState, track: QueuedTrack, seed: QueuedTrack): Promise<boolean> {
  if (suggestionRequestOf(state)?.seed !== seed) return false
  if (state.rotation.current === null) {
    await addTracks(state, [track], { rules: NO_RULES, when: 'last', total: null })
    return true
  }
  state.set({ suggestion: track })
  prepareNext(state)
  return true
}
