import type { Client, Guild } from 'discord.js'
import type { Packet } from './late-guilds.ts'

/** A session as @discordjs/ws has it. */
export interface SessionInfo {
  readonly sequence: number
  readonly sessionId: string
  readonly shardId: number
  readonly shardCount: number
  readonly resumeURL: string
}

/** What is used of the inside of discord.js 14, which knows all shards of a client from its start. */
export interface ClientShard {
  readonly id: number
  once(event: string, listener: () => void): unknown
  off(event: string, listener: () => void): unknown
  sessionInfo: SessionInfo | null
  expectedGuilds: Set<string> | null
  readyTimeout: NodeJS.Timeout | null
  checkReady(): void
}

export interface ClientInside {
  handlePacket(packet: Packet | undefined, shard: ClientShard): boolean
  checkShardsReady(): void
  totalShards: number
}

export const insideOf = (client: Client): ClientInside => client.ws as unknown as ClientInside

export const shardInside = (client: Client | null, shardId: number): ClientShard | undefined =>
  client?.ws.shards.get(shardId) as unknown as ClientShard | undefined

export function guildsOfShard(client: Client, shardId: number): readonly Guild[] {
  return [...client.guilds.cache.values()].filter((guild) => guild.shardId === shardId)
}

/** The client would wait for as many shards as there were when its login began; they come and go meanwhile. */
export function waitForPresentShards(client: Client): void {
  const inside = insideOf(client)
  const check = inside.checkShardsReady.bind(inside)
  inside.checkShardsReady = () => {
    inside.totalShards = client.ws.shards.size
    if (inside.totalShards > 0) check()
  }
}
