import type { Collections } from '../../../db/music/collections.ts'
import type { GuildSettingsRecords } from '../../../db/music/guild-settings.ts'
import type { PlayHistory } from '../../../db/music/play-history.ts'
import type { TrackMetadata } from '../../tracks/track-metadata.ts'
import type { Lookups } from '../../../upstream/lookups.ts'
import type { Clock } from '../../player/timers.ts'
import type { Pictures } from '../images/image-service.ts'
import type { Renders } from '../renders/render-service.ts'
import type { PlayerService } from '../../player-service.ts'
import type { Cards } from '../card/cards.ts'
import type { LiveLyrics } from '../lyrics/live-lyrics.ts'
import type { Suggestions } from './autocomplete.ts'
import type { Votes } from '../permissions/votes.ts'

/** All that commands work with. Commands of another area add what they need here. */
export interface CommandContext {
  readonly music: PlayerService
  readonly knowledge: Pick<TrackMetadata, 'lyrics'>
  readonly pictures: Pictures
  readonly renders: Renders
  readonly utilities: Lookups
  readonly settings: GuildSettingsRecords
  readonly collections: Collections
  readonly history: Pick<PlayHistory, 'list'>
  readonly cards: Cards
  readonly following: LiveLyrics
  readonly votes: Votes
  readonly suggestions: Suggestions
  readonly clock: Clock
  /** The settings of a guild have changed: its player reads them again. */
  settingsChanged(guildId: string): void
}
