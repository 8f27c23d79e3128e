import type { Clock } from '../../bot/player/timers.ts'

/** A clock that stands still until the test moves it; timers fire on the way, in order. */
export interface HandClock extends Clock {
  advance(ms: number): Promise<void>
}

export function createHandClock(startMs = 1_000_000): HandClock {
  let nowMs = startMs
  const timers = new Map<symbol, { readonly atMs: number; readonly call: () => void }>()
  return {
    nowMs: () => nowMs,
    dateMs: () => nowMs,
    after(delayMs, call) {
      const key = Symbol('timer')
      timers.set(key, { atMs: nowMs + delayMs, call })
      return () => void timers.delete(key)
    },
    async advance(ms) {
      const untilMs = nowMs + ms
      for (;;) {
        const due = [...timers].filter(([, { atMs }]) => atMs <= untilMs).toSorted(([, a], [, b]) => a.atMs - b.atMs)
        const first = due[0]
        if (!first) break
        timers.delete(first[0])
        nowMs = Math.max(nowMs, first[1].atMs)
        first[1].call()
        await settle()
      }
      nowMs = untilMs
      await settle()
    },
  }
}

/** Lets everything that only waits for promises come to rest. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
}
