import { SAMPLES_PER_FRAME } from '../containers/opus.ts'

/** The volume that is heard on its way to the one that is wanted, in one frame, for frames made at any volume. Percent. */
export class VolumeRamp {
  #wanted = 100
  #made = 100
  /** At the end of the last frame. */
  #heard = 100

  /** Volume at which frames are made. */
  get made(): number {
    return this.#made
  }

  set made(percent: number) {
    this.#made = percent
  }

  set wanted(percent: number) {
    this.#wanted = percent
  }

  /** Frames have the volume that is wanted. */
  get isPlain(): boolean {
    return this.#wanted === this.#made && this.#heard === this.#made
  }

  /** The loudest of this frame. */
  get loudest(): number {
    return Math.max(this.#heard, this.#wanted)
  }

  /** Returns the factor for each sample of a frame that was made at `made`. @param isNow false for a frame that was sent. */
  factors(made: number, isNow: boolean): (sample: number) => number {
    const from = this.#heard / made
    const step = isNow ? (this.#wanted - this.#heard) / made / SAMPLES_PER_FRAME : 0
    return (sample) => from + step * sample
  }

  /** The frame with these factors was sent, or nothing is heard on which a change could be. */
  arrive(): void {
    this.#heard = this.#wanted
  }

  /** A frame was sent as it was made. */
  fail(): void {
    this.#heard = this.#made
  }
}
