import type { FaultReason } from '../../lib/errors.ts'

export type RefusalReason = Extract<FaultReason, `picture_${string}`>

/** Why a picture cannot be worked on, in words for its sender. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** Which of the pictures; null: what was asked of them. */
  readonly input: number | null
  readonly reason: RefusalReason

  constructor(message: string, reason: RefusalReason, input: number | null = 0) {
    super(message)
    this.reason = reason
    this.input = input
  }
}
