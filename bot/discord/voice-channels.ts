import { ChannelType, PermissionFlagsBits, type Client, type Guild, type VoiceBasedChannel } from 'discord.js'
import { Fault, unprocessable } from '../../lib/errors.ts'
import { counted } from '../../lib/text.ts'
import type { OwnVoice } from '../player/player.ts'

/**
 * The channel that a player of this guild can be started in.
 * @throws {Fault} `not_found` for a guild that the bot is not in, `channel_not_joinable` for a channel
 * that is missing or that the bot cannot play in, with what has to be changed.
 */
export function joinableChannel(client: Client, guildId: string, channelId: string | undefined): string {
  const guild = client.guilds.cache.get(guildId)
  if (!guild) throw notInGuild(guildId)
  if (!guild.available) {
    throw new Fault('service_unavailable', `Discord reports an outage of server ${guildId}. Try again later.`)
  }
  if (channelId === undefined) {
    throw unprocessable(
      'channel_not_joinable',
      "The bot isn't in a voice channel of this server. Send the `channelId` to join.",
    )
  }
  const channel = guild.channels.cache.get(channelId)
  if (!channel)
    throw unprocessable(
      'channel_not_joinable',
      `The bot sees no channel ${channelId} in server ${guildId}. Check the ID and its View Channel permission.`,
    )
  if (!channel.isVoiceBased())
    throw unprocessable('channel_not_joinable', `The channel ${channelId} isn't a voice channel.`)
  assertAllowed(channel)
  return channelId
}

export function notInGuild(guildId: string): Fault {
  return new Fault('not_found', `The bot isn't in server ${guildId}. Invite it first.`)
}

/** Ids of the humans in a voice channel. Someone whom Discord has not described yet counts as one. */
export function humansIn(client: Client, guildId: string, channelId: string): readonly string[] {
  const states = client.guilds.cache.get(guildId)?.voiceStates.cache
  if (!states) return []
  const humans = states.filter(
    (state) => state.channelId === channelId && !state.member?.user.bot && state.id !== client.user?.id,
  )
  return [...humans.keys()]
}

export function countHumans(client: Client, guildId: string, channelId: string): number {
  return humansIn(client, guildId, channelId).length
}

/** The bot's own voice state in a guild, as Discord shows it. */
export function ownVoice(client: Client, guild: Guild): OwnVoice {
  const state = guild.voiceStates.cache.get(client.user?.id ?? '')
  const channelId = state?.channelId ?? null
  const flags = { mute: state?.serverMute ?? false, suppress: state?.suppress ?? false }
  return { channelId, silenced: silenceOf(guild, channelId, flags) }
}

interface VoiceFlags {
  /** Muted by a moderator, in the whole guild. */
  readonly mute: boolean
  /** The bot may not speak in this channel. */
  readonly suppress: boolean
}

export function silenceOf(guild: Guild | undefined, channelId: string | null, { mute, suppress }: VoiceFlags) {
  if (mute) return 'serverMute'
  if (!suppress) return null
  // Only a stage has moderators who let others speak.
  return guild?.channels.cache.get(channelId ?? '')?.type === ChannelType.GuildVoice ? 'mayNotSpeak' : 'suppressed'
}

function assertAllowed(channel: VoiceBasedChannel): void {
  const { me } = channel.guild.members
  const permissions = me && channel.permissionsFor(me)
  if (!permissions) return
  if (permissions.has(PermissionFlagsBits.Administrator)) return
  const missing = neededIn(channel).filter(({ flag }) => !permissions.has(flag))
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(', ')
    throw unprocessable('channel_not_joinable', `The bot lacks permissions in the channel ${channel.id}: ${names}.`)
  }
  if (me.isCommunicationDisabled()) {
    throw unprocessable('channel_not_joinable', 'The bot has a timeout in this server. It can join after the timeout.')
  }
  if (channel.full && !permissions.has(PermissionFlagsBits.MoveMembers)) {
    throw unprocessable(
      'channel_not_joinable',
      `The channel ${channel.id} is full: its limit is ${counted(channel.userLimit, 'member')}.`,
    )
  }
}

/**
 * Permissions that the bot needs in a channel. A stage chooses its speakers later; everywhere else a bot that may not speak
 * would play unheard.
 */
function neededIn(channel: VoiceBasedChannel): readonly { readonly flag: bigint; readonly name: string }[] {
  const needed = [
    { flag: PermissionFlagsBits.ViewChannel, name: 'View Channel' },
    { flag: PermissionFlagsBits.Connect, name: 'Connect' },
  ]
  if (channel.type === ChannelType.GuildStageVoice) return needed
  return [...needed, { flag: PermissionFlagsBits.Speak, name: 'Speak' }]
}
