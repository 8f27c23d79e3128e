/** Why a picture cannot be worked on, in words for whoever sent it. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** Which of the pictures; null: what was asked of them. */
  readonly input: number | null

  constructor(message: string, input: number | null = 0) {
    super(message)
    this.input = input
  }
}
