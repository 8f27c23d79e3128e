export type RefusalReason = 'picture_unreachable' | 'picture_unreadable' | 'picture_too_large' | 'picture_too_slow'

/** Why a picture cannot be worked on, in words for its sender. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** The index of the picture; null: the request about them. */
  readonly input: number | null
  readonly reason: RefusalReason

  constructor(message: string, reason: RefusalReason, input: number | null = 0) {
    super(message)
    this.reason = reason
    this.input = input
  }
}
