import type { Interaction, Message } from 'discord.js'
import type { PlayerScope } from '../../player-service.ts'
import { toMember, toPlace } from '../core/guild-view.ts'
import type { Invocation } from '../core/invocation.ts'
import { languageOf, type Language } from '../../../lib/texts/languages.ts'
import { Refusal } from '../core/reply.ts'
import { WORDS } from '../common-text.ts'

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
