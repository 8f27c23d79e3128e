import { AuditLogEvent, GatewayDispatchEvents, type APIRole, type RoleFlags } from 'discord-api-types/v10'
import { DiscordError } from '../errors.ts'
import { tell, type Actor, type Guild, type World } from '../world.ts'
import { changesBetween, recordAudit, type Edit } from './audit-log.ts'

const MAX_ROLES = 250

export interface RoleFacts {
  readonly id: string
  readonly name: string
  readonly permissions: bigint
  readonly botId?: string
}

export function addRole(guild: Guild, { id, name, permissions, botId }: RoleFacts): APIRole {
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

type NewRole = Omit<RoleFacts, 'id' | 'botId'> & { readonly id?: string; readonly change?: RoleChange }

/** A further role; those in the guild are told. */
export function createRole(world: World, guild: Guild, { change = {}, ...facts }: NewRole, by?: Actor): APIRole {
  if (guild.roles.size >= MAX_ROLES) throw new DiscordError('tooManyRoles')
  const role = addRole(guild, { id: world.nextId(), ...facts })
  apply(role, change)
  tell(world, guild.id, { t: GatewayDispatchEvents.GuildRoleCreate, d: { guild_id: guild.id, role } })
  const changes = changesBetween(null, role)
  if (by) recordAudit(world, guild, by, { type: AuditLogEvent.RoleCreate, targetId: role.id, changes })
  return role
}

/** A role that a person makes stands below all others, as in Discord; what stood there moves up. */
export function placeAtBottom(world: World, guild: Guild, role: APIRole): void {
  const others = [...guild.roles.values()].filter(({ id }) => id !== guild.id && id !== role.id)
  const sorted = others.toSorted((a, b) => a.position - b.position)
  movePositions(world, guild, new Map([[role.id, 1], ...sorted.map(({ id }, at) => [id, at + 2] as const)]))
}

export interface RoleChange {
  readonly name?: string | undefined
  readonly permissions?: string | undefined
  readonly color?: number | undefined
  readonly colors?: APIRole['colors'] | undefined
  readonly hoist?: boolean | undefined
  readonly mentionable?: boolean | undefined
  readonly icon?: string | null | undefined
  readonly unicode_emoji?: string | null | undefined
}

export function editRole(world: World, guild: Guild, role: APIRole, { change, by }: Edit<RoleChange>): void {
  const before = structuredClone(role)
  apply(role, change)
  if (JSON.stringify(before) === JSON.stringify(role)) return
  tellUpdate(world, guild, role)
  const changes = changesBetween(before, role)
  if (by) recordAudit(world, guild, by, { type: AuditLogEvent.RoleUpdate, targetId: role.id, changes })
}

/** A single colour is also the first of the colours, and the other way round. */
function apply(role: APIRole, { color, colors, ...change }: RoleChange): void {
  Object.assign(role, Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)))
  if (colors) role.colors = colors
  else if (color !== undefined) role.colors = { ...role.colors, primary_color: color }
  role.color = role.colors.primary_color
}

/** Moves roles to positions; the rest keep their order. Everyone's role stays at 0. */
export function movePositions(world: World, guild: Guild, positions: ReadonlyMap<string, number>): void {
  for (const [id, position] of positions) {
    const role = guild.roles.get(id)
    if (!role || role.position === position || id === guild.id) continue
    role.position = position
    tellUpdate(world, guild, role)
  }
}

function tellUpdate(world: World, guild: Guild, role: APIRole): void {
  tell(world, guild.id, { t: GatewayDispatchEvents.GuildRoleUpdate, d: { guild_id: guild.id, role } })
}

/** Members lose it without an event of their own, and channels their overwrites for it. */
export function deleteRole(world: World, guild: Guild, role: APIRole, by?: Actor): void {
  guild.roles.delete(role.id)
  for (const member of guild.members.values()) member.roles = member.roles.filter((id) => id !== role.id)
  for (const channel of guild.channels.values()) {
    channel.permission_overwrites = (channel.permission_overwrites ?? []).filter(({ id }) => id !== role.id)
  }
  for (const one of guild.roles.values()) if (one.position > role.position) one.position -= 1
  tell(world, guild.id, { t: GatewayDispatchEvents.GuildRoleDelete, d: { guild_id: guild.id, role_id: role.id } })
  const changes = changesBetween(role, null)
  if (by) recordAudit(world, guild, by, { type: AuditLogEvent.RoleDelete, targetId: role.id, changes })
}
