import type { Fader } from '../mixing/fader.ts'
import type { Recorder } from '../node/flight-recorder.ts'
import type { ActiveTrack } from './active-track.ts'
import type { FrameSender } from './frame-sender.ts'
import type { PlaybackReporter } from './playback-reporter.ts'

export interface RunAheadOptions {
  readonly fader: Fader
  readonly reporter: PlaybackReporter
  readonly recorder: Recorder
  readonly sender: FrameSender
}

interface Steadiness {
  readonly track: ActiveTrack | null
  readonly isSteady: boolean
}

/**
 * Frames of a track that are made ready and go out before they are taken from it. Who wants to know where the track is, or
 * to change what is heard, settles first: what went out is taken, and the rest is for others to decide about.
 */
export class RunAhead {
  readonly #options: RunAheadOptions
  #loaded: ActiveTrack | null = null

  constructor(options: RunAheadOptions) {
    this.#options = options
  }

  /** What follows; nothing unless the track sounds as it is. It is settled before anything of the track is read. */
  begin({ track, isSteady }: Steadiness): readonly Buffer[] {
    const { reporter, recorder } = this.#options
    const most = Math.min(reporter.quietFrames, recorder.spanFrames)
    const frames = track && isSteady && most > 0 ? track.following(most) : []
    if (!track || frames.length === 0) return frames
    this.#loaded = track
    track.settle = () => this.settle()
    return frames
  }

  settle(): void {
    const { fader, reporter, sender } = this.#options
    const loaded = this.#loaded
    if (!loaded) return
    this.#loaded = null
    loaded.settle = null
    const sent = sender.takeRun()
    reporter.passed(sent)
    for (let left = sent; left > 0; left--) {
      const frame = loaded.take()
      if (frame) fader.pass(frame, loaded)
    }
  }
}
