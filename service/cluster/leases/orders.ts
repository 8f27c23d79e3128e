import type { Signing } from '../signing.ts'

/** The service for a shard until that service ends or drains. */
interface ShardPin {
  readonly to: string
  /**
   * Time on the clock of the command line. Each order is carried out once, also where the service named fails to take the
   * shard.
   */
  readonly orderedAtMs: number
}

/** Orders of an operator. Services read them with each renewal; unnamed services and shards stay as they are. */
export interface ClusterOrders {
  /** Service → whether it hands its shards over and takes none. It ends with the process. */
  readonly drains: ReadonlyMap<string, boolean>
  /** URL of a service → its weight, which the next process at that URL has too. */
  readonly weights: ReadonlyMap<string, number>
  /** By shard. */
  readonly pins: ReadonlyMap<string, ShardPin>
}

export const NO_ORDERS: ClusterOrders = { drains: new Map(), weights: new Map(), pins: new Map() }

/** Share of the load of a service compared with the others, as an operator can set it. */
export const SERVICE_WEIGHTS = { default: 1, min: 1, max: 100 } as const

/** A field of the hash of orders and its value. */
export type Order = readonly [field: string, value: string]

export function drainOrder(serviceId: string, isDraining: boolean): Order {
  return [`drain ${serviceId}`, isDraining ? 'on' : 'off']
}

export function weightOrder(url: string, weight: number): Order {
  return [`weight ${url}`, String(weight)]
}

/** @param pin null: it runs wherever there is least to do. */
export function pinOrder(key: string, pin: ShardPin | null): Order {
  return [`pin ${key}`, pin ? `${pin.to} ${pin.orderedAtMs}` : '-']
}

export function signOrder([field, value]: Order, signing: Signing): Order {
  return [field, signing.sign(`order ${field}`, value)]
}

/** Reads the orders that our services and command line signed; leaves out all others. */
export function readOrders(signed: Iterable<Order>, signing: Signing): ClusterOrders {
  const [drains, weights] = [new Map<string, boolean>(), new Map<string, number>()]
  const pins = new Map<string, ShardPin>()
  for (const [field, text] of signed) {
    const value = signing.check(`order ${field}`, text)
    const [kind, name = ''] = field.split(' ')
    if (value === null) continue
    if (kind === 'drain') drains.set(name, value === 'on')
    if (kind === 'weight') weights.set(name, Number(value))
    const [to = '-', orderedAt = '0'] = value.split(' ')
    if (kind === 'pin' && to !== '-') pins.set(name, { to, orderedAtMs: Number(orderedAt) })
  }
  return { drains, weights, pins }
}
