/** One image in memory: RGBA, 8 bits each, alpha not multiplied in, no padding between rows. */
export interface Frame {
  readonly width: number
  readonly height: number
  /** `width * height * 4` bytes. */
  readonly data: Uint8Array
}

/** A decoded picture: one frame, or the frames of an animation, each drawn out whole and all of one size. */
export interface Picture {
  readonly width: number
  readonly height: number
  /** At least one. */
  readonly frames: readonly Frame[]
  /** The duration of each frame; empty for a still picture. */
  readonly delaysMs: readonly number[]
  /** The number of times that an animation plays; 0 is for ever. */
  readonly plays: number
}

/** Formats that callers may ask for. */
export type WantedFormat = 'png' | 'jpeg' | 'webp'

/** The format of the result: as requested, or GIF for an animated GIF. */
export type OutputFormat = WantedFormat | 'gif'

/** An encoded picture. */
export interface ImageResult {
  readonly format: OutputFormat
  readonly width: number
  readonly height: number
  readonly frames: number
  readonly data: Buffer
}
