import type { FrameEnd, Passage } from '../faults/faults.ts'

/** Whose connection it is; nulls before a bot has identified. */
export interface TapSubject {
  readonly applicationId: string | null
  readonly shard: number | null
}

/** What goes over a gateway connection, without its content. */
export interface TapFrame extends TapSubject {
  readonly direction: 'sent' | 'received'
  readonly op: number
  readonly event: string | null
}

/** Those who see all that goes over the gateway, and may hold it back. */
export interface GatewayTap {
  /** What becomes of a payload on its way. */
  passage(frame: TapFrame): Passage<FrameEnd>
  /** A payload arrived. `content` is its JSON, or its parsed data. */
  arrived(frame: TapFrame, content: { readonly text: string } | { readonly body: unknown }): void
  closed(subject: TapSubject, code: number): void
  /** The status with which connections are refused now; null: they are not. */
  refusal(): number | null
}
