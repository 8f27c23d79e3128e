import { SimpleShardingStrategy, type ClientOptions } from 'discord.js'
import { settleWithin } from '../../../lib/deadline.ts'
import { slices } from '../../../lib/process/slices.ts'

const CLOSE_MS = 1000
/** Of @discordjs/ws, whose own name discord.js hides behind its own. */
const WS_EVENTS = ['closed', 'debug', 'dispatch', 'error', 'heartbeat', 'hello', 'ready', 'resumed'] as const
/** Closes a connection such that Discord keeps the session: any code but 1000 and 1001. */
const RESUMABLE = 4200
const NORMAL = 1000
/** `WebSocketShardDestroyRecovery.Reconnect` of @discordjs/ws. */
const RECONNECT = 0

export type WsManager = Parameters<NonNullable<NonNullable<ClientOptions['ws']>['buildStrategy']>>[0]

/** What is used of the inside of @discordjs/ws 1. */
interface WsShard {
  connect(): Promise<void>
  destroy(options: { readonly code: number; readonly recover?: number }): Promise<void>
  listeners(event: string): readonly ((...args: unknown[]) => void)[]
  off(event: string, listener: (...args: unknown[]) => void): unknown
  emit(event: string, data: unknown): unknown
  internalConnect: () => Promise<void>
  readonly timeoutAbortControllers: Map<string, AbortController>
  readonly connection: Connection | null
}

/** Of `ws`. */
interface Connection {
  readonly readyState: number
  on?(event: 'error', listener: () => void): unknown
  terminate?(): void
  pause?(): void
  resume?(): void
}

const CONNECTING = 0

/** The library's own, but for shards that start and end one at a time. */
export class LeasedStrategy extends SimpleShardingStrategy {
  readonly #prepare: (shardId: number) => Promise<boolean>
  #isPaused = false

  constructor(manager: WsManager, prepare: (shardId: number) => Promise<boolean>) {
    super(manager)
    this.#prepare = prepare
  }

  override async connect(): Promise<void> {
    await Promise.all(Array.from(this.#shards.keys(), (shardId) => this.#connectShard(shardId)))
  }

  async start(shardId: number): Promise<void> {
    await this.spawn([shardId])
    await this.#connectShard(shardId)
  }

  /**
   * Once the share of this turn of the event loop is spent, nothing more is read in it: Discord tells of thousands of guilds at
   * once.
   */
  pauseIfSpent(): void {
    if (this.#isPaused || !slices.isSpent()) return
    this.#isPaused = true
    const connections = Array.from(this.#shards.values(), ({ connection }) => connection)
    for (const connection of connections) connection?.pause?.()
    setImmediate(() => {
      this.#isPaused = false
      for (const connection of connections) connection?.resume?.()
    })
  }

  /** When this returns, nothing is sent or received any more. */
  cut(shardId: number): void {
    const connection = this.#shards.get(shardId)?.connection
    if (!connection) return
    Object.assign(connection, { onmessage: null })
    terminate(connection)
  }

  /** With a new session, which Discord tells all guilds. */
  async logInAgain(shardId: number): Promise<void> {
    await this.#shards.get(shardId)?.destroy({ code: NORMAL, recover: RECONNECT })
  }

  /** Its events are of no use to a client that does not know it any more. */
  async end(shardId: number): Promise<void> {
    const shard = this.#shards.get(shardId)
    if (!shard) return
    // The client's, which come first; what waits for this connection is to learn that it is over.
    for (const event of WS_EVENTS) {
      const [ofClient] = shard.listeners(event)
      if (ofClient) shard.off(event, ofClient)
    }
    shard.emit('closed', { code: RESUMABLE })
    shard.internalConnect = () => Promise.resolve()
    shard.timeoutAbortControllers.clear()
    // The library leaves one that is still connecting alone.
    if (shard.connection?.readyState === CONNECTING) terminate(shard.connection)
    await settleWithin(CLOSE_MS, shard.destroy({ code: RESUMABLE }))
    if (this.#shards.get(shardId) === shard) this.#shards.delete(shardId)
  }

  async #connectShard(shardId: number): Promise<void> {
    if (await this.#prepare(shardId)) await this.#shards.get(shardId)?.connect()
  }

  get #shards(): Map<number, WsShard> {
    const { shards } = this as unknown as { readonly shards: Map<number, WsShard> }
    return shards
  }
}

/** A socket that is still connecting tells of its end as an error, of which no one else may want to hear any more. */
function terminate(connection: Connection): void {
  connection.on?.('error', () => undefined)
  connection.terminate?.()
}
