/** Limits of one picture, in and out. */
export const LIMITS = {
  inputBytes: 10 * 1024 * 1024,
  /** Width × height, over all frames. */
  inputPixels: 40_000_000,
  frames: 200,
  /** Larger pictures are worked on at this size; `size` may ask for less. */
  edge: 4096,
  smallestEdge: 16,
  /** The limit of all frames of an animation together: as many pixels as can be drawn and encoded in the time. */
  movingPixels: 12_000_000,
  outputBytes: 32 * 1024 * 1024,
  /** The time limit from the moment a worker has the job. */
  jobMs: 5000,
  /** Resident memory of one worker. */
  memoryBytes: 1024 * 1024 * 1024,
} as const
