/** Counters of an audio thread since its start. A frame is 20 ms. */
export type Counters = ReturnType<typeof createCounters>

export function createCounters() {
  return {
    sent: 0,
    /** Silent frames sent because the source had no audio ready. */
    nulled: 0,
    /** Sent more than 20 ms after their time. */
    late: 0,
    /** Tracks without audio from their source for ten seconds. */
    stuck: 0,
    /** Tracks that ended because of their source, or could not be opened. */
    sourceErrors: 0,
    joins: 0,
    /** Opens of tracks that were encoded before, and of such that were not. */
    cacheHits: 0,
    cacheMisses: 0,
    /** Tracks that were encoded for later. */
    pressed: 0,
    /** Tracks with a loudness measurement. */
    measured: 0,
    /** ffmpeg processes started for playback. */
    transcodes: 0,
  }
}
