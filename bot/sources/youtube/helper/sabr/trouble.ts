type TroubleKind = 'attestation' | 'reload' | 'throttled' | 'gone' | 'refused'

/** YouTube's servers do not go on, and say why. */
export class SabrTrouble extends Error {
  readonly kind: TroubleKind
  readonly waitMs: number

  constructor(kind: TroubleKind, message: string, waitMs = 0) {
    super(message)
    this.kind = kind
    this.waitMs = waitMs
  }
}
