import {
  PermissionFlagsBits,
  type Client,
  type Guild,
  type GuildMember,
  type Interaction,
  type Message,
} from 'discord.js'
import type { PlayerScope } from '../../player-service.ts'
import type { Invocation, Member, VoicePlace } from '../core/invocation.ts'
import { languageOf, type Language } from '../../../lib/texts/languages.ts'
import { Refusal } from '../core/error-message.ts'
import { WORDS } from '../common-text.ts'

const { ViewChannel, SendMessages, EmbedLinks, ManageMessages, ManageChannels } = PermissionFlagsBits

/** Reads who uses what, and where. @throws {Refusal} outside of a guild that the bot is in. */
export function parseInvocation(interaction: Interaction, scope: PlayerScope): Invocation {
  const language = languageOf(interaction.locale)
  const words = WORDS[language]
  if (!interaction.inCachedGuild()) throw new Refusal(words.refused.onlyInGuild)
  const { guild, guildId } = interaction
  return {
    scope,
    answeringBotId: scope.botId,
    guildId,
    channelId: interaction.channelId ?? '',
    messageId: 'message' in interaction ? (interaction.message?.id ?? null) : null,
    member: toMember(interaction.member),
    place: toPlace(guild),
    language,
    locale: interaction.locale,
    words,
    options: undefined,
  }
}

/** Reads who wrote something, and where; null if no member did. */
export function parseMessage(message: Message<true>, scope: PlayerScope, language: Language): Invocation | null {
  const { member, guild, guildId, channelId } = message
  if (!member) return null
  return {
    scope,
    answeringBotId: scope.botId,
    guildId,
    channelId,
    messageId: null,
    member: toMember(member),
    place: toPlace(guild),
    language,
    locale: language,
    words: WORDS[language],
    options: undefined,
  }
}

export function findPlace({ guilds }: Client, guildId: string): VoicePlace | null {
  const guild = guilds.cache.get(guildId)
  return guild ? toPlace(guild) : null
}

export function toMember(member: GuildMember): Member {
  return {
    id: member.id,
    voiceChannelId: member.guild.voiceStates.cache.get(member.id)?.channelId ?? null,
    avatarUrl: member.displayAvatarURL({ size: 512 }),
    roleIds: new Set(member.roles.cache.keys()),
    // Administrators have every permission.
    isManager: member.permissions.has(PermissionFlagsBits.ManageGuild),
  }
}

export function toPlace(guild: Guild): VoicePlace {
  return {
    locale: guild.preferredLocale,
    listeners: (channelId) =>
      guild.voiceStates.cache
        .filter(
          (state) =>
            state.channelId === channelId &&
            !state.deaf &&
            !state.member?.user.bot &&
            state.id !== guild.client.user.id,
        )
        .map(({ id }) => id),
    bots: (channelId) =>
      guild.voiceStates.cache
        .filter((state) => state.channelId === channelId && state.member?.user.bot === true)
        .map(({ id }) => id),
    mayPost: (channelId) => may(guild, channelId, [ViewChannel, SendMessages, EmbedLinks]),
    mayTidy: (channelId) => may(guild, channelId, [ViewChannel, ManageMessages]),
    mayMakeChannels:
      guild.members.me?.permissions.has([ManageChannels, ViewChannel, SendMessages, EmbedLinks]) ?? false,
  }
}

function may(guild: Guild, channelId: string, permissions: readonly bigint[]): boolean {
  const channel = guild.channels.cache.get(channelId)
  const own = guild.members.me && channel?.permissionsFor(guild.members.me)
  return own?.has([...permissions]) ?? false
}
