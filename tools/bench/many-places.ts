import type { RunningService } from '../../test/support/service.ts'
import { addTenant } from './attacks/tenant.ts'
import { openPlaces, type Place } from '../stage/places.ts'

/** The limit of a plan, and nearly what Discord lets a bot join in a minute. */
export const PLAYERS_PER_BOT = 100

/** Guilds of the stand-in: a hundred with the bot of the demo, each further hundred with that of a project of its own. */
export async function openManyPlaces(service: RunningService, count: number): Promise<readonly Place[]> {
  const places: Place[] = await openPlaces(service, service.demo.botId, Math.min(count, PLAYERS_PER_BOT))
  while (places.length < count) {
    const missing = Math.min(count - places.length, PLAYERS_PER_BOT)
    const { userId, key, places: more } = await addTenant(service, 'scale', missing)
    places.push(...more.map(({ guildId, channelId }) => ({ guildId, channelId, bot: { userId, key } })))
  }
  return places
}
