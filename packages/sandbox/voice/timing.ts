/** Timeouts of the voice server. */
export interface VoiceTiming {
  readonly heartbeatIntervalMs: number
  /** Time from the opened socket to op 0 or 7. */
  readonly identifyTimeoutMs: number
  /** Time in which a session whose socket was lost can be resumed. */
  readonly resumeGraceMs: number
  /** Changes of a group within this time are proposed together. */
  readonly batchWindowMs: number
  /** Time from op 27 to an acceptable op 28. */
  readonly commitTimeoutMs: number
  /** Time from op 21, 29 or 30 to op 22 if a client never answers with op 23. */
  readonly transitionTimeoutMs: number
}

export const DISCORD_TIMING: VoiceTiming = {
  heartbeatIntervalMs: 13_750,
  identifyTimeoutMs: 10_000,
  resumeGraceMs: 5000,
  batchWindowMs: 10,
  commitTimeoutMs: 3000,
  transitionTimeoutMs: 2000,
}
