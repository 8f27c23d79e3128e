import type { GatewayGuildCreateDispatchData } from 'discord-api-types/v10'
import { Collection, LimitedCollection, type CacheFactory } from 'discord.js'

/** Caches that a music bot never reads. */
const UNCACHED: ReadonlySet<string> = new Set([
  'MessageManager',
  'PresenceManager',
  'ReactionManager',
  'AutoModerationRuleManager',
  'GuildApplicationCommandManager',
  'GuildBanManager',
  'GuildEmojiManager',
  'GuildForumThreadManager',
  'GuildInviteManager',
  'GuildScheduledEventManager',
  'GuildSoundboardSoundManager',
  'GuildStickerManager',
  'GuildTextThreadManager',
  'StageInstanceManager',
])

/** A guild has a cache for each kind of thing in it, and each of its channels several: those that stay empty are one. */
export function createCaches(): CacheFactory {
  const nothing = new LimitedCollection<unknown, unknown>({ maxSize: 0 })
  const make = (managerType: { readonly name: string }, _: unknown, manager: { readonly name: string }) =>
    UNCACHED.has(manager.name) || UNCACHED.has(managerType.name) ? nothing : new Collection<unknown, unknown>()
  return make as CacheFactory
}

/** Takes out of a guild what would be built and kept nowhere. */
export function dropUncached(d: Partial<GatewayGuildCreateDispatchData>): void {
  delete d.presences
  delete d.stage_instances
  delete d.guild_scheduled_events
  delete d.soundboard_sounds
  delete d.emojis
  delete d.stickers
}
