import { setTimeout as sleep } from 'node:timers/promises'
import type { ShardDirectory } from '../../bot/discord/shards/shard-directory.ts'

/** The end of one of several services: the load balancer takes it out, and the others take its shards. */
export type Departure = ReturnType<typeof createDeparture>

interface DepartureOptions {
  readonly directory: Pick<ShardDirectory, 'isShared' | 'isDraining' | 'drain'>
  /** Time for which requests are still served after `/readyz` said that they should go elsewhere. */
  readonly drainMs: number
}

export function createDeparture({ directory, drainMs }: DepartureOptions) {
  let isLeaving = false
  return {
    /** Whether requests should go to the other services from now on. */
    isLeaving: () => isLeaving || directory.isDraining,
    /** Hands all shards over, for as long as load balancers need to notice at least. Requests are still served meanwhile. */
    async leave() {
      isLeaving = true
      const notice = drainMs > 0 ? sleep(drainMs) : null
      await Promise.all([notice, directory.isShared ? directory.drain() : null])
    },
  }
}
