import type { BlockServer } from '../schemas.ts'
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
export type Answered = Omit<BlockServer, 'online' | 'edition' | 'host' | 'port' | 'motd'> & { readonly motd: Motd }
