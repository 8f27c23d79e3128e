import { ChannelType, type APIMessage } from 'discord-api-types/v10'
import { isVoice } from '../world/voice.ts'
import type { Application, Channel, Guild, World } from '../world/world.ts'

/** A guild at a glance: who is where, and what the channels say. */
export function viewGuild(world: World, guild: Guild) {
  return {
    id: guild.id,
    name: guild.name,
    ownerId: guild.ownerId,
    unavailable: guild.unavailable,
    voiceAway: guild.voiceAway,
    channels: [...guild.channels.values()].map((channel) => viewChannel(guild, channel)),
    members: [...guild.members.values()].map(({ user, nick, mute, deaf }) => ({
      id: user.id,
      name: nick ?? user.global_name ?? user.username,
      bot: world.applications.has(user.id),
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

/** Where somebody is; null where they are not in voice. */
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

export function viewApplication(world: World, application: Application) {
  const { id, name, token, commands } = application
  const guildIds = [...world.guilds.values()].filter((guild) => guild.members.has(id)).map((guild) => guild.id)
  const names = [...commands.values()].map((command) => command.name)
  return { id, name, token, guildIds, commands: names }
}

/** A message as a person would report it; `raw` is the whole of it. */
export function viewMessage(message: APIMessage) {
  return {
    id: message.id,
    channelId: message.channel_id,
    authorId: message.author.id,
    author: message.author.global_name ?? message.author.username,
    content: message.content,
    embeds: message.embeds,
    components: message.components ?? [],
    attachments: message.attachments,
    ephemeral: ((message.flags ?? 0) & 64) !== 0,
    loading: ((message.flags ?? 0) & 128) !== 0,
    editedAt: message.edited_timestamp,
    createdAt: message.timestamp,
    raw: message,
  }
}
