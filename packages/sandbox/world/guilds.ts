import { GatewayDispatchEvents, type APIUser, type GuildMemberFlags } from 'discord-api-types/v10'
import { guildCreate } from './guild/describe.ts'
import { addRole } from './guild/roles.ts'
import { emptyGuildParts } from './guild/settings.ts'
import { forgetMessages } from './messages.ts'
import { EVERYONE, MUSIC_BOT } from './permissions.ts'
import { removeFromVoice } from './voice.ts'
import { getMember, tell, type Application, type Guild, type Member, type World } from './world.ts'

export { addChannel, deleteChannel, tellChannelUpdate } from './guild/channels.ts'
export { createRole } from './guild/roles.ts'

export interface GuildFacts {
  readonly id?: string
  readonly name: string
  readonly ownerId: string
}

export function createGuild(world: World, { id = world.nextId(), ...facts }: GuildFacts): Guild {
  const guild = newGuild(world, { id, ...facts })
  world.guilds.set(id, guild)
  return guild
}

/** A guild that is not in the world yet. */
export function newGuild({ now }: Pick<World, 'now'>, { id, name, ownerId }: Required<GuildFacts>): Guild {
  const guild: Guild = {
    id,
    now,
    name,
    ownerId,
    unavailable: false,
    voiceAway: false,
    channels: new Map(),
    roles: new Map(),
    members: new Map(),
    voice: new Map(),
    statuses: new Map(),
    ...emptyGuildParts(),
  }
  addRole(guild, { id, name: '@everyone', permissions: EVERYONE })
  return guild
}

export function deleteGuild(world: World, guild: Guild): void {
  for (const userId of guild.voice.keys()) removeFromVoice(world, guild, userId, 4014)
  tell(world, guild.id, { t: GatewayDispatchEvents.GuildDelete, d: { id: guild.id } })
  world.guilds.delete(guild.id)
  for (const id of [...guild.channels.keys(), ...guild.threads.keys()]) forgetMessages(world, id)
}

/** A whole member, with every field that Discord sends. */
export function createMember(user: APIUser, joinedAtMs: number): Member {
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

export function addMember(world: World, guild: Guild, user: APIUser, roleIds: readonly string[] = []): Member {
  const known = guild.members.get(user.id)
  if (known) return known
  world.users.set(user.id, user)
  const member = createMember(user, world.now())
  member.roles.push(...roleIds)
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
  for (const members of guild.threadMembers.values()) members.delete(userId)
  tell(world, guild.id, { t: GatewayDispatchEvents.GuildMemberRemove, d: { guild_id: guild.id, user } })
}

export function tellMemberUpdate(world: World, guild: Guild, member: Member): void {
  const { avatar = null, banner = null, ...rest } = member
  const d = { ...rest, avatar, banner, guild_id: guild.id }
  tell(world, guild.id, { t: GatewayDispatchEvents.GuildMemberUpdate, d })
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
