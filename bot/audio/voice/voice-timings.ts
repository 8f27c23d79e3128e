export const VOICE_TIMINGS = {
  /** One join: both gateway events, the voice socket, IP discovery (which the library never repeats) and the keys. */
  attemptMs: 4000,
  /** All of a first join or a move; callers wait for it. */
  joinMs: 9000,
  /** After a close that may be a move: how long to wait for the new voice server. */
  moveMs: 5000,
  /** Discord takes a broken voice server away and names the next one when it has it. */
  serverGoneMs: 15_000,
  /** Held so long, a connection has recovered, and the next loss counts from zero. */
  stableMs: 10_000,
  /** The longest that a join is held back for Discord's limit: that of 2,500 guilds, which one connection may have. */
  heldMs: 1_800_000,
  /** Before the second join after a loss; each further wait is twice as long. */
  backOffMs: 500,
  /** Lavalink gives a track up that no voice connection took a frame of for this long. */
  cleanupMs: 60_000,
} as const

export type VoiceTimings = { readonly [Name in keyof typeof VOICE_TIMINGS]: number }
