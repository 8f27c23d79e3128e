import type { VoiceOpcodes } from 'discord-api-types/voice/v8'

/** A client as the delivery service sees it; a `Session` is one. */
export interface Participant {
  readonly userId: string
  readonly identity: { readonly maxDaveVersion: number }
  /** Op 4 was sent. Before that real clients drop binary messages. */
  readonly isDescribed: boolean
  send(op: VoiceOpcodes, d: unknown): void
  sendBinary(op: VoiceOpcodes, payload: Buffer): void
}
