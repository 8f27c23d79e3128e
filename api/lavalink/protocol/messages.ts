import type { PluginEvent } from './plugin-events.ts'
import type { LavalinkPlayerState } from './player.ts'
import type { StatsObject } from './stats.ts'
import type { TrackException, TrackObject } from './track.ts'

export type TrackEndReason = 'finished' | 'loadFailed' | 'stopped' | 'replaced' | 'cleanup'

/** An event of a player. */
export type PlayerEvent = { readonly op: 'event'; readonly guildId: string } & (
  | { readonly type: 'TrackStartEvent'; readonly track: TrackObject }
  | { readonly type: 'TrackEndEvent'; readonly track: TrackObject; readonly reason: TrackEndReason }
  | { readonly type: 'TrackExceptionEvent'; readonly track: TrackObject; readonly exception: TrackException }
  | { readonly type: 'TrackStuckEvent'; readonly track: TrackObject; readonly thresholdMs: number }
  | {
      readonly type: 'WebSocketClosedEvent'
      readonly code: number
      readonly reason: string
      readonly byRemote: boolean
    }
)

/** All that goes over the socket, from us to the client alone. */
export type Message =
  | { readonly op: 'ready'; readonly resumed: boolean; readonly sessionId: string }
  | { readonly op: 'playerUpdate'; readonly guildId: string; readonly state: LavalinkPlayerState }
  | ({ readonly op: 'stats' } & StatsObject)
  | PlayerEvent
  | PluginEvent
