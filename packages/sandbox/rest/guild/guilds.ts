import {
  AuditLogEvent,
  ChannelType,
  GatewayDispatchEvents,
  GuildDefaultMessageNotifications,
  GuildExplicitContentFilter,
  GuildVerificationLevel,
  Locale,
  type GuildFeature,
} from 'discord-api-types/v10'
import { z } from 'zod'
import { invalidForm } from '../../world/errors.ts'
import { changesBetween, recordAudit } from '../../world/guild/audit-log.ts'
import { describeGuild } from '../../world/guild/describe.ts'
import { removeMember } from '../../world/guilds.ts'
import { keepImage } from '../../world/images.ts'
import { permissionsOf, Permission } from '../../world/permissions.ts'
import { tell, type Guild } from '../../world/world.ts'
import { Id, pageById, parseBody, readFlag, readLimit } from '../form.ts'
import { actorOf, demand, guildOf, noContent, ok, type Call, type Route } from '../route.ts'

const GUILD = '/guilds/{guildId}'

const countsOf = ({ members: { size } }: Guild) => ({
  approximate_member_count: size,
  approximate_presence_count: size,
})

function describe(call: Call) {
  const guild = guildOf(call)
  return ok({ ...describeGuild(guild), ...(readFlag(call.query, 'with_counts') ? countsOf(guild) : {}) })
}

/** A guild one is in. Others are shown only where they may be discovered, as none is here. */
function preview(call: Call) {
  const guild = guildOf(call)
  const { id, name, icon, description, home_header, splash, discovery_splash, features, emojis, stickers } =
    describeGuild(guild)
  const shown = { id, name, icon, description, home_header, splash, discovery_splash, features, emojis, stickers }
  return ok({ ...shown, ...countsOf(guild) })
}

function listMine({ world, me, query }: Call) {
  const limit = readLimit(query, { most: 200, usual: 200 })
  const mine = [...world.guilds.values()].filter((guild) => guild.members.has(me.id))
  const isCounted = readFlag(query, 'with_counts')
  return ok(pageById(mine, { query, limit, idOf: ({ id }) => id }).map((one) => describeMine(one, me.id, isCounted)))
}

function describeMine(guild: Guild, userId: string, isCounted: boolean) {
  return {
    id: guild.id,
    name: guild.name,
    icon: guild.settings.icon,
    banner: guild.settings.banner,
    owner: guild.ownerId === userId,
    permissions: String(permissionsOf(guild, userId)),
    features: guild.settings.features,
    ...(isCounted ? countsOf(guild) : {}),
  }
}

function leave(call: Call) {
  const guild = guildOf(call)
  if (guild.ownerId === call.me.id) throw invalidForm('_', 'GUILD_OWNER', 'The owner cannot leave the guild.')
  removeMember(call.world, guild, call.me.id)
  return noContent
}

const picture = z.string().nullish()
const channelId = Id.nullish()
/** Null sets it back to what is usual. */
const orElse = <T>(schema: z.ZodType<T>, usual: T) =>
  schema.nullish().transform((value) => (value === null ? usual : value))

const GuildChange = z.object({
  name: z.string().trim().min(2).max(100).optional(),
  description: z.string().max(300).nullish(),
  icon: picture,
  splash: picture,
  discovery_splash: picture,
  banner: picture,
  afk_channel_id: channelId,
  afk_timeout: orElse(z.literal([60, 300, 900, 1800, 3600]), 300),
  system_channel_id: channelId,
  system_channel_flags: orElse(z.int().min(0), 0),
  rules_channel_id: channelId,
  public_updates_channel_id: channelId,
  safety_alerts_channel_id: channelId,
  verification_level: orElse(z.enum(GuildVerificationLevel), GuildVerificationLevel.None),
  default_message_notifications: orElse(
    z.enum(GuildDefaultMessageNotifications),
    GuildDefaultMessageNotifications.AllMessages,
  ),
  explicit_content_filter: orElse(z.enum(GuildExplicitContentFilter), GuildExplicitContentFilter.Disabled),
  preferred_locale: orElse(z.enum(Locale), Locale.EnglishUS),
  premium_progress_bar_enabled: orElse(z.boolean(), false),
  features: z.array(z.string()).nullish(),
})

/** Features that a guild's owner switches; the rest comes from Discord. */
const SWITCHED = new Set(['COMMUNITY', 'DISCOVERABLE', 'INVITES_DISABLED', 'RAID_ALERTS_DISABLED'])
const PICTURES = {
  icon: 'icons',
  splash: 'splashes',
  discovery_splash: 'discovery-splashes',
  banner: 'banners',
} as const
const CHANNELS = {
  afk_channel_id: ChannelType.GuildVoice,
  system_channel_id: ChannelType.GuildText,
  rules_channel_id: ChannelType.GuildText,
  public_updates_channel_id: ChannelType.GuildText,
  safety_alerts_channel_id: ChannelType.GuildText,
} as const

function edit(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.ManageGuild)
  const { name, features, system_channel_flags: flags, ...change } = parseBody(GuildChange, call.body)
  for (const [field, type] of Object.entries(CHANNELS) as [keyof typeof CHANNELS, ChannelType][]) {
    const id = change[field]
    if (id && guild.channels.get(id)?.type !== type)
      throw invalidForm(field, 'INVALID_CHANNEL', 'Channel is not valid.')
  }
  const before = { name: guild.name, ...structuredClone(guild.settings) }
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  const kept = given.map(([field, value]) => [field, keepPicture(call, guild, field, value)] as const)
  Object.assign(guild.settings, Object.fromEntries(kept))
  if (flags !== undefined) guild.settings.system_channel_flags = flags
  if (features) switchFeatures(call, guild, features)
  if (name !== undefined) guild.name = name
  tell(call.world, guild.id, { t: GatewayDispatchEvents.GuildUpdate, d: describeGuild(guild) })
  const changes = changesBetween(before, { name: guild.name, ...guild.settings })
  recordAudit(call.world, guild, actorOf(call), { type: AuditLogEvent.GuildUpdate, targetId: guild.id, changes })
  return ok(describeGuild(guild))
}

function keepPicture(call: Call, guild: Guild, field: string, value: unknown): unknown {
  const folder = PICTURES[field as keyof typeof PICTURES]
  if (folder === undefined || (typeof value !== 'string' && value !== null)) return value
  return keepImage(call.world, { folder: `${folder}/${guild.id}`, path: field }, value)
}

function switchFeatures(call: Call, guild: Guild, wanted: readonly string[]): void {
  const { settings } = guild
  const turnsCommunity = wanted.includes('COMMUNITY') !== (settings.features as readonly string[]).includes('COMMUNITY')
  if (turnsCommunity) demand(call, guild, Permission.Administrator)
  if (wanted.includes('COMMUNITY') && (!settings.rules_channel_id || !settings.public_updates_channel_id)) {
    const say = 'Community guilds need a rules channel and a public updates channel.'
    throw invalidForm('features', 'BASE_TYPE_REQUIRED', say)
  }
  const others = settings.features.filter((one) => !SWITCHED.has(one))
  const given = wanted.filter((one) => SWITCHED.has(one)) as GuildFeature[]
  settings.features = [...others, ...given]
}

export const GUILD_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/users/@me/guilds', handle: listMine },
  { method: 'DELETE', path: '/users/@me/guilds/{guildId}', handle: leave },
  { method: 'GET', path: GUILD, handle: describe },
  { method: 'PATCH', path: GUILD, lacks: ['home_header'], handle: edit },
  { method: 'GET', path: `${GUILD}/preview`, handle: preview },
]
