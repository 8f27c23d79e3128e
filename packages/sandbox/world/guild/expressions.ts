import {
  AuditLogEvent,
  GatewayDispatchEvents,
  StickerFormatType,
  StickerType,
  type APIEmoji,
  type APISticker,
  type APIUser,
} from 'discord-api-types/v10'
import { DiscordError } from '../errors.ts'
import { tell, type Actor, type Guild, type Image, type World } from '../world.ts'
import { changesBetween, recordAudit, type Edit } from './audit-log.ts'

/** Limit for still and for animated emojis each, in a guild without boosts. */
const MAX_EMOJIS = 50
const MAX_STICKERS = 5

export interface EmojiFacts {
  readonly name: string
  readonly image: Image
  readonly roles: readonly string[]
  readonly user: APIUser
}

/** An emoji and its picture; it belongs to a guild or to an application. */
export function makeEmoji(world: World, { name, image, roles, user }: EmojiFacts): APIEmoji {
  const id = world.nextId()
  world.images.set(`emojis/${id}`, image)
  return {
    id,
    name,
    roles: [...roles],
    user,
    require_colons: true,
    managed: false,
    animated: image.type === 'image/gif',
    available: true,
  }
}

export function createEmoji(world: World, guild: Guild, facts: EmojiFacts, by: Actor): APIEmoji {
  const isAnimated = facts.image.type === 'image/gif'
  const alike = [...guild.emojis.values()].filter(({ animated }) => animated === isAnimated)
  if (alike.length >= MAX_EMOJIS) throw new DiscordError('tooManyEmojis')
  const emoji = makeEmoji(world, facts)
  guild.emojis.set(emoji.id ?? '', emoji)
  tellEmojis(world, guild)
  const changes = changesBetween(null, { name: emoji.name })
  recordAudit(world, guild, by, { type: AuditLogEvent.EmojiCreate, targetId: emoji.id, changes })
  return emoji
}

export interface EmojiChange {
  readonly name?: string | undefined
  readonly roles?: readonly string[] | undefined
}

export function editEmoji(world: World, guild: Guild, emoji: APIEmoji, { change, by }: Edit<EmojiChange>): void {
  const { name, roles } = change
  const before = { name: emoji.name }
  if (name !== undefined) emoji.name = name
  if (roles) emoji.roles = [...roles]
  tellEmojis(world, guild)
  const changes = changesBetween(before, { name: emoji.name })
  if (by) recordAudit(world, guild, by, { type: AuditLogEvent.EmojiUpdate, targetId: emoji.id, changes })
}

export function deleteEmoji(world: World, guild: Guild, emoji: APIEmoji, by: Actor): void {
  guild.emojis.delete(emoji.id ?? '')
  world.images.delete(`emojis/${emoji.id}`)
  tellEmojis(world, guild)
  const changes = changesBetween({ name: emoji.name }, null)
  recordAudit(world, guild, by, { type: AuditLogEvent.EmojiDelete, targetId: emoji.id, changes })
}

function tellEmojis(world: World, guild: Guild): void {
  const d = { guild_id: guild.id, emojis: [...guild.emojis.values()] }
  tell(world, guild.id, { t: GatewayDispatchEvents.GuildEmojisUpdate, d })
}

export interface StickerFacts {
  readonly name: string
  readonly tags: string
  readonly description: string | null
  readonly image: Image
  readonly user: APIUser
}

export function createSticker(world: World, guild: Guild, facts: StickerFacts, by: Actor): APISticker {
  if (guild.stickers.size >= MAX_STICKERS) throw new DiscordError('tooManyStickers')
  const { name, tags, description, image, user } = facts
  const sticker: APISticker = {
    id: world.nextId(),
    name,
    tags,
    description,
    type: StickerType.Guild,
    format_type: image.type === 'image/gif' ? StickerFormatType.GIF : StickerFormatType.PNG,
    available: true,
    guild_id: guild.id,
    user,
  }
  world.images.set(`stickers/${sticker.id}`, image)
  guild.stickers.set(sticker.id, sticker)
  tellStickers(world, guild)
  auditSticker(world, guild, by, { type: AuditLogEvent.StickerCreate, before: null, after: sticker })
  return sticker
}

export type StickerChange = Partial<Pick<StickerFacts, 'name' | 'tags' | 'description'>>

export function editSticker(
  world: World,
  guild: Guild,
  sticker: APISticker,
  { change, by }: Edit<StickerChange>,
): void {
  const before = { ...sticker }
  Object.assign(sticker, change)
  tellStickers(world, guild)
  if (by) auditSticker(world, guild, by, { type: AuditLogEvent.StickerUpdate, before, after: sticker })
}

export function deleteSticker(world: World, guild: Guild, sticker: APISticker, by: Actor): void {
  guild.stickers.delete(sticker.id)
  world.images.delete(`stickers/${sticker.id}`)
  tellStickers(world, guild)
  auditSticker(world, guild, by, { type: AuditLogEvent.StickerDelete, before: sticker, after: null })
}

function tellStickers(world: World, guild: Guild): void {
  const d = { guild_id: guild.id, stickers: [...guild.stickers.values()] }
  tell(world, guild.id, { t: GatewayDispatchEvents.GuildStickersUpdate, d })
}

type Change = { type: AuditLogEvent; before: APISticker | null; after: APISticker | null }

function auditSticker(world: World, guild: Guild, by: Actor, { type, before, after }: Change): void {
  const changes = changesBetween(before, after)
  recordAudit(world, guild, by, { type, targetId: (after ?? before)?.id ?? null, changes })
}
