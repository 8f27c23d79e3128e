import {
  AuditLogEvent,
  ChannelType,
  GatewayDispatchEvents,
  OverwriteType,
  type APIGuildForumTag,
  type APIOverwrite,
  type ChannelFlags,
} from 'discord-api-types/v10'
import { DiscordError } from '../errors.ts'
import { forgetMessages } from '../messages.ts'
import { removeFromVoice } from '../voice.ts'
import { tell, type Actor, type Channel, type ForumChannel, type Guild, type World } from '../world.ts'
import { changesBetween, recordAudit, type Edit } from './audit-log.ts'
import { deleteInvitesOf } from './invites.ts'
import { closeStage } from './stages.ts'
import { forgetThread } from './threads.ts'
import { deleteWebhooksOf } from './webhooks.ts'

const MAX_CHANNELS = 500

/** Settings of a channel that depend on its type; all under Discord's names. */
interface ChannelSettings {
  readonly topic?: string | null | undefined
  readonly nsfw?: boolean | undefined
  readonly rate_limit_per_user?: number | undefined
  readonly bitrate?: number | undefined
  readonly user_limit?: number | undefined
  readonly rtc_region?: string | null | undefined
  readonly video_quality_mode?: number | undefined
  readonly default_auto_archive_duration?: number | undefined
  readonly default_thread_rate_limit_per_user?: number | undefined
  readonly default_reaction_emoji?: { emoji_id: string | null; emoji_name: string | null } | null | undefined
  readonly default_sort_order?: number | null | undefined
  readonly default_forum_layout?: number | undefined
  readonly available_tags?: readonly APIGuildForumTag[] | undefined
  readonly flags?: number | undefined
}

type NewChannelType = Exclude<Channel['type'], undefined>

export interface ChannelFacts {
  readonly id?: string
  readonly name: string
  readonly type: NewChannelType
  readonly userLimit?: number
  readonly topic?: string | null
  readonly overwrites?: readonly APIOverwrite[]
  readonly parentId?: string | null
  readonly position?: number
  readonly settings?: ChannelSettings
}

const TEXT = { topic: null, rate_limit_per_user: 0, nsfw: false, last_message_id: null, last_pin_timestamp: null }
const VOICE = {
  bitrate: 64_000,
  user_limit: 0,
  rtc_region: null,
  rate_limit_per_user: 0,
  nsfw: false,
  last_message_id: null,
}
const FORUM = {
  topic: null,
  rate_limit_per_user: 0,
  nsfw: false,
  last_message_id: null,
  available_tags: [],
  default_reaction_emoji: null,
  default_sort_order: null,
}

/** Default settings of a channel of each type. */
const DEFAULTS: Readonly<Record<NewChannelType, object>> = {
  [ChannelType.GuildText]: TEXT,
  [ChannelType.GuildAnnouncement]: TEXT,
  [ChannelType.GuildVoice]: VOICE,
  [ChannelType.GuildStageVoice]: VOICE,
  [ChannelType.GuildCategory]: {},
  [ChannelType.GuildForum]: { ...FORUM, default_forum_layout: 0 },
  [ChannelType.GuildMedia]: FORUM,
}
/** Fields that a type may have though no one has set them. */
const OPTIONAL: Readonly<Partial<Record<NewChannelType, readonly string[]>>> = {
  [ChannelType.GuildText]: ['default_auto_archive_duration', 'default_thread_rate_limit_per_user'],
  [ChannelType.GuildAnnouncement]: ['default_auto_archive_duration', 'default_thread_rate_limit_per_user'],
  [ChannelType.GuildVoice]: ['video_quality_mode'],
  [ChannelType.GuildStageVoice]: ['video_quality_mode', 'topic'],
  [ChannelType.GuildForum]: ['default_auto_archive_duration', 'default_thread_rate_limit_per_user', 'flags'],
  [ChannelType.GuildMedia]: ['default_auto_archive_duration', 'default_thread_rate_limit_per_user', 'flags'],
}

export function isForum(channel: { readonly type: ChannelType } | undefined): channel is ForumChannel {
  return channel?.type === ChannelType.GuildForum || channel?.type === ChannelType.GuildMedia
}

/** Returns the given settings that a channel of this type has. */
function settingsFor(type: NewChannelType, settings: ChannelSettings): object {
  const names = new Set([...Object.keys(DEFAULTS[type]), ...(OPTIONAL[type] ?? [])])
  return Object.fromEntries(Object.entries(settings).filter(([name, value]) => names.has(name) && value !== undefined))
}

/** A channel that no one is told of yet. */
export function createChannel(guild: Guild, facts: ChannelFacts & { readonly id: string }): Channel {
  const { type, userLimit, topic } = facts
  const given = { ...(userLimit === undefined ? {} : { user_limit: userLimit }), ...(topic ? { topic } : {}) }
  return {
    id: facts.id,
    guild_id: guild.id,
    name: facts.name,
    position: facts.position ?? guild.channels.size,
    permission_overwrites: [...(facts.overwrites ?? [])],
    parent_id: facts.parentId ?? null,
    flags: 0 as ChannelFlags,
    ...DEFAULTS[type],
    ...settingsFor(type, { ...given, ...facts.settings }),
    type,
    // The defaults have every field of the type.
  } as unknown as Channel
}

