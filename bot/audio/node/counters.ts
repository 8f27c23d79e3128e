/** Counters of an audio thread since its start. A frame is 20 ms. */
export interface Counters {
  sent: number
  /** Silent frames sent because the source had no audio ready. */
  nulled: number
  /** Sent more than 20 ms after their time. */
  late: number
  /** Tracks without audio from their source for ten seconds. */
  stuck: number
  /** Tracks that ended because of their source, or could not be opened. */
  sourceErrors: number
  /** Joined voice channels. */
  joins: number
  /** Opens of tracks that were encoded before, and of such that were not. */
  cacheHits: number
  cacheMisses: number
  /** Tracks that were encoded for later. */
  pressed: number
  /** Tracks with a loudness measurement. */
  measured: number
  /** ffmpeg processes started for playback. */
  transcodes: number
}

export function createCounters(): Counters {
  return {
    sent: 0,
    nulled: 0,
    late: 0,
    stuck: 0,
    sourceErrors: 0,
    joins: 0,
    cacheHits: 0,
    cacheMisses: 0,
    pressed: 0,
    measured: 0,
    transcodes: 0,
  }
}
