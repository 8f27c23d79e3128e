import type { GuildTarget, Whereabouts } from '../../../lib/sharing/forwarding.ts'
import type { ApiContext } from '../request-state.ts'
import { rawInputs, type Route } from '../route.ts'
import { servePool } from './pool-requests.ts'
import { serveAt, type MusicRequest } from './serve-at.ts'
import { SNOWFLAKE } from '../../../lib/validation/snowflake.ts'

/** Serves a request about the player of a guild where that guild is run: here, or by another service. */
export async function serveWherePlayed(request: MusicRequest): Promise<void> {
  const { ctx, route, caller, forwarding, serveHere } = request
  const guildId = guildOf(ctx, route)
  if (guildId === null) return serveHere()
  const owners = new Map<string, GuildTarget>()
  for (const botId of caller.botIds) {
    const place = forwarding.locate({ botId, guildId })
    if (place.at !== 'nowhere') owners.set(ownerOf(place, botId), { botId, guildId })
  }
  const [target] = owners.values()
  if (!target) return serveHere()
  if (owners.size === 1) await serveAt(request, target)
  else await servePool(request, guildId)
}

/** Bots with the same are asked together. */
function ownerOf(place: Whereabouts, botId: string): string {
  if (place.at === 'peer') return place.service.serviceId
  return place.at === 'here' ? 'here' : `moving ${botId}`
}

/** The guild whose player is meant; null if there is none, or none that could be. */
function guildOf(ctx: ApiContext, route: Route): string | null {
  const { path, query } = rawInputs(ctx, route)
  const guildId: unknown = path.values['guildId'] ?? query.values['guildId']
  return typeof guildId === 'string' && SNOWFLAKE.test(guildId) ? guildId : null
}
