import { GuildNSFWLevel, type APIGuild, type GatewayGuildCreateDispatchData } from 'discord-api-types/v10'
import { describeVoice } from '../voice.ts'
import type { Guild, World } from '../world.ts'
import { describeThread, seesThread } from './threads.ts'

export function guildCreate(world: World, guild: Guild, applicationId: string): GatewayGuildCreateDispatchData {
  return {
    ...describeGuild(guild),
    joined_at: guild.members.get(applicationId)?.joined_at ?? new Date(world.now()).toISOString(),
    large: guild.members.size > 250,
    unavailable: false,
    member_count: guild.members.size,
    voice_states: [...guild.voice.values()].map((voice) => without(describeVoice(guild, voice), 'guild_id', 'member')),
    members: [...guild.members.values()],
    // Inside a guild its channels do not repeat its id.
    channels: [...guild.channels.values()].map((channel) => without(channel, 'guild_id')),
    threads: [...guild.threads.values()]
      .filter(({ thread_metadata }) => !thread_metadata?.archived)
      .filter((thread) => seesThread(guild, thread, applicationId))
      .map((thread) => without(describeThread(guild, thread, applicationId), 'guild_id')),
    presences: [],
    stage_instances: [...guild.stages.values()],
    guild_scheduled_events: [...guild.scheduledEvents.values()],
    soundboard_sounds: [],
  }
}

type Without<T, K> = T extends unknown ? Omit<T, K & keyof T> : never

function without<T extends object, K extends keyof T>(whole: T, ...keys: K[]): Without<T, K> {
  const dropped: ReadonlySet<unknown> = new Set(keys)
  return Object.fromEntries(Object.entries(whole).filter(([key]) => !dropped.has(key))) as Without<T, K>
}

/** A guild with every field that Discord sends, most of which say that nothing special is set. */
export function describeGuild(guild: Guild) {
  return {
    id: guild.id,
    name: guild.name,
    owner_id: guild.ownerId,
    ...guild.settings,
    home_header: null,
    application_id: null,
    region: 'local',
    roles: [...guild.roles.values()],
    max_presences: null,
    max_members: 25_000_000,
    max_stage_video_channel_users: 50,
    max_video_channel_users: 25,
    premium_subscription_count: 0,
    nsfw: false,
    nsfw_level: GuildNSFWLevel.Default,
    emojis: [...guild.emojis.values()],
    stickers: [...guild.stickers.values()],
    incidents_data: null,
    hub_type: null,
  } satisfies APIGuild & Record<string, unknown>
}
