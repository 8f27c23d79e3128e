import type { WebhookEvent } from './webhooks.ts'

/** `test` is what a person sends to see whether it arrives. */
type DeliveryType = WebhookEvent | 'test'
export type DeliveryState = 'pending' | 'delivered' | 'failed'

/** Why there was no answer. `not_allowed`: the address is not a public one. `no_secret`: it could not be signed. */
export type AttemptError = 'timed_out' | 'unreachable' | 'not_allowed' | 'bad_certificate' | 'malformed' | 'no_secret'

export interface Attempt {
  readonly atMs: number
  readonly durationMs: number
  /** Status of the answer; null if there was none, and `error` says why. */
  readonly status: number | null
  readonly error: AttemptError | null
  /** The beginning of the answer. */
  readonly excerpt: string
}

/** One event for one webhook. */
export interface Delivery {
  /** Also what the receiver sees as `webhook-id`, the same at each attempt. */
  readonly id: string
  readonly number: number
  readonly webhookId: string
  readonly type: DeliveryType
  readonly state: DeliveryState
  readonly attempts: number
  /** Null unless it is pending. */
  readonly nextAtMs: number | null
  readonly createdAtMs: number
}

export interface ListedDelivery extends Delivery {
  readonly last: Attempt | null
}

/** A delivery with all there is to know of it. */
export interface WholeDelivery extends Delivery {
  readonly body: string
  /** The first one first; at most twenty. */
  readonly tries: readonly Attempt[]
}

/** A delivery to send, and its address. */
export interface DueDelivery {
  readonly id: string
  readonly url: string
  readonly type: DeliveryType
  readonly body: string
  readonly triesLeft: number
  readonly nextAtMs: number
  readonly failingSinceMs: number | null
}

export interface NewDelivery {
  readonly projectId: string
  readonly webhookId: string
  readonly id: string
  readonly type: DeliveryType
  readonly body: string
}

/** Something that webhooks may want to hear of. */
export interface DeliveryAttempt {
  readonly projectId: string
  readonly type: WebhookEvent
  /** Null: of no bot. */
  readonly botId: string | null
  readonly body: string
  /** The id of its delivery to a webhook. */
  readonly idFor: (webhookId: string) => string
}

export interface Waiting {
  readonly projectId: string
  readonly webhookId: string
}

export interface DeliveryQuestion {
  readonly projectId: string
  readonly webhookId: string
  readonly state: DeliveryState | null
  /** Only older ones than this number; null: from the latest on. */
  readonly before: number | null
  readonly limit: number
}
