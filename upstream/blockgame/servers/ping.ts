import type { Motd } from './motd.ts'

export interface Dialled {
  /** The checked address. */
  readonly address: string
  readonly port: number
  /** The host name sent to the server in the handshake. */
  readonly host: string
  readonly signal: AbortSignal
}

/** What a server says of itself. */
export interface Answered {
  readonly version: string | null
  readonly protocol: number | null
  readonly players: {
    readonly online: number
    readonly max: number
    readonly sample: readonly { readonly name: string; readonly id: string }[]
  } | null
  readonly motd: Motd
  /** A PNG as a `data:` URL. */
  readonly favicon: string | null
  readonly latencyMs: number | null
}
