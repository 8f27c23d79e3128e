import type { SavedPlayer } from '../../../db/music/players.ts'
import type { PlayerRef } from '../../audio/node/protocol.ts'
import type { Filters } from '../audio-settings/filters.ts'
import type { SleepTimer } from '../audio-settings/sleep-timer.ts'
import type { Volume } from '../audio-settings/volume-state.ts'
import { channelOf, isPaused, type Phase } from '../phase.ts'
import type { QueuedTrack } from '../player-parts.ts'
import type { Queue } from '../queue/queue.ts'

/** The part of a player's state that is stored. */
interface Saveable {
  readonly parts: { readonly projectId: string; readonly ref: PlayerRef }
  readonly phase: Phase
  readonly rotation: Queue<QueuedTrack>
  readonly positionMs: number
  readonly volume: Volume
  readonly filters: Filters
  readonly sleep: SleepTimer
  readonly nextTrack: QueuedTrack | null
}

/** The stored form of a player; null unless it is open. */
export function toSaved(state: Saveable): SavedPlayer | null {
  const channelId = channelOf(state.phase)
  if (channelId === null || state.phase.at === 'joining') return null
  const { current, queue, past, loop } = state.rotation
  return {
    projectId: state.parts.projectId,
    ...state.parts.ref,
    channelId,
    current: current && current.encoded,
    queue: queue.map(({ encoded }) => encoded),
    past: past.map(({ encoded }) => encoded),
    recommendation: current?.recommendation ?? null,
    requesterIds: [...(current ? [current] : []), ...queue].map(({ requesterId }) => requesterId),
    positionMs: state.positionMs,
    volume: state.volume.level,
    muted: state.volume.muted,
    volumeBeforeMute: state.volume.levelBeforeMute,
    paused: isPaused(state.phase),
    loop,
    filters: state.filters,
    sleep: state.sleep.setting,
    nextTrack: state.nextTrack && state.nextTrack.encoded,
  }
}
