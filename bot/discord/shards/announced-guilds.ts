import type { Client, Guild } from 'discord.js'
import { addUnavailableGuild } from '../../../lib/patches/discord-client.ts'
import { slices } from '../../../lib/process/slices.ts'
import type { GatewayPacket } from './late-guilds.ts'

/** Guilds known only by id; building this many takes a few milliseconds. */
const GUILDS_AT_ONCE = 50

/**
 * READY without the guilds that it names. discord.js would build all of them in this turn of the event loop, thousands, and a
 * moment later fill in what GUILD_CREATE says; so they are built then. Those that it knows, of an earlier session, are out of
 * date until then.
 */
export function withoutGuilds(client: Client, ready: GatewayPacket): GatewayPacket {
  const d = ready.d as { readonly guilds: readonly { readonly id: string }[] }
  for (const { id } of d.guilds) {
    const known = client.guilds.cache.get(id)
    if (known) known.available = false
  }
  return { ...ready, d: { ...d, guilds: [] } }
}

/** Builds those that Discord named and did not describe: they are out of service. */
export async function addUnavailable(client: Client, shardId: number, ids: Iterable<string>): Promise<void> {
  let built = 0
  for (const id of ids) {
    if (!client.ws.shards.has(shardId)) return
    addUnavailableGuild(client, shardId, id)
    built += 1
    if (built % GUILDS_AT_ONCE === 0) await slices.next()
  }
}

/** A guild that goes out of service before Discord has described it. */
export function noteOutage(client: Client, shardId: number, { t, d }: GatewayPacket): void {
  if (t !== 'GUILD_DELETE') return
  const { id, unavailable } = d as { readonly id: string; readonly unavailable?: boolean }
  if (unavailable) addUnavailableGuild(client, shardId, id)
}

export function guildsOfShard(client: Client, shardId: number): readonly Guild[] {
  return [...client.guilds.cache.values()].filter((guild) => guild.shardId === shardId)
}
