import { GatewayDispatchEvents as Event } from 'discord-api-types/v10'
import type { Crowd } from '../crowd.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { tellOfGuild } from '../world/guilds.ts'
import { removeFromVoice } from '../world/voice.ts'
import { tell, type Voice, type World } from '../world/world.ts'
import { copy } from './copy.ts'

/** World fields that snapshots leave out: clocks, addresses, emitters, quiet guilds, and those of the page. */
const WIRING: ReadonlySet<string> = new Set<keyof World>([
  'now',
  'nextId',
  'clock',
  'url',
  'voiceEndpoint',
  'hasVoiceClient',
  'links',
  'quiet',
  'suggestions',
  'notices',
])

/** The close code of the voice server for those who were put out of a channel. */
const VOICE_GONE = 4014

export type WorldState = Readonly<Record<string, unknown>> & Pick<World, 'guilds'>

export const stateOf = (world: World): WorldState =>
  Object.fromEntries(Object.entries(world).filter(([key]) => !WIRING.has(key))) as WorldState

export const keyOf = ({ guildId, userId }: Pick<Voice, 'guildId' | 'userId'>) => `${guildId}:${userId}`

/**
 * Puts a world back. Voice that is not as it was then ends with 4014. Members whose clients are ours come back to their
 * channels; bots do not, since only their own process can bring them back.
 */
export function restoreWorld(
  parts: { world: World; crowd: Crowd },
  saved: WorldState,
  ours: ReadonlySet<string>,
): void {
  const { world, crowd } = parts
  const kept = new Set<string>()
  for (const guild of world.guilds.values()) {
    for (const voice of guild.voice.values()) {
      const isSame = saved.guilds.get(guild.id)?.voice.get(voice.userId)?.token === voice.token
      if (isSame) kept.add(voice.token)
      else removeFromVoice(world, guild, voice.userId, VOICE_GONE)
    }
  }
  const state = copy(saved, { ...stateOf(world) })
  for (const [key, value] of Object.entries(state)) if (!(value instanceof Map)) Object.assign(world, { [key]: value })
  for (const guild of world.guilds.values()) {
    for (const voice of [...guild.voice.values()].filter(({ token }) => !kept.has(token))) {
      const isBot = world.applications.has(voice.userId)
      if (!isBot && !ours.has(keyOf(voice))) continue
      guild.voice.delete(voice.userId)
      const { userId, channelId, selfMute, selfDeaf } = voice
      // A client that cannot connect is put out of its channel by the crowd itself.
      if (!isBot) crowd.enter(guild, { userId, channelId, selfMute, selfDeaf, client: true }).catch(() => undefined)
    }
  }
}

/** The guilds of every bot. */
export function membershipsOf({ guilds, applications }: Pick<World, 'guilds' | 'applications'>): Memberships {
  const guildsOf = (id: string) =>
    [...guilds.values()].filter(({ members }) => members.has(id)).map((guild) => guild.id)
  return new Map([...applications.keys()].map((id) => [id, new Set(guildsOf(id))]))
}
export type Memberships = ReadonlyMap<string, ReadonlySet<string>>

/** Tells the bots that are logged in what there is now, as Discord does after an outage of all their guilds. */
export function tellAll({ world, gateway }: { world: World; gateway: Gateway }, before: Memberships): void {
  const now = membershipsOf(world)
  for (const id of new Set([...gateway.sessions.values()].map(({ application }) => application.id))) {
    const after = now.get(id) ?? new Set()
    for (const guildId of before.get(id) ?? []) {
      const d = after.has(guildId) ? { id: guildId, unavailable: true as const } : { id: guildId }
      tell(world, guildId, { t: Event.GuildDelete, d }, id)
    }
    for (const guildId of after) {
      const guild = world.guilds.get(guildId)
      if (guild && !guild.unavailable) tellOfGuild(world, guild, id)
    }
  }
}
