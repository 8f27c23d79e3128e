import type { Logger } from '../../../lib/log.ts'
import type { Handovers } from './handovers.ts'
import { SERVICE_WEIGHTS } from './orders.ts'
import { canTake, type ClusterLeases } from './view.ts'

interface OrderFollowerOptions {
  readonly serviceId: string
  readonly url: () => string
  readonly isHeld: (key: string) => boolean
  readonly handovers: Pick<Handovers, 'start'>
  /** Hands all shards over. */
  readonly leaveAll: () => Promise<void>
  readonly log: Logger
}

/** Carries out what an operator orders of this service. Where Redis has lost the orders, it stays with the last ones. */
export class OrderFollower {
  readonly #options: OrderFollowerOptions
  /** Shard → the order that was carried out last. */
  readonly #done = new Map<string, number>()
  #isDraining = false
  #weight: number = SERVICE_WEIGHTS.default

  constructor(options: OrderFollowerOptions) {
    this.#options = options
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  get weight(): number {
    return this.#weight
  }

  follow(view: ClusterLeases): void {
    const { serviceId, url, leaveAll, log } = this.#options
    const { drains, weights } = view.orders
    const isDraining = drains.get(serviceId) ?? this.#isDraining
    if (isDraining !== this.#isDraining) {
      this.#isDraining = isDraining
      log.info({ isDraining }, 'draining ordered by an operator')
      if (isDraining) void leaveAll()
    }
    this.#weight = weights.get(url()) ?? this.#weight
    this.#movePinned(view)
  }

  #movePinned(view: ClusterLeases): void {
    const { serviceId, isHeld, handovers } = this.#options
    const { pins } = view.orders
    for (const key of this.#done.keys()) if (!pins.has(key)) this.#done.delete(key)
    for (const [key, { to, orderedAtMs }] of pins) {
      if (to === serviceId || !isHeld(key) || this.#done.get(key) === orderedAtMs || !canTake(view, to, key)) continue
      this.#done.set(key, orderedAtMs)
      void handovers.start({ key, to })
    }
  }
}
