import {
  ChannelType,
  GatewayDispatchEvents,
  GuildDefaultMessageNotifications,
  GuildExplicitContentFilter,
  GuildMFALevel,
  GuildNSFWLevel,
  GuildPremiumTier,
  GuildVerificationLevel,
  Locale,
  type APIGuild,
  type APIOverwrite,
  type APIRole,
  type APIUser,
  type GatewayGuildCreateDispatchData,
  type GuildMemberFlags,
  type GuildSystemChannelFlags,
  type RoleFlags,
} from 'discord-api-types/v10'
import { forgetMessages } from './messages.ts'
import { EVERYONE, MUSIC_BOT } from './permissions.ts'
import { describeVoice, removeFromVoice } from './voice.ts'
import { getMember, tell, type Application, type Channel, type Guild, type Member, type World } from './world.ts'

export interface GuildFacts {
  readonly id?: string
  readonly name: string
  readonly ownerId: string
}

export function createGuild(world: World, { id = world.nextId(), name, ownerId }: GuildFacts): Guild {
  const guild: Guild = {
    id,
    now: world.now,
    name,
    ownerId,
    unavailable: false,
    voiceAway: false,
    channels: new Map(),
    roles: new Map(),
    members: new Map(),
    voice: new Map(),
    statuses: new Map(),
  }
  world.guilds.set(id, guild)
  addRole(guild, { id, name: '@everyone', permissions: EVERYONE })
  return guild
}

export function deleteGuild(world: World, guild: Guild): void {
  for (const userId of guild.voice.keys()) removeFromVoice(world, guild, userId, 4014)
  tell(world, guild.id, { t: GatewayDispatchEvents.GuildDelete, d: { id: guild.id } })
  world.guilds.delete(guild.id)
  for (const channelId of guild.channels.keys()) forgetMessages(world, channelId)
}

interface RoleFacts {
  readonly id: string
  readonly name: string
  readonly permissions: bigint
  readonly botId?: string
}

function addRole(guild: Guild, { id, name, permissions, botId }: RoleFacts): APIRole {
  const role: APIRole = {
    id,
    name,
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    icon: null,
    unicode_emoji: null,
    position: guild.roles.size,
    permissions: String(permissions),
    managed: botId !== undefined,
    mentionable: false,
    flags: 0 as RoleFlags,
    ...(botId === undefined ? {} : { tags: { bot_id: botId } }),
  }
  guild.roles.set(id, role)
  return role
}

/** A further role; those in the guild are told. */
export function createRole(
  world: World,
  guild: Guild,
  facts: Omit<RoleFacts, 'id' | 'botId'> & { readonly id?: string },
): APIRole {
  const role = addRole(guild, { id: world.nextId(), ...facts })
  tell(world, guild.id, { t: GatewayDispatchEvents.GuildRoleCreate, d: { guild_id: guild.id, role } })
  return role
}

/** A whole member, with every field that Discord sends. */
function createMember(user: APIUser, joinedAtMs: number): Member {
  return {
    user,
    nick: null,
    avatar: null,
    banner: null,
    roles: [],
    joined_at: new Date(joinedAtMs).toISOString(),
    premium_since: null,
    communication_disabled_until: null,
    pending: false,
    flags: 0 as GuildMemberFlags,
    mute: false,
    deaf: false,
    avatar_decoration_data: null,
    collectibles: null,
  }
}

export function addMember(world: World, guild: Guild, user: APIUser): Member {
  const known = guild.members.get(user.id)
  if (known) return known
  world.users.set(user.id, user)
  const member = createMember(user, world.now())
  guild.members.set(user.id, member)
  tell(world, guild.id, { t: GatewayDispatchEvents.GuildMemberAdd, d: { ...member, guild_id: guild.id } })
  return member
}

/** Invites a bot: it gets a role of its own, and its sessions hear of their new guild. */
export function addApplication(world: World, guild: Guild, application: Application): Member {
  const known = guild.members.get(application.id)
  if (known) return known
  const member = addMember(world, guild, application.user)
  const roleId = world.nextId()
  const role = addRole(guild, { id: roleId, name: application.name, permissions: MUSIC_BOT, botId: application.id })
  member.roles.push(role.id)
  tell(world, guild.id, { t: GatewayDispatchEvents.GuildRoleCreate, d: { guild_id: guild.id, role } })
  tellOfGuild(world, guild, application.id)
  return member
}

export function removeMember(world: World, guild: Guild, userId: string): void {
  const { user } = getMember(guild, userId)
  removeFromVoice(world, guild, userId, 4014)
  const to = world.applications.has(userId) ? userId : undefined
  if (to !== undefined) tell(world, guild.id, { t: GatewayDispatchEvents.GuildDelete, d: { id: guild.id } }, to)
  guild.members.delete(userId)
  tell(world, guild.id, { t: GatewayDispatchEvents.GuildMemberRemove, d: { guild_id: guild.id, user } })
}

export function tellMemberUpdate(world: World, guild: Guild, member: Member): void {
  const { avatar = null, banner = null, ...rest } = member
  const d = { ...rest, avatar, banner, guild_id: guild.id }
  tell(world, guild.id, { t: GatewayDispatchEvents.GuildMemberUpdate, d })
}

