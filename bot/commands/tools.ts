import type { Collections } from '../../db/collections.ts'
import type { GuildSettingsRecords } from '../../db/guild-settings.ts'
import type { Knowledge } from '../knowledge.ts'
import type { Utilities } from '../../upstream/utilities.ts'
import type { Clock } from '../clock.ts'
import type { Pictures } from '../pictures.ts'
import type { Renders } from '../renders.ts'
import type { Music } from '../music.ts'
import type { Cards } from './cards.ts'
import type { Following } from './following.ts'
import type { Suggestions } from './suggestions.ts'
import type { Votes } from './votes.ts'

/** All that commands work with. Whoever brings commands of another area adds what they need here. */
export interface Tools {
  readonly music: Music
  readonly knowledge: Pick<Knowledge, 'lyrics'>
  readonly pictures: Pictures
  readonly renders: Renders
  readonly utilities: Utilities
  readonly settings: GuildSettingsRecords
  readonly collections: Collections
  readonly cards: Cards
  readonly following: Following
  readonly votes: Votes
  readonly suggestions: Suggestions
  readonly clock: Clock
  /** The settings of a guild have changed: its player looks at them anew. */
  settingsChanged(guildId: string): void
}
