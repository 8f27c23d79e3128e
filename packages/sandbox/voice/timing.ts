/** How long the voice server waits for its clients. */
export interface VoiceTiming {
  readonly heartbeatIntervalMs: number
  /** From the opened socket to op 0 or 7. */
  readonly identifyTimeoutMs: number
  /** How long a session whose socket was lost can be resumed. */
  readonly resumeGraceMs: number
  /** Changes of a group within this time are proposed together. */
  readonly batchWindowMs: number
  /** From op 27 to an acceptable op 28. */
  readonly commitTimeoutMs: number
  /** From op 21, 29 or 30 to op 22, where a client never answers with op 23. */
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