export interface ChannelFacts {
  readonly id?: string
  readonly name: string
  readonly type: ChannelType.GuildText | ChannelType.GuildVoice | ChannelType.GuildStageVoice
  readonly userLimit?: number
  readonly topic?: string | null
  readonly overwrites?: readonly APIOverwrite[]
}

export function addChannel(world: World, guild: Guild, facts: ChannelFacts): Channel {
  const id = facts.id ?? world.nextId()
  const base = {
    id,
    guild_id: guild.id,
    name: facts.name,
    position: guild.channels.size,
    permission_overwrites: [...(facts.overwrites ?? [])],
    parent_id: null,
    nsfw: false,
    flags: 0,
    last_message_id: null,
    rate_limit_per_user: 0,
  }
  const channel: Channel =
    facts.type === ChannelType.GuildText
      ? { ...base, type: facts.type, topic: facts.topic ?? null, last_pin_timestamp: null }
      : { ...base, type: facts.type, bitrate: 64_000, user_limit: facts.userLimit ?? 0, rtc_region: null }
  guild.channels.set(id, channel)
  tell(world, guild.id, { t: GatewayDispatchEvents.ChannelCreate, d: { ...channel, guild_id: guild.id } })
  return channel
}

export function tellChannelUpdate(world: World, guild: Guild, channel: Channel): void {
  tell(world, guild.id, { t: GatewayDispatchEvents.ChannelUpdate, d: { ...channel, guild_id: guild.id } })
}

/** Everyone in it is put out of voice with 4014 first, as Discord does. */
export function deleteChannel(world: World, guild: Guild, channel: Channel): void {
  for (const voice of guild.voice.values()) {
    if (voice.channelId === channel.id) removeFromVoice(world, guild, voice.userId, 4014)
  }
  guild.channels.delete(channel.id)
  guild.statuses.delete(channel.id)
  forgetMessages(world, channel.id)
  tell(world, guild.id, { t: GatewayDispatchEvents.ChannelDelete, d: { ...channel, guild_id: guild.id } })
}

/** An outage of one guild, or its end. Voice continues through it. */
export function setUnavailable(world: World, guild: Guild, unavailable: boolean): void {
  if (guild.unavailable === unavailable) return
  guild.unavailable = unavailable
  if (unavailable) {
    tell(world, guild.id, { t: GatewayDispatchEvents.GuildDelete, d: { id: guild.id, unavailable: true } })
    return
  }
  for (const id of guild.members.keys()) if (world.applications.has(id)) tellOfGuild(world, guild, id)
}

/** The whole guild, to one application. Intents decide in the gateway which of its members are in it. */
export function tellOfGuild(world: World, guild: Guild, applicationId: string): void {
  tell(
    world,
    guild.id,
    { t: GatewayDispatchEvents.GuildCreate, d: guildCreate(world, guild, applicationId) },
    applicationId,
  )
}

export function guildCreate(world: World, guild: Guild, applicationId: string): GatewayGuildCreateDispatchData {
  return {
    ...describeGuild(guild),
    joined_at: guild.members.get(applicationId)?.joined_at ?? new Date(world.now()).toISOString(),
    large: guild.members.size > 250,
    unavailable: false,
    member_count: guild.members.size,
    voice_states: [...guild.voice.values()].map((voice) => without(describeVoice(guild, voice), 'guild_id', 'member')),
    members: [...guild.members.values()],
    // Inside a guild its channels do not repeat its id.
    channels: [...guild.channels.values()].map((channel) => without(channel, 'guild_id')),
    threads: [],
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  }
}

type Without<T, K> = T extends unknown ? Omit<T, K & keyof T> : never

function without<T extends object, K extends keyof T>(whole: T, ...keys: K[]): Without<T, K> {
  const dropped: ReadonlySet<unknown> = new Set(keys)
  return Object.fromEntries(Object.entries(whole).filter(([key]) => !dropped.has(key))) as Without<T, K>
}

/** A guild with every field that Discord sends, most of which say that nothing special is set. */
export function describeGuild(guild: Guild) {
  return {
    id: guild.id,
    name: guild.name,
    icon: null,
    description: null,
    home_header: null,
    splash: null,
    discovery_splash: null,
    features: [],
    banner: null,
    owner_id: guild.ownerId,
    application_id: null,
    region: 'local',
    afk_channel_id: null,
    afk_timeout: 300 as const,
    system_channel_id: null,
    system_channel_flags: 0 as GuildSystemChannelFlags,
    widget_enabled: false,
    widget_channel_id: null,
    verification_level: GuildVerificationLevel.None,
    roles: [...guild.roles.values()],
    default_message_notifications: GuildDefaultMessageNotifications.OnlyMentions,
    mfa_level: GuildMFALevel.None,
    explicit_content_filter: GuildExplicitContentFilter.Disabled,
    max_presences: null,
    max_members: 25_000_000,
    max_stage_video_channel_users: 50,
    max_video_channel_users: 25,
    vanity_url_code: null,
    premium_tier: GuildPremiumTier.None,
    premium_subscription_count: 0,
    preferred_locale: Locale.EnglishUS,
    rules_channel_id: null,
    safety_alerts_channel_id: null,
    public_updates_channel_id: null,
    premium_progress_bar_enabled: false,
    nsfw: false,
    nsfw_level: GuildNSFWLevel.Default,
    emojis: [],
    stickers: [],
    incidents_data: null,
    hub_type: null,
  } satisfies APIGuild & Record<string, unknown>
}
