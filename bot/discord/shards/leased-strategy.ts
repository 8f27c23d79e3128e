import { slices } from '../../../lib/process/slices.ts'
import { SimpleShardingStrategy, type ClientOptions } from 'discord.js'
import { settleWithin } from '../../../lib/deadline.ts'
import { shardsOf, type WsConnection, type WsShard } from '../../../lib/patches/ws-shards.ts'

const CLOSE_MS = 1000
/** Events of @discordjs/ws, whose own name discord.js hides behind its own. */
const WS_EVENTS = ['closed', 'debug', 'dispatch', 'error', 'heartbeat', 'hello', 'ready', 'resumed'] as const
/** Closes a connection such that Discord keeps the session: any code but 1000 and 1001. */
const RESUMABLE = 4200
const NORMAL = 1000
/** `WebSocketShardDestroyRecovery.Reconnect` of @discordjs/ws. */
const RECONNECT = 0

export type WsManager = Parameters<NonNullable<NonNullable<ClientOptions['ws']>['buildStrategy']>>[0]

const CONNECTING = 0

/** The library's own, but for shards that start and end one at a time. */
export class LeasedStrategy extends SimpleShardingStrategy {
  readonly #prepare: (shardId: number) => Promise<boolean>
  readonly #paused = new Set<WsConnection>()
  readonly #inbox = createInbox({ onFull: () => this.#pause(), onEmpty: () => this.#resume() })

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

  override async spawn(shardIds: number[]): Promise<void> {
    await super.spawn(shardIds)
    for (const shardId of shardIds) this.#readInTurn(this.#shards.get(shardId))
  }

  /** The library handles all that a packet of the network holds in one turn of the event loop. */
  #readInTurn(shard: WsShard | undefined): void {
    if (!shard) return
    const read = shard.onMessage.bind(shard)
    shard.onMessage = (data, isBinary) => {
      const { connection } = shard
      const handled = Promise.withResolvers<void>()
      this.#inbox.put(async () => {
        // A closed connection has lost its decompressor.
        const isCurrent = shard.connection === connection && connection?.onmessage !== null
        await (isCurrent ? read(data, isBinary) : Promise.resolve()).then(handled.resolve, handled.reject)
      })
      return handled.promise
    }
  }

  #pause(): void {
    for (const { connection } of this.#shards.values()) {
      if (!connection || connection.isPaused) continue
      connection.pause?.()
      this.#paused.add(connection)
    }
  }

  #resume(): void {
    for (const connection of this.#paused) connection.resume?.()
    this.#paused.clear()
  }

  /** When this returns, nothing is sent or received any more. */
  cut(shardId: number): void {
    const connection = this.#shards.get(shardId)?.connection
    if (!connection) return
    Object.assign(connection, { onmessage: null })
    terminate(connection)
  }

  /** Logs in with a new session, to which Discord sends all guilds. */
  async logInAgain(shardId: number): Promise<void> {
    await this.#shards.get(shardId)?.destroy({ code: NORMAL, recover: RECONNECT })
  }

  /** Ends a shard and its events, which are of no use to a client that does not know it any more. */
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
    return shardsOf(this)
  }
}

/** A socket that is still connecting tells of its end as an error, of which no one else may want to hear any more. */
function terminate(connection: WsConnection): void {
  connection.on?.('error', () => undefined)
  connection.terminate?.()
}

interface InboxOptions {
  /** Called whenever the share of a turn is spent and messages are left: nothing more is to be read meanwhile. */
  readonly onFull: () => void
  /** All are handled. */
  readonly onEmpty: () => void
}

/**
 * Queue of received packets, handled in order within the time share of a turn.
 * A packet of the network holds hundreds of guilds in compressed form, and handling one takes a tenth of a millisecond.
 */
function createInbox({ onFull, onEmpty }: InboxOptions) {
  let waiting: (() => Promise<void>)[] = []
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    let isFull = false
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      for (const handle of batch) {
        if (slices.isSpent()) {
          isFull = true
          onFull()
          await nextTurn()
        }
        await Promise.race([handle(), nextTurn()])
      }
    }
    isRunning = false
    if (isFull) onEmpty()
  }

  return {
    /** @param handle never rejects, and may settle late; what comes after does not wait for more than one turn of the event loop. */
    put(handle: () => Promise<void>) {
      waiting.push(handle)
      if (!isRunning) void run()
    },
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
