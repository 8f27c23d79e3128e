import type { SimpleShardingStrategy } from 'discord.js'

/** The internals of @discordjs/ws 1.2.3 that are used. */
export interface WsShard {
  connect(): Promise<void>
  destroy(options: { readonly code: number; readonly recover?: number }): Promise<void>
  listeners(event: string): readonly ((...args: unknown[]) => void)[]
  off(event: string, listener: (...args: unknown[]) => void): unknown
  emit(event: string, data: unknown): unknown
  internalConnect: () => Promise<void>
  onMessage: (data: unknown, isBinary: boolean) => Promise<void>
  readonly timeoutAbortControllers: Map<string, AbortController>
  readonly connection: WsConnection | null
}

/** Of `ws`. */
export interface WsConnection {
  readonly readyState: number
  readonly isPaused?: boolean
  readonly onmessage?: unknown
  on?(event: 'error', listener: () => void): unknown
  terminate?(): void
  pause?(): void
  resume?(): void
}

export function shardsOf(strategy: SimpleShardingStrategy): Map<number, WsShard> {
  return (strategy as unknown as { readonly shards: Map<number, WsShard> }).shards
}
