import type { Clock } from '../../../bot/player/timers.ts'
import type { Logger } from '../../../lib/log.ts'

interface IdentifyOptions {
  /** @returns as `LeaseStore.takeIdentify`. */
  readonly take: () => Promise<number>
  readonly clock: Pick<Clock, 'after'>
  readonly log: Logger
}

/** While Redis does not answer. */
const RETRY_MS = 1000
/** A longer wait is asked for again: the number of logins may be reset, or another shard not need its turn. */
const LONGEST_WAIT_MS = 60_000

/** Waits until this shard may log in, by the limits that all services of its bot share. @throws when `signal` aborts. */
export async function waitForIdentify({ take, clock, log }: IdentifyOptions, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const waitMs = await take().catch((err: unknown) => {
      log.debug({ err }, 'asking for a login failed')
      return RETRY_MS
    })
    if (waitMs === 0) return
    if (waitMs < 0) log.warn({ waitMs: -waitMs }, 'no login left for this bot today')
    await pause(clock, Math.min(Math.abs(waitMs), LONGEST_WAIT_MS), signal)
  }
}

async function pause(clock: Pick<Clock, 'after'>, ms: number, signal: AbortSignal): Promise<void> {
  const done = Promise.withResolvers<void>()
  const cancel = clock.after(ms, done.resolve)
  signal.addEventListener('abort', () => done.resolve(), { once: true })
  await done.promise
  cancel()
}
