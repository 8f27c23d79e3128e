import { setTimeout as sleep } from 'node:timers/promises'
import type { ShardDirectory } from '../../bot/discord/shards/shard-directory.ts'

/** Of several services, the one that ends: the load balancer takes it out, then the others take its shards. */
export interface Departure {
  /** Whether requests should go to the other services from now on. A load balancer that asks has been told. */
  isLeaving(): boolean
  /** Hands all shards over. Requests are still served meanwhile. */
  leave(): Promise<void>
}

/** How long a load balancer that asked recently has to notice: two of its checks, as a rule. */
const NOTICE_MS = 2500
const NOTICED_AFTER = 2
const RECENT_MS = 10_000

export function createDeparture(directory: Pick<ShardDirectory, 'isShared' | 'isDraining' | 'drain'>): Departure {
  let askedAtMs = -Infinity
  let told = 0
  let isLeaving = false
  const noticed = Promise.withResolvers<void>()

  return {
    isLeaving() {
      askedAtMs = performance.now()
      if (isLeaving) told += 1
      if (told >= NOTICED_AFTER) noticed.resolve()
      return isLeaving || directory.isDraining
    },
    async leave() {
      if (!directory.isShared) return
      isLeaving = true
      const isWatched = performance.now() - askedAtMs < RECENT_MS
      if (isWatched) await Promise.race([noticed.promise, sleep(NOTICE_MS, undefined, { ref: false })])
      await directory.drain()
    },
  }
}
