/** One image in memory: RGBA, 8 bits each, alpha not multiplied in, no padding between rows. */
export interface Frame {
  readonly width: number
  readonly height: number
  /** `width * height * 4` bytes. */
  readonly data: Uint8Array
}

/** What was decoded: one frame, or the frames of an animation, each drawn out whole and all of one size. */
export interface Picture {
  readonly width: number
  readonly height: number
  /** At least one. */
  readonly frames: readonly Frame[]
  /** How long each frame stands; empty for a still picture. */
  readonly delaysMs: readonly number[]
  /** How often an animation plays; 0 is for ever. */
  readonly plays: number
}

/** What callers may ask for. */
export type WantedFormat = 'png' | 'jpeg' | 'webp'

/** What goes out: as wished, or GIF for an animated GIF. */
export type OutputFormat = WantedFormat | 'gif'

/** An encoded picture. */
export interface ImageResult {
  readonly format: OutputFormat
  readonly width: number
  readonly height: number
  readonly frames: number
  readonly data: Buffer
}
