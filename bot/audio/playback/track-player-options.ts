import type { FrameClock } from './frame-clock.ts'
import type { Prefetch, OpenFrames } from '../input/open-frames.ts'
import type { OpusCodecs } from '../mixing/opus-codecs.ts'
import type { FlightRecorder } from '../node/flight-recorder.ts'
import type { Counters } from '../node/counters.ts'
import type { AudioEvent, PlayerRef, Without } from '../node/protocol.ts'

export interface FrameOutlet {
  /** False while voice is being restored or keys are being agreed: frames wait. */
  readonly isSendable: boolean
  /** Why it is not sendable, in plain words. */
  readonly blockedBy?: string
  /** Whether frames are discarded while the track runs on. */
  readonly isUnheard?: boolean
  send(frame: Buffer): void
  stopSpeaking(): void
}

/** An event of a track player; `playId` says of which track. */
export type TrackPlayerEvent = Without<
  Exclude<Extract<AudioEvent, { playId: number }>, { type: 'trackCleanedUp' }>,
  keyof PlayerRef
>

export type TrackPlayerNews = Without<TrackPlayerEvent, 'playId'>

export interface TrackPlayerOptions {
  readonly outlet: FrameOutlet
  readonly clock: FrameClock
  readonly open: OpenFrames
  readonly prefetch?: Prefetch
  /** Null or left out: nothing fades or overlaps. */
  readonly codecs?: OpusCodecs | null
  readonly counts: Counters
  readonly recorder: FlightRecorder
  /** Time without data from a source before it is reported; defaults to 10 s. */
  readonly stuckMs?: number
  readonly emit: (event: TrackPlayerEvent) => void
}
