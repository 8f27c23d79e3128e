/** A change that a caller may send twice. */
export interface KeyedRequest {
  readonly projectId: string
  /** The bot or pool of the request; empty without one. Keys are unique per project: another bot asks something else. */
  readonly owner: string
  readonly key: string
  /** SHA-256 of all that it asks, as it was parsed. */
  readonly digest: Buffer
}

export interface KeptAnswer {
  readonly status: number
  /** The body; null if it was too long to store. */
  readonly answer: string | null
  readonly etag: string | null
}

/** Longer ones are not stored as they are, in characters. */
export const LONGEST_ANSWER = 16_384

export interface FinishedAnswer extends KeptAnswer {
  /** The data of an answer that is too long, as JSON; null: the effect that was saved with the change stays. */
  readonly effect: string | null
}

/** Outcome of a claim: the request is carried out now, was carried out before, or is still running. */
export type Claim =
  | { readonly is: 'begun'; readonly id: number }
  | { readonly is: 'running' }
  /** The key was sent with something else. */
  | { readonly is: 'another' }
  /** `effect` is what the answer holds, as JSON; null if nothing is known of it. */
  | ({ readonly is: 'done'; readonly effect: string | null } & KeptAnswer)

export interface IdempotentRequests {
  /** @throws {Fault} `service_unavailable` if that cannot be saved; nothing may be changed then. */
  claim(request: KeyedRequest): Promise<Claim>
  /** Saves the answer. */
  finish(id: number, answer: FinishedAnswer): Promise<void>
  /** Releases the key of a request that changed nothing, which may be sent again. */
  release(id: number): Promise<void>
  /** Gives up a request that was cut off after its effect was saved. */
  abandon(id: number): void
}
