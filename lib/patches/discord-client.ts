import type { Client } from 'discord.js'
import type { WsShard } from './ws-shards.ts'

/** A session as @discordjs/ws has it. */
export interface SessionInfo {
  readonly sequence: number
  readonly sessionId: string
  readonly shardId: number
  readonly shardCount: number
  readonly resumeURL: string
}

/** The internals of discord.js 14.28.1 that are used. It knows all shards of a client from its start. */
export interface ClientShard {
  readonly id: number
  once(event: string, listener: () => void): unknown
  off(event: string, listener: () => void): unknown
  sessionInfo: SessionInfo | null
  expectedGuilds: Set<string> | null
  readyTimeout: NodeJS.Timeout | null
  checkReady(): void
}

/** An event as Discord sends it. */
interface Packet {
  readonly t: string
  readonly d: unknown
}

interface ClientInside {
  handlePacket(packet: Packet | undefined, shard: ClientShard): boolean
  checkShardsReady(): void
  totalShards: number
  /** Null until the login has begun. */
  readonly _ws: WsManager | null
}

interface WsManager {
  connect: () => Promise<void>
  send(shardId: number, payload: unknown): Promise<void>
  readonly strategy: { connect: () => Promise<void>; readonly shards: ReadonlyMap<number, WsShard> }
}

export const insideOf = (client: Client): ClientInside => client.ws as unknown as ClientInside

export const shardInside = (client: Client | null, shardId: number): ClientShard | undefined =>
  client?.ws.shards.get(shardId) as unknown as ClientShard | undefined

/** The client would wait for as many shards as there were when its login began; they come and go meanwhile. */
export function waitForPresentShards(client: Client): void {
  const inside = insideOf(client)
  const check = inside.checkShardsReady.bind(inside)
  inside.checkShardsReady = () => {
    inside.totalShards = client.ws.shards.size
    if (inside.totalShards > 0) check()
  }
}

/** A guild of which no more than the id is known. */
export function addUnavailableGuild({ guilds }: Client, shardId: number, id: string): void {
  const inside = guilds as unknown as { _add(data: object): unknown }
  if (!guilds.cache.has(id)) inside._add({ id, unavailable: true, shardId })
}

const stay = (): Promise<void> => Promise.resolve()

/**
 * A client that is destroyed in the middle of its login continues it, and one that waits for its first hello, or
 * between two connections, reconnects half a second later. So each of these steps is taken away first.
 */
export function disarm(client: Client): void {
  const { _ws: connections } = insideOf(client)
  if (!connections) return
  connections.connect = stay
  connections.strategy.connect = stay
  for (const shard of connections.strategy.shards.values()) {
    shard.internalConnect = stay
    // A client that times out waiting for hello destroys itself twice, and the first call never resolves.
    shard.timeoutAbortControllers.clear()
  }
}
