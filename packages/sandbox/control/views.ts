import { ChannelType, type APIApplicationCommand, type APIMessage } from 'discord-api-types/v10'
import type { VoiceServer } from '../voice/server.ts'
import { isVoice } from '../world/voice.ts'
import type { Application, Channel, Guild, Interaction, World } from '../world/world.ts'

/** A guild at a glance: who is where, and what the channels say. */
export function viewGuild(world: World, guild: Guild) {
  return {
    id: guild.id,
    name: guild.name,
    ownerId: guild.ownerId,
    unavailable: guild.unavailable,
    voiceAway: guild.voiceAway,
    channels: [...guild.channels.values()].map((channel) => viewChannel(guild, channel)),
    roles: [...guild.roles.values()]
      .filter(({ id }) => id !== guild.id)
      .map(({ id, name, color, managed }) => ({ id, name, color, managed })),
    members: [...guild.members.values()].map(({ user, nick, roles, mute, deaf }) => ({
      id: user.id,
      name: nick ?? user.global_name ?? user.username,
      bot: world.applications.has(user.id),
      roles,
      serverMuted: mute,
      serverDeafened: deaf,
    })),
    voiceStates: [...guild.voice.values()].map((voice) => viewVoice(world, voice.guildId, voice.userId)),
  }
}

function viewChannel({ statuses }: Guild, channel: Channel) {
  const { id, name } = channel
  if (!isVoice(channel)) return { id, name, type: 'text' }
  const type = channel.type === ChannelType.GuildStageVoice ? 'stage' : 'voice'
  return { id, name, type, userLimit: channel.user_limit ?? 0, status: statuses.get(id) ?? null }
}

/** A user's voice state; null if they are not in voice. */
export function viewVoice(world: World, guildId: string, userId: string) {
  const guild = world.guilds.get(guildId)
  const voice = guild?.voice.get(userId)
  if (!guild || !voice) return null
  const member = guild.members.get(userId)
  return {
    userId,
    channelId: voice.channelId,
    sessionId: voice.sessionId,
    selfMute: voice.selfMute,
    selfDeaf: voice.selfDeaf,
    serverMuted: member?.mute ?? false,
    serverDeafened: member?.deaf ?? false,
    suppressed: voice.suppress,
    asksToSpeak: voice.requestedToSpeakAt !== null,
    connected: world.hasVoiceClient(guildId, userId),
  }
}

/** A command with everything that a member's app shows of it. */
export function viewCommand(applicationId: string, command: APIApplicationCommand) {
  const { id, name, type, description, options = [] } = command
  return {
    id,
    applicationId,
    name,
    nameLocalizations: command.name_localizations ?? {},
    type,
    description,
    descriptionLocalizations: command.description_localizations ?? {},
    permissions: command.default_member_permissions,
    options,
  }
}

/** Current rules and faults. */
export function viewNetwork({ world, voice }: { world: World; voice: VoiceServer }, guild: Guild) {
  const { unavailable, voiceAway } = guild
  return { rules: world.rules, faults: voice.faults(guild.id), dave: voice.dave(), unavailable, voiceAway }
}

/** User and command of an interaction, for the line above its answer. */
export function viewInteraction({ id, userId, application, payload }: Interaction) {
  const name = 'data' in payload && payload.data && 'name' in payload.data ? payload.data.name : null
  return { id, userId, applicationId: application.id, channelId: payload.channel?.id ?? null, command: name }
}

export function viewApplication(world: World, application: Application) {
  const { id, name, token, commands, hasActivities } = application
  const guildIds = [...world.guilds.values()].filter((guild) => guild.members.has(id)).map((guild) => guild.id)
  const names = [...commands.values()].map((command) => command.name)
  return { id, name, token, guildIds, activities: hasActivities, commands: names }
}

/** A message as a person would report it; `raw` is the whole of it. */
export function viewMessage(message: APIMessage) {
  return {
    id: message.id,
    channelId: message.channel_id,
    authorId: message.author.id,
    author: nameOf(message),
    bot: message.author.bot ?? false,
    content: message.content,
    embeds: message.embeds,
    components: message.components ?? [],
    attachments: message.attachments,
    ephemeral: ((message.flags ?? 0) & 64) !== 0,
    loading: ((message.flags ?? 0) & 128) !== 0,
    editedAt: message.edited_timestamp,
    createdAt: message.timestamp,
    reactions: (message.reactions ?? []).map(({ count, emoji }) => ({ count, emoji: emoji.name })),
    replyTo: message.referenced_message
      ? { id: message.referenced_message.id, author: nameOf(message.referenced_message) }
      : null,
    interactionId: message.interaction_metadata?.id ?? null,
    raw: message,
  }
}

const nameOf = ({ author }: APIMessage) => author.global_name ?? author.username
