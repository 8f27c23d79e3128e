import { songOf } from '../../autoplay/song.ts'
import { EARLY_SKIP_MS } from '../../autoplay/chooser.ts'
import type { EndedTrack, QueuedTrack } from '../player-parts.ts'
import type { PlayerState } from '../player-state.ts'

/** A track that ends sooner than this after its beginning holds nothing; under a loop it would spin. */
const SHORTEST_PLAY_MS = 100

export function wasEmpty({ started, parts }: PlayerState): boolean {
  return started !== null && started.positionMs === 0 && parts.clock.nowMs() - started.atMs < SHORTEST_PLAY_MS
}

/** Hands the current track over to the history, before it is left. */
export function reportEnd(state: PlayerState, ended: EndedTrack['ended']): void {
  const { current: track } = state.rotation
  if (track === null) return
  const { clock, autoplay } = state.parts
  const startedAtMs = state.started && clock.dateMs() - (clock.nowMs() - state.started.atMs)
  autoplay.onTrackEnded({ track, startedAtMs, heardMs: state.positionMs, ended })
}

/** A skip this early is against the artist, too: autoplay chooses again if it meant to continue with them. */
export function rejectArtist(state: PlayerState): void {
  const { suggestion, rotation } = state
  if (suggestion === null || rotation.current === null || state.positionMs >= EARLY_SKIP_MS) return
  if (songOf(suggestion.info).artist === songOf(rotation.current.info).artist) state.set({ suggestion: null })
}

/** Reports the result and duration of opening a track. */
export function reportOpened(
  { parts }: PlayerState,
  { info }: QueuedTrack,
  outcome: 'playing' | 'failed',
  askedAtMs: number,
): void {
  const { observer, ref, projectId, clock } = parts
  const durationMs = clock.nowMs() - askedAtMs
  observer.opened({ ...ref, projectId, source: info.sourceName, outcome, durationMs })
}
