import type { FrameEnd, Passage } from '../faults/faults.ts'

/** The bot of a connection; nulls before it has identified. */
export interface TapSubject {
  readonly applicationId: string | null
  readonly shard: number | null
}

/** A payload on a gateway connection, without its content. */
export interface TapFrame extends TapSubject {
  readonly direction: 'sent' | 'received'
  readonly op: number
  readonly event: string | null
}

/** Observer of all gateway traffic, which may delay it. */
export interface GatewayTap {
  /** Delay and fault of a payload. */
  passage(frame: TapFrame): Passage<FrameEnd>
  /** A payload arrived. `content` is its JSON, or its parsed data. */
  arrived(frame: TapFrame, content: { readonly text: string } | { readonly body: unknown }): void
  closed(subject: TapSubject, code: number): void
  /** The status with which connections are refused now; null: they are not. */
  refusal(): number | null
}
