import type { Member, VoicePlace } from './guild-view.ts'
import type { Collections } from '../../../db/music/collections.ts'
import type { KnownGuildSettings } from '../../../db/music/known-guild-settings.ts'
import type { PlayHistory } from '../../../db/music/play-history.ts'
import type { GuildMemberRef, WebPlayerVisitor } from '../../../db/people/web-player-access.ts'
import type { TrackMetadata } from '../../tracks/track-metadata.ts'
import type { Lookups } from '../../../upstream/lookups.ts'
import type { Clock } from '../../player/timers.ts'
import type { Pictures } from '../images/image-service.ts'
import type { Renders } from '../renders/render-service.ts'
import type { MemberControls } from '../../permissions/member-controls.ts'
import type { OperationName } from '../../player/operations.ts'
import type { PlayerService, PlayerScope } from '../../player-service.ts'
import type { Cards } from '../card/cards.ts'
import type { ChannelMessages } from '../card/channel-messages.ts'
import type { LiveLyrics } from '../lyrics/live-lyrics.ts'
import type { Suggestions } from './autocomplete.ts'
import type { Language } from '../../../lib/texts/languages.ts'
import type { Words } from '../common-text.ts'

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

/** Of the music service, what changes nothing, and `play`, which the rule `joiner` is for. */
type MusicLookup = Omit<PlayerService, Changes | 'perform' | 'performGuarded'>

/** The operations of a player that members need permissions for. */
type Changes = Exclude<
  OperationName,
  'info' | 'queue' | 'queueItems' | 'requesters' | 'trace' | 'listen' | 'nextTrack' | 'layers'
>

/** The links that let members into the player in their browser. */
export interface WebLinks {
  /** @returns an address that works once, and soon. */
  createUrl(visitor: WebPlayerVisitor): Promise<string>
  /** Signs a member out everywhere. @returns in how many browsers they were signed in. */
  endAll(member: GuildMemberRef): Promise<number>
}

/** All that commands work with. Commands of another area add what they need here. */
export interface CommandContext {
  /** What changes a player goes by `controls`, which hold members to the guild's permissions. */
  readonly music: MusicLookup
  readonly controls: MemberControls
  readonly trackMetadata: Pick<TrackMetadata, 'lyrics'>
  readonly pictures: Pictures
  readonly renders: Renders
  readonly utilities: Lookups
  readonly settings: KnownGuildSettings
  readonly collections: Collections
  readonly history: Pick<PlayHistory, 'list'>
  /** null if the player in the browser is switched off. */
  readonly webLinks: WebLinks | null
  readonly cards: Cards
  readonly channelMessages: Pick<ChannelMessages, 'makeChannel' | 'readsMessages'>
  readonly following: LiveLyrics
  readonly suggestions: Suggestions
  readonly clock: Clock
  /** The settings of a guild have changed: its player reads them again. */
  settingsChanged(guildId: string): void
}
