/** A change that a caller may send twice. */
export interface KeyedRequest {
  readonly projectId: string
  /** The bot or pool of the request; empty without one. */
  readonly owner: string
  readonly key: string
  /** SHA-256 of all that it asks. */
  readonly digest: Buffer
}

export interface KeptAnswer {
  readonly status: number
  /** The body; null if it was too long to store. */
  readonly answer: string | null
  readonly etag: string | null
}

/** What becomes of a request: it is carried out, or it was, or it is just being. */
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
  /** It was answered. */
  finish(id: number, answer: KeptAnswer): Promise<void>
  /** It changed nothing, so that it may be sent again. */
  release(id: number): Promise<void>
  /** It was cut off after its effect was saved. */
  abandon(id: number): void
}
