import type { KnownGuildSettings } from '../../db/music/known-guild-settings.ts'
import type { GuildRef } from '../../db/music/play-history.ts'
import type { Logger } from '../../lib/log.ts'
import type { SponsorBlock } from '../../upstream/music/sponsorblock.ts'
import type { SegmentHooks } from '../player/player-parts.ts'
import { toSegments } from './segments.ts'

interface SegmentLookupOptions {
  readonly sponsorBlock: SponsorBlock
  readonly settings: Pick<KnownGuildSettings, 'known' | 'change'>
  readonly log: Logger
}

/** The segments that a guild's player skips. No lookup unless the guild enabled a category. */
export function createSegmentLookup({ sponsorBlock, settings, log }: SegmentLookupOptions) {
  return ({ botId, guildId }: GuildRef): SegmentHooks => ({
    get categories() {
      return settings.known(botId, guildId).sponsorBlock
    },
    async set(categories) {
      await settings.change(botId, guildId, { sponsorBlock: categories })
    },
    async find({ sourceName, identifier, isStream, lengthMs }) {
      const categories = settings.known(botId, guildId).sponsorBlock
      if (sourceName !== 'youtube' || isStream || categories.length === 0) return []
      try {
        return toSegments(await sponsorBlock.find(identifier, lengthMs), categories, lengthMs)
      } catch (err) {
        // The log has it already where the service failed.
        log.debug({ err }, 'segment lookup failed')
        return []
      }
    },
  })
}
