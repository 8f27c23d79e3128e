import { parentPort, workerData } from 'node:worker_threads'
import { threadsNow } from '../../../../lib/clock.ts'
import type { ScriptRunner } from '../../../../lib/sharing/redis-script.ts'
import { HELD_FOR_MS, keepLeases, RENEW_MS, RETRY_MS, type HeldToken } from '../lease-store.ts'
import { PLACES, readTime, writeTime, type SharedTimes } from './shared-times.ts'

/** Data that the thread is started with. */
export interface KeeperData {
  readonly address: unknown
  /** Prefix of the leases' keys in Redis. */
  readonly prefix: string
  readonly serviceId: string
  readonly times: SharedTimes
}

/** A lease, and where in the shared times its last renewal stands. */
export interface KeptPlace extends HeldToken {
  readonly place: number
}

interface KeepingOptions {
  readonly times: SharedTimes
  /** @returns whether each is still held. @throws while Redis is away. */
  readonly keep: (held: readonly HeldToken[]) => Promise<readonly boolean[]>
  /** Returns the time of `threadsNow`. */
  readonly now: () => number
}

/**
 * A main thread that is not seen at work for so long hangs for good. Its leases live on for 3 s then; what it runs meanwhile
 * sounds on.
 */
export const HUNG_MS = 5000

/** Renews all leases of a service once. @returns when to do it again. Never rejects. */
export async function keepOnce(kept: readonly KeptPlace[], { times, keep, now }: KeepingOptions): Promise<number> {
  const sentMs = now()
  if (sentMs - readTime(times, PLACES.main) > HUNG_MS) return RENEW_MS
  try {
    const held = await keep(kept)
    for (const [at, { place }] of kept.entries()) if (held[at]) writeTime(times, place, sentMs)
    if (kept.length > 0 && held.every(Boolean)) writeTime(times, PLACES.heldUntil, sentMs + HELD_FOR_MS)
    return RENEW_MS
  } catch {
    // The main thread has its own connection, and logs what is wrong with Redis.
    return RETRY_MS
  }
}

/** Renews as long as this thread runs what the main thread says that it holds. @param redis fails at once where it is away. */
export function keepOn(redis: ScriptRunner): void {
  const { prefix, serviceId, times } = workerData as KeeperData
  let kept: readonly KeptPlace[] = []
  parentPort?.on('message', (message: readonly KeptPlace[]) => {
    kept = message
  })
  const keep = (held: readonly HeldToken[]) => keepLeases({ redis, prefix, serviceId }, held)
  const renew = async (): Promise<void> => {
    setTimeout(() => void renew(), await keepOnce(kept, { times, keep, now: threadsNow }))
  }
  void renew()
}
