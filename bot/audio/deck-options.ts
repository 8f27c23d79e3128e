import type { FrameClock } from './frame-clock.ts'
import type { OpenFrames } from './open-frames.ts'

/** Where the frames go. */
export interface FrameOutlet {
  /** False while voice is being restored or keys are being agreed: frames wait. */
  readonly isSendable: boolean
  send(frame: Buffer): void
  stopSpeaking(): void
}

export interface FrameCounts {
  sent: number
  nulled: number
  late: number
}

/** What a deck tells; `playId` says about which track. */
export type DeckNews =
  | { readonly type: 'trackStarted' }
  | {
      readonly type: 'trackEnded'
      readonly reason: 'finished' | 'loadFailed'
      readonly message: string | null
      readonly followedBy?: number
    }
  | { readonly type: 'position'; readonly positionMs: number }
  | { readonly type: 'trackStuck'; readonly waitedMs: number }
  | { readonly type: 'layerEnded'; readonly layerId: string }
  | { readonly type: 'streamTitle'; readonly title: string }

export type DeckEvent = DeckNews & { readonly playId: number }

export interface DeckOptions {
  readonly outlet: FrameOutlet
  readonly clock: FrameClock
  readonly open: OpenFrames
  readonly counts: FrameCounts
  readonly tell: (event: DeckEvent) => void
}
