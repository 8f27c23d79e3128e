import type { PlayerScope } from '../../player-service.ts'
import type { Language } from '../../../lib/texts/languages.ts'
import type { Words } from '../common-text.ts'

export interface Member {
  readonly id: string
  readonly voiceChannelId: string | null
  readonly avatarUrl: string
  readonly roleIds: ReadonlySet<string>
  /** An administrator, or a member who may manage the server. */
  readonly isManager: boolean
}

/** A bot's view of a guild at this moment. */
export interface VoicePlace {
  /** Listeners of a voice channel: members in it, without bots and deafened members. */
  listeners(channelId: string): readonly string[]
  /** The bots in a voice channel. */
  bots(channelId: string): readonly string[]
  /** Whether the bot may post embeds there. */
  mayPost(channelId: string): boolean
  /** Whether it may remove there what members write. */
  mayTidy(channelId: string): boolean
  /** Whether it may make a channel for its cards. */
  readonly mayMakeChannels: boolean
  /** Locale of the guild, as its owner set it. */
  readonly locale: string
}

/** One use of a command, a button, a menu or a form. */
export interface Invocation<V = unknown> {
  readonly scope: PlayerScope
  /** The bot that gives the answer; the one that plays may be another. */
  readonly answeringBotId: string
  readonly guildId: string
  readonly channelId: string
  /** The message whose button or menu was used; null for commands. */
  readonly messageId: string | null
  readonly member: Member
  readonly place: VoicePlace
  readonly language: Language
  /** The language of the member's app as Discord calls it, which the bot need not speak: `it`, `en-GB`. */
  readonly locale: string
  readonly words: Words
  /** Values that were filled in, or that the button's id carries. */
  readonly options: V
}
