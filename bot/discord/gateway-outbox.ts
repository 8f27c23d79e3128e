import { Status, type Client } from 'discord.js'
import { settleWithin } from '../../lib/deadline.ts'
import type { Logger } from '../../lib/log.ts'
import { insideOf } from '../../lib/patches/discord-client.ts'
import type { JoinTurns } from './joins/join-turns.ts'
import type { ShardPool } from './shards/shard-pool.ts'

const DRAINED_WITHIN_MS = 1000

/** Told when a join waits for Discord's limit (true), and when it has been sent after all. */
export type OnHeld = (isHeld: boolean) => void

/** Payloads about the bot's own voice, on their way to Discord. */
export type GatewayOutbox = ReturnType<typeof gatewayOutbox>

interface OutboxOptions {
  readonly log: Logger
  readonly shards: ShardPool
  readonly shardIdOf: (guildId: string) => number
  readonly turns: Pick<JoinTurns, 'take' | 'waitMs' | 'sent'>
  readonly onJoin: (guildId: string) => void
}

/**
 * Discord's own queue would hold what is sent during a resume until the next new session, and a failed send of it would
 * end the process as an unhandled rejection. So payloads wait here, and only for a connection that works. They also wait
 * here for Discord's limit: in the library's queue, joins that were given up long ago would hold up every later one. A
 * join that has had no turn, as one after a loss of the voice connection, takes it here, behind those that wait already.
 */
export function gatewayOutbox(client: Client, { log, shards, shardIdOf, turns, onJoin }: OutboxOptions) {
  const waiting = new Map<string, Waiting>()
  /** Guilds whose join waits for its turn. */
  const queueing = new Set<string>()
  const line = createLine(client, log)
  const later = once(() => flush())

  async function queue(guildId: string): Promise<void> {
    queueing.add(guildId)
    // Turns end with the connection, and all that waits here with them.
    await turns.take(shardIdOf(guildId), guildId, 'player').catch(() => waiting.delete(guildId))
    queueing.delete(guildId)
    const one = waiting.get(guildId)
    if (one) send(guildId, one)
  }

  function hold(guildId: string, one: Waiting, delayMs: number): void {
    keep(waiting, guildId, one)
    if (!isJoin(one.payload)) return later.after(delayMs)
    one.onHeld?.(true)
    one.isHeld = true
    if (!queueing.has(guildId)) void queue(guildId)
  }

  function send(guildId: string, one: Waiting): void {
    const shardId = shardIdOf(guildId)
    // Another service speaks for this guild, or will in a moment.
    if (!shards.leaseOf(shardId)?.isHeld) return void waiting.delete(guildId)
    if (!line.isOpen(shardId)) return keep(waiting, guildId, one)
    const delayMs = turns.waitMs(shardId, guildId)
    if (delayMs > 0) return hold(guildId, one, delayMs)
    waiting.delete(guildId)
    turns.sent(shardId, guildId)
    if (isJoin(one.payload)) onJoin(guildId)
    line.send(shardId, guildId, one.payload)
    if (one.isHeld) one.onHeld?.(false)
  }

  function flush(): void {
    const due = [...waiting]
    waiting.clear()
    for (const [guildId, one] of due) send(guildId, one)
  }

  return {
    put: (guildId: string, payload: unknown, onHeld?: OnHeld): void =>
      send(guildId, { payload, onHeld, isHeld: false }),
    flush,
    /** Resolves when what was handed to the connections has been sent, or after a moment. */
    sent: (): Promise<void> => line.sent(),
    /** The same, and gives up what still waits. */
    async drained() {
      later.cancel()
      waiting.clear()
      await line.sent()
    },
  }
}

/** Runs it once, after the first of the delays that it is told. */
function once(run: () => void) {
  let timer: NodeJS.Timeout | undefined
  return {
    after(delayMs: number): void {
      timer ??= setTimeout(() => {
        timer = undefined
        run()
      }, delayMs).unref()
    },
    cancel: () => clearTimeout(timer),
  }
}

/** Sends at once, on connections that work. */
function createLine(client: Client, log: Logger) {
  const sending = new Set<Promise<void>>()
  const ws = insideOf(client)
  return {
    isOpen: (shardId: number) => ws._ws !== null && client.ws.shards.get(shardId)?.status === Status.Ready,
    send(shardId: number, guildId: string, payload: unknown): void {
      const task = Promise.resolve(ws._ws?.send(shardId, payload))
        .catch((err: unknown) => log.warn({ err, guildId }, 'sending voice payload failed'))
        .finally(() => sending.delete(task))
      sending.add(task)
    },
    async sent(): Promise<void> {
      if (sending.size > 0) await settleWithin(DRAINED_WITHIN_MS, Promise.all(sending))
    },
  }
}

/** The last request of a guild replaces the ones before it, and goes to the end. */
function keep(waiting: Map<string, Waiting>, guildId: string, one: Waiting): void {
  waiting.delete(guildId)
  waiting.set(guildId, one)
}

interface Waiting {
  readonly payload: unknown
  readonly onHeld: OnHeld | undefined
  isHeld: boolean
}

function isJoin(payload: unknown): boolean {
  const { d } = payload as { readonly d?: { readonly channel_id?: string | null } }
  return typeof d?.channel_id === 'string'
}
