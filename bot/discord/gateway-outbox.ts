import { Status, type Client } from 'discord.js'
import { settleWithin } from '../../lib/deadline.ts'
import type { Logger } from '../../lib/log.ts'
import type { JoinTurns } from './join-turns.ts'
import type { ShardPool } from './shards/shard-pool.ts'

const DRAINED_WITHIN_MS = 1000

/** Payloads about the bot's own voice, on their way to Discord. */
export interface Outbox {
  readonly put: (guildId: string, payload: unknown) => void
  flush(): void
  /** Resolves when what was handed to the connections has been sent, or after a moment. */
  sent(): Promise<void>
  /** The same, and gives up what still waits. */
  drained(): Promise<void>
}

interface OutboxOptions {
  readonly log: Logger
  readonly shards: ShardPool
  readonly shardIdOf: (guildId: string) => number
  readonly turns: Pick<JoinTurns, 'waitMs' | 'sent'>
}

/**
 * Discord's own queue would hold what is sent during a resume until the next new session, and a failed send of it would
 * end the process as an unhandled rejection. So payloads wait here, and only for a connection that works. They also wait
 * here for Discord's limit: in the library's queue, joins that were given up long ago would hold up every later one.
 */
export function createOutbox(client: Client, { log, shards, shardIdOf, turns }: OutboxOptions): Outbox {
  const waiting = new Map<string, unknown>()
  const sending = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined

  /** The last request of a guild replaces the ones before it, and goes to the end. */
  function keep(guildId: string, payload: unknown): void {
    waiting.delete(guildId)
    waiting.set(guildId, payload)
  }

  function send(guildId: string, payload: unknown): void {
    const shardId = shardIdOf(guildId)
    // Another service speaks for this guild, or will in a moment.
    if (!shards.isHeld(shardId)) return void waiting.delete(guildId)
    const shard = client.ws.shards.get(shardId)
    const { _ws: connections } = client.ws as unknown as Connections
    if (!shard || shard.status !== Status.Ready || !connections) return keep(guildId, payload)
    const delayMs = turns.waitMs(shardId)
    if (delayMs > 0) {
      keep(guildId, payload)
      timer ??= setTimeout(() => {
        timer = undefined
        flush()
      }, delayMs).unref()
      return
    }
    waiting.delete(guildId)
    turns.sent(shardId, guildId)
    const task = connections
      .send(shard.id, payload)
      .catch((err: unknown) => log.warn({ err, guildId }, 'sending voice payload failed'))
      .finally(() => sending.delete(task))
    sending.add(task)
  }

  function flush(): void {
    const due = [...waiting]
    waiting.clear()
    for (const [guildId, payload] of due) send(guildId, payload)
  }

  async function sent(): Promise<void> {
    if (sending.size > 0) await settleWithin(DRAINED_WITHIN_MS, Promise.all(sending))
  }

  return {
    put: send,
    flush,
    sent,
    async drained() {
      clearTimeout(timer)
      waiting.clear()
      await sent()
    },
  }
}

/** The part of discord.js 14's inside that its `shard.send` calls without waiting for the answer. */
interface Connections {
  readonly _ws: { send(shardId: number, payload: unknown): Promise<void> } | null
}
