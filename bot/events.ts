import type { PlayerRef } from './audio/node/protocol.ts'
import type { SourceFailure } from './sources/source-state.ts'
import type { Chapter } from './tracks/chapters.ts'
import type { Segment } from './tracks/segments.ts'
import type { Track } from './tracks/track.ts'

/** Why a track stopped, in the words of the field. */
export type TrackEndReason = 'finished' | 'loadFailed' | 'stopped' | 'replaced' | 'cleanup'
export type BotStopReason = 'shutdown' | 'disconnected' | 'unauthorized' | 'removed'

/** An event of a player or bot. Names and fields are those of the events socket; it adds `ready` and `ping`. */
export type BotEvent =
  | (PlayerRef & PlayerNews)
  | { readonly type: 'botStopped'; readonly botId: string; readonly reason: BotStopReason }
  | {
      readonly type: 'sourceChanged'
      readonly botId: string
      /** A source's name in `MUSIC_SOURCES`. */
      readonly source: string
      readonly state: 'ready' | SourceFailure
    }

export type PlayerNews =
  | { readonly type: 'trackStarted'; readonly track: Track }
  | { readonly type: 'trackEnded'; readonly reason: TrackEndReason }
  /** Number 1 is the first. */
  | { readonly type: 'chapterStarted'; readonly number: number; readonly chapter: Chapter }
  | { readonly type: 'segmentSkipped'; readonly segment: Segment }
  | { readonly type: 'queueEmptied' }
  | { readonly type: 'playerClosed'; readonly reason: 'idle' | 'disconnected' }

/** A screenshot or a render is over. For webhooks; the events socket speaks of players only. */
interface JobEnded {
  readonly type: 'jobEnded'
  readonly jobId: string
  readonly jobType: string
  readonly status: 'completed' | 'failed'
}

/** An event and whose it is; the project never leaves the service. */
export interface ProjectEvent {
  readonly projectId: string
  readonly event: BotEvent | JobEnded
  /** Another service of the installation told it, so that one has told all others as well. */
  readonly isFromPeer?: true
}

export interface EventBus {
  emit(event: ProjectEvent): void
  /**
   * @param passed of one who passes events on: resolves when all so far are where the end of this process does not take them.
   * @returns a function that ends the subscription.
   */
  subscribe(listener: (event: ProjectEvent) => void, passed?: () => Promise<unknown>): () => void
  /** Resolves when all who pass events on have passed those so far, or after a moment. Never rejects. */
  passed(): Promise<void>
}
