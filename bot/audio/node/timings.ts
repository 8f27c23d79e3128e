/** Timeouts of a thread and delays of its restart. */
export const TIMINGS = {
  callMs: 10_000,
  /** Until a new thread answers: a busy machine takes long to load it. */
  startMs: 170_000,
  pingMs: 2000,
  /** Without a word for this long the thread hangs, and is replaced before a call would be given up. A busy machine holds it up for less. */
  silentMs: 8000,
  firstRestartMs: 100,
  lastRestartMs: 10_000,
  /** A thread that lived this long was healthy: its end is not one of a series. */
  healthyMs: 60_000,
} as const

export type Timings = { readonly [Name in keyof typeof TIMINGS]: number }