export function addChannel(world: World, guild: Guild, facts: ChannelFacts, by?: Actor): Channel {
  if (guild.channels.size >= MAX_CHANNELS) throw new DiscordError('tooManyChannels')
  const channel = createChannel(guild, { ...facts, id: facts.id ?? world.nextId() })
  guild.channels.set(channel.id, channel)
  tell(world, guild.id, { t: GatewayDispatchEvents.ChannelCreate, d: { ...channel, guild_id: guild.id } })
  const changes = changesBetween(null, channel)
  if (by) recordAudit(world, guild, by, { type: AuditLogEvent.ChannelCreate, targetId: channel.id, changes })
  return channel
}

export interface ChannelChange extends ChannelSettings {
  readonly name?: string | undefined
  readonly type?: NewChannelType | undefined
  readonly position?: number | undefined
  readonly parent_id?: string | null | undefined
  readonly permission_overwrites?: readonly APIOverwrite[] | undefined
}

/** Changes what is given; text and announcement channels may become the other. */
export function editChannel(world: World, guild: Guild, channel: Channel, { change, by }: Edit<ChannelChange>): void {
  const before = structuredClone(channel)
  const { name, type = channel.type, position, parent_id, permission_overwrites: overwrites, ...settings } = change
  const named = Object.entries({ name, type, position, parent_id }).filter(([, value]) => value !== undefined)
  Object.assign(channel, Object.fromEntries(named), settingsFor(type, settings))
  if (overwrites) channel.permission_overwrites = [...overwrites]
  if (JSON.stringify(before) === JSON.stringify(channel)) return
  tellChannelUpdate(world, guild, channel)
  if (!by) return
  const { permission_overwrites: _old, ...oldRest } = before
  const { permission_overwrites: _fresh, ...rest } = channel
  const changes = changesBetween(oldRest, rest)
  const target = { type: AuditLogEvent.ChannelUpdate, targetId: channel.id }
  if (changes.length > 0) recordAudit(world, guild, by, { ...target, changes })
  for (const id of new Set([...(before.permission_overwrites ?? []), ...(overwrites ?? [])].map((one) => one.id))) {
    const [old, fresh] = [before, channel].map((state) => state.permission_overwrites?.find((one) => one.id === id))
    auditOverwrite(world, guild, { channel, old, fresh }, by)
  }
}

export function tellChannelUpdate(world: World, guild: Guild, channel: Channel): void {
  tell(world, guild.id, { t: GatewayDispatchEvents.ChannelUpdate, d: { ...channel, guild_id: guild.id } })
}

/** Everyone in it is put out of voice with 4014 first, as Discord does. The channels of a category lose their parent. */
export function deleteChannel(world: World, guild: Guild, channel: Channel, by?: Actor): void {
  for (const voice of guild.voice.values()) {
    if (voice.channelId === channel.id) removeFromVoice(world, guild, voice.userId, 4014)
  }
  for (const thread of guild.threads.values()) {
    if (thread.parent_id === channel.id) forgetThread(world, guild, thread)
  }
  for (const child of guild.channels.values()) {
    if (child.parent_id === channel.id) editChannel(world, guild, child, { change: { parent_id: null } })
  }
  closeStage(world, guild, channel.id)
  deleteInvitesOf(world, guild, channel.id)
  deleteWebhooksOf(guild, channel.id)
  guild.channels.delete(channel.id)
  guild.statuses.delete(channel.id)
  forgetMessages(world, channel.id)
  tell(world, guild.id, { t: GatewayDispatchEvents.ChannelDelete, d: { ...channel, guild_id: guild.id } })
  const changes = changesBetween(channel, null)
  if (by) recordAudit(world, guild, by, { type: AuditLogEvent.ChannelDelete, targetId: channel.id, changes })
}

/** Sets what a role or member may do in a channel; null takes it away. */
export function setOverwrite(
  world: World,
  guild: Guild,
  channel: Channel,
  { id, overwrite, by }: { readonly id: string; readonly overwrite: APIOverwrite | null; readonly by: Actor },
): void {
  const old = channel.permission_overwrites?.find((one) => one.id === id)
  const others = (channel.permission_overwrites ?? []).filter((one) => one.id !== id)
  channel.permission_overwrites = overwrite ? [...others, overwrite] : others
  tellChannelUpdate(world, guild, channel)
  auditOverwrite(world, guild, { channel, old, fresh: overwrite ?? undefined }, by)
}

interface OverwriteChange {
  readonly channel: Channel
  readonly old: APIOverwrite | undefined
  readonly fresh: APIOverwrite | undefined
}

function auditOverwrite(world: World, guild: Guild, { channel, old, fresh }: OverwriteChange, by: Actor): void {
  const whose = fresh ?? old
  if (!whose || (old?.allow === fresh?.allow && old?.deny === fresh?.deny)) return
  const { ChannelOverwriteCreate, ChannelOverwriteUpdate, ChannelOverwriteDelete } = AuditLogEvent
  const type = !old ? ChannelOverwriteCreate : fresh ? ChannelOverwriteUpdate : ChannelOverwriteDelete
  const isRole = whose.type === OverwriteType.Role
  const roleName = isRole ? guild.roles.get(whose.id)?.name : undefined
  recordAudit(world, guild, by, {
    type,
    targetId: channel.id,
    changes: changesBetween(old ?? null, fresh ?? null),
    options: {
      id: whose.id,
      type: String(whose.type) as '0',
      ...(roleName === undefined ? {} : { role_name: roleName }),
    } as never,
  })
}
