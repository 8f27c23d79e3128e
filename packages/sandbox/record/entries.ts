interface Base {
  /** Counts up from 1 and is never used twice. */
  readonly id: number
  /** Milliseconds since 1970, of the sandbox's clock. */
  readonly atMs: number
}

/** A REST request of a bot, and its answer. */
export interface RequestEntry extends Base {
  readonly kind: 'request'
  /** Null without a valid token. */
  readonly applicationId: string | null
  readonly method: string
  /** Without `/api/v10`, decoded; secrets in it are `…`. */
  readonly path: string
  /** `/channels/{channelId}/messages`; null where the sandbox has no such route. */
  readonly route: string | null
  readonly query: Readonly<Record<string, string>>
  /** Value of the header `X-Audit-Log-Reason`. */
  readonly reason: string | null
  readonly body: unknown
  /** Names of uploaded files. */
  readonly files: readonly string[]
  /** Null where a fault cut the connection instead of answering. */
  readonly status: number | null
  readonly response: unknown
  readonly durationMs: number
}

/** A payload on the gateway connection of a bot, or the connection's end. */
export interface GatewayEntry extends Base {
  readonly kind: 'gateway'
  /** Null before a bot has identified. */
  readonly applicationId: string | null
  readonly shard: number | null
  readonly direction: 'sent' | 'received' | 'closed'
  /** Null for a closed connection. */
  readonly op: number | null
  /** Name of a dispatch: `MESSAGE_CREATE`. */
  readonly event: string | null
  readonly body: unknown
  /** Code of a closed connection. */
  readonly code: number | null
}

/** Someone came into a voice channel, moved or left; or a payload of their voice connection. */
export interface VoiceEntry extends Base {
  readonly kind: 'voice'
  readonly guildId: string
  readonly channelId: string | null
  readonly userId: string
  readonly event: 'join' | 'move' | 'leave' | 'renew' | 'sent' | 'received' | 'closed'
  readonly op: number | null
  readonly body: unknown
  readonly code: number | null
}

export type RecordEntry = RequestEntry | GatewayEntry | VoiceEntry

type Facts<E> = E extends RecordEntry ? Omit<E, keyof Base | 'body' | 'response'> : never
/** Without its content, which is written out on its own. */
export type EntryFacts = Facts<RecordEntry>
