import { PermissionFlagsBits, type Client, type Guild, type GuildMember } from 'discord.js'

export type Member = ReturnType<typeof toMember>

/** A bot's view of a guild at this moment. */
export type VoicePlace = ReturnType<typeof toPlace>

const { ViewChannel, SendMessages, EmbedLinks, ManageMessages, ManageChannels } = PermissionFlagsBits

export function findPlace({ guilds }: Client, guildId: string): VoicePlace | null {
  const guild = guilds.cache.get(guildId)
  return guild ? toPlace(guild) : null
}

export function toMember(member: GuildMember) {
  const roleIds: ReadonlySet<string> = new Set(member.roles.cache.keys())
  return {
    id: member.id,
    voiceChannelId: member.guild.voiceStates.cache.get(member.id)?.channelId ?? null,
    avatarUrl: member.displayAvatarURL({ size: 512 }),
    roleIds,
    /** An administrator, who has every permission, or a member who may manage the server. */
    isManager: member.permissions.has(PermissionFlagsBits.ManageGuild),
  }
}

export function toPlace(guild: Guild) {
  const own = guild.client.user.id
  const inChannel = (channelId: string) => guild.voiceStates.cache.filter((state) => state.channelId === channelId)
  return {
    /** Locale of the guild, as its owner set it. */
    locale: guild.preferredLocale,
    /** Listeners of a voice channel: members in it, without bots and deafened members. */
    listeners: (channelId: string): readonly string[] =>
      inChannel(channelId)
        .filter(({ deaf, member, id }) => !deaf && !member?.user.bot && id !== own)
        .map(({ id }) => id),
    bots: (channelId: string): readonly string[] =>
      inChannel(channelId)
        .filter(({ member }) => member?.user.bot === true)
        .map(({ id }) => id),
    /** Whether the bot may post embeds there. */
    mayPost: (channelId: string) => may(guild, channelId, [ViewChannel, SendMessages, EmbedLinks]),
    /** Whether it may remove there what members write. */
    mayTidy: (channelId: string) => may(guild, channelId, [ViewChannel, ManageMessages]),
    /** Whether it may make a channel for its cards. */
    mayMakeChannels:
      guild.members.me?.permissions.has([ManageChannels, ViewChannel, SendMessages, EmbedLinks]) ?? false,
  }
}

function may(guild: Guild, channelId: string, permissions: readonly bigint[]): boolean {
  const channel = guild.channels.cache.get(channelId)
  const own = guild.members.me && channel?.permissionsFor(guild.members.me)
  return own?.has([...permissions]) ?? false
}
