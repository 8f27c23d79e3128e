import type { Collections } from '../../db/collections.ts'
import type { GuildSettingsRecords } from '../../db/guild-settings.ts'
import type { TrackMetadata } from '../knowledge.ts'
import type { Lookups } from '../../upstream/utilities.ts'
import type { Clock } from '../clock.ts'
import type { Pictures } from '../pictures.ts'
import type { Renders } from '../renders.ts'
import type { PlayerService } from '../music.ts'
import type { Cards } from './cards.ts'
import type { LiveLyrics } from './following.ts'
import type { Suggestions } from './suggestions.ts'
import type { Votes } from './votes.ts'

/** All that commands work with. Whoever brings commands of another area adds what they need here. */
export interface CommandContext {
  readonly music: PlayerService
  readonly knowledge: Pick<TrackMetadata, 'lyrics'>
  readonly pictures: Pictures
  readonly renders: Renders
  readonly utilities: Lookups
  readonly settings: GuildSettingsRecords
  readonly collections: Collections
  readonly cards: Cards
  readonly following: LiveLyrics
  readonly votes: Votes
  readonly suggestions: Suggestions
  readonly clock: Clock
  /** The settings of a guild have changed: its player looks at them anew. */
  settingsChanged(guildId: string): void
}
