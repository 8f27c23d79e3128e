import { monotonicNow } from '../../../lib/clock.ts'

/** Discord answers a join within a fraction of a second. Audio threads ask again after as long. */
const ANSWERED_WITHIN_MS = 4000
/** Heartbeats have shown within this time whether the connection works, so the silence was about one channel. */
const REMEMBERED_MS = 120_000

/** Whether Discord answers the joins of a bot: its heartbeats show a connection that is only open after a minute or more. */
export type JoinAnswers = ReturnType<typeof createJoinAnswers>

export function createJoinAnswers(now: () => number = monotonicNow) {
  const waiting = new Map<string, { readonly sinceMs: number; lastMs: number }>()

  function forgetOld(nowMs: number): void {
    for (const [guildId, { lastMs }] of waiting) if (nowMs - lastMs > REMEMBERED_MS) waiting.delete(guildId)
  }

  return {
    asked(guildId: string) {
      const nowMs = now()
      forgetOld(nowMs)
      const before = waiting.get(guildId)
      if (before) before.lastMs = nowMs
      else waiting.set(guildId, { sinceMs: nowMs, lastMs: nowMs })
    },
    /** Discord told of the bot's own voice there, or its connection for the guild is a fresh one. */
    answered(isOfConnection: (guildId: string) => boolean) {
      for (const guildId of waiting.keys()) if (isOfConnection(guildId)) waiting.delete(guildId)
    },
    get isSilent(): boolean {
      const nowMs = now()
      forgetOld(nowMs)
      return waiting.values().some(({ sinceMs }) => nowMs - sinceMs >= ANSWERED_WITHIN_MS)
    },
  }
}
