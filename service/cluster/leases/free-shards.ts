import type { Clock } from '../../../bot/player/timers.ts'
import { assignFree, freeShards, hasOtherCount } from './spread.ts'
import type { ClusterLeases } from './view.ts'

/** The service that a free shard is meant for has this long to take it. */
const OTHERS_FIRST_MS = 1200

/** Chooses the free shards that this service takes. */
export class FreeShards {
  readonly #serviceId: string
  readonly #clock: Pick<Clock, 'nowMs'>
  /** Free shards that are meant for other services → since when. */
  readonly #freeSince = new Map<string, number>()

  constructor(serviceId: string, clock: Pick<Clock, 'nowMs'>) {
    this.#serviceId = serviceId
    this.#clock = clock
  }

  forMe(view: ClusterLeases, botIds: Iterable<string>): readonly string[] {
    const free = view.isEarly ? [] : freeShards(view, botIds).filter((key) => !hasOtherCount(view, key))
    for (const key of this.#freeSince.keys()) if (!free.includes(key)) this.#freeSince.delete(key)
    const assigned = assignFree(view, free)
    const nowMs = this.#clock.nowMs()
    return free.filter((key) => {
      if (assigned.get(key) === this.#serviceId) return true
      const sinceMs = this.#freeSince.get(key) ?? nowMs
      this.#freeSince.set(key, sinceMs)
      return nowMs - sinceMs > OTHERS_FIRST_MS
    })
  }
}

/** Returns the time until the first lease of another service expires unless it is renewed; Infinity where there is none. */
export function firstEndMs({ leases }: ClusterLeases, serviceId: string): number {
  const ends = [...leases.values()].filter((lease) => lease.serviceId !== null && lease.serviceId !== serviceId)
  return Math.min(Infinity, ...ends.map(({ leftMs }) => leftMs))
}

/**
 * All that Discord lets a new owner resume, and of the others no more than can log in soon: further services may start yet.
 * @param logins how many there is room for.
 */
export function chooseWanted({ leases }: ClusterLeases, free: readonly string[], logins: number): readonly string[] {
  const isRecent = (key: string): boolean => leases.get(key)?.isRecent ?? false
  const others = free.filter((key) => !isRecent(key))
  return [...free.filter(isRecent), ...others.slice(0, Math.max(0, logins))]
}
