import type { APIChannel, APIRole, GatewayGuildCreateDispatchData } from 'discord-api-types/v10'
import type { Guild, GuildMember, NonThreadGuildBasedChannel, Role, VoiceState } from 'discord.js'

/**
 * A guild as GUILD_CREATE would describe it now, with what music needs: Discord tells the next owner of a resumed session
 * nothing of its guilds.
 */
export function snapshotGuild(guild: Guild): object {
  if (!guild.available) return { id: guild.id, unavailable: true }
  const channels = [...guild.channels.cache.values()].filter((channel) => !channel.isThread())
  return {
    id: guild.id,
    unavailable: false,
    name: guild.name,
    icon: guild.icon,
    owner_id: guild.ownerId,
    member_count: guild.memberCount,
    preferred_locale: guild.preferredLocale,
    system_channel_id: guild.systemChannelId,
    afk_channel_id: guild.afkChannelId,
    premium_tier: guild.premiumTier,
    features: guild.features,
    joined_at: new Date(guild.joinedTimestamp).toISOString(),
    roles: guild.roles.cache.map(toRole),
    channels: channels.map(toChannel),
    members: guild.members.cache.map(toMember),
    voice_states: guild.voiceStates.cache.map(toVoiceState),
  }
}

function toRole(role: Role): object {
  return {
    id: role.id,
    name: role.name,
    color: role.colors.primaryColor,
    colors: { primary_color: role.colors.primaryColor, secondary_color: null, tertiary_color: null },
    hoist: role.hoist,
    position: role.rawPosition,
    permissions: String(role.permissions.bitfield),
    managed: role.managed,
    mentionable: role.mentionable,
    ...(role.tags ? { tags: toTags(role.tags) } : {}),
  }
}

function toTags({ botId, integrationId, premiumSubscriberRole }: NonNullable<Role['tags']>): object {
  return {
    ...(botId === undefined ? {} : { bot_id: botId }),
    ...(integrationId === undefined ? {} : { integration_id: integrationId }),
    ...(premiumSubscriberRole ? { premium_subscriber: null } : {}),
  }
}

function toChannel(channel: NonThreadGuildBasedChannel): object {
  const voice = channel.isVoiceBased()
    ? { user_limit: channel.userLimit, bitrate: channel.bitrate, rtc_region: channel.rtcRegion, nsfw: channel.nsfw }
    : {}
  return {
    id: channel.id,
    type: channel.type,
    name: channel.name,
    position: channel.rawPosition,
    parent_id: channel.parentId,
    permission_overwrites: channel.permissionOverwrites.cache.map(({ id, type, allow, deny }) => ({
      id,
      type,
      allow: String(allow.bitfield),
      deny: String(deny.bitfield),
    })),
    ...voice,
  }
}

function toMember(member: GuildMember): object {
  const { user } = member
  return {
    user: {
      id: user.id,
      username: user.username,
      global_name: user.globalName,
      discriminator: user.discriminator,
      avatar: user.avatar,
      bot: user.bot,
    },
    nick: member.nickname,
    avatar: member.avatar,
    roles: [...member.roles.cache.keys()].filter((id) => id !== member.guild.id),
    joined_at: member.joinedAt?.toISOString() ?? null,
    communication_disabled_until: member.communicationDisabledUntil?.toISOString() ?? null,
    flags: member.flags.bitfield,
  }
}

function toVoiceState(state: VoiceState): object {
  return {
    user_id: state.id,
    channel_id: state.channelId,
    session_id: state.sessionId,
    deaf: state.serverDeaf ?? false,
    mute: state.serverMute ?? false,
    self_deaf: state.selfDeaf ?? false,
    self_mute: state.selfMute ?? false,
    self_video: state.selfVideo ?? false,
    suppress: state.suppress ?? false,
    request_to_speak_timestamp: state.requestToSpeakTimestamp
      ? new Date(state.requestToSpeakTimestamp).toISOString()
      : null,
  }
}

/** The same of a guild as Discord describes it, without building it first. */
export function snapshotOfCreate(d: GatewayGuildCreateDispatchData): object {
  const { id, name, icon, owner_id, member_count, preferred_locale, system_channel_id, afk_channel_id } = d
  return {
    id,
    unavailable: false,
    name,
    icon,
    owner_id,
    member_count,
    preferred_locale,
    system_channel_id,
    afk_channel_id,
    premium_tier: d.premium_tier,
    features: d.features,
    joined_at: d.joined_at,
    roles: d.roles.map(partsOfRole),
    channels: d.channels.map(partsOfChannel),
    members: d.members,
    voice_states: d.voice_states,
  }
}

function partsOfRole({ id, name, color, colors, hoist, position, permissions, managed, mentionable, tags }: APIRole) {
  return { id, name, color, colors, hoist, position, permissions, managed, mentionable, tags }
}

/** Fields that only voice channels have are undefined elsewhere, and not written. */
function partsOfChannel(channel: APIChannel): object {
  const { id, type, name, position, parent_id, permission_overwrites, user_limit, bitrate, rtc_region, nsfw } =
    channel as APIChannel & Record<string, unknown>
  return { id, type, name, position, parent_id, permission_overwrites, user_limit, bitrate, rtc_region, nsfw }
}
