import type { APIRole } from 'discord-api-types/v10'
import { z } from 'zod'
import { DiscordError, invalidForm, mustFind } from '../../world/errors.ts'
import {
  createRole,
  deleteRole,
  editRole,
  movePositions,
  placeAtBottom,
  type RoleChange,
} from '../../world/guild/roles.ts'
import { keepImage } from '../../world/images.ts'
import { highestRole, permissionsOf, Permission } from '../../world/permissions.ts'
import type { Guild } from '../../world/world.ts'
import { Bits, Id, parseBody } from '../form.ts'
import { actorOf, demand, guildOf, noContent, ok, param, type Call, type Route } from '../route.ts'

const ROLES = '/guilds/{guildId}/roles'
const ROLE = `${ROLES}/{roleId}`
const Colour = z.int().min(0).max(0xff_ff_ff)

const RoleDraft = z.object({
  name: z.string().max(100).nullish(),
  permissions: Bits.nullish(),
  color: Colour.nullish(),
  colors: z
    .object({
      primary_color: Colour,
      secondary_color: Colour.nullish().transform((colour) => colour ?? null),
      tertiary_color: Colour.nullish().transform((colour) => colour ?? null),
    })
    .nullish(),
  hoist: z.boolean().nullish(),
  mentionable: z.boolean().nullish(),
  icon: z.string().nullish(),
  unicode_emoji: z.string().max(100).nullish(),
})

function readChange(call: Call, guild: Guild): RoleChange {
  const { name, permissions, color, colors, hoist, mentionable, ...pictures } = parseBody(RoleDraft, call.body)
  const { icon, unicode_emoji } = pictures
  const hasIcons = (guild.settings.features as readonly string[]).includes('ROLE_ICONS')
  if ((icon || unicode_emoji) && !hasIcons) throw new DiscordError('needsMoreBoosts')
  const mayGrant = permissionsOf(guild, call.me.id)
  if (permissions && BigInt(permissions) & ~mayGrant) throw new DiscordError('missingPermissions')
  const kept = icon && keepImage(call.world, { folder: `role-icons/${guild.id}`, path: 'icon' }, icon)
  return {
    name: name ?? undefined,
    permissions: permissions ?? undefined,
    color: color ?? undefined,
    colors: colors ?? undefined,
    hoist: hoist ?? undefined,
    mentionable: mentionable ?? undefined,
    icon: icon === undefined ? undefined : kept || null,
    unicode_emoji,
  }
}

function create(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.ManageRoles)
  const change = readChange(call, guild)
  const permissions = BigInt(change.permissions ?? guild.roles.get(guild.id)?.permissions ?? 0)
  const name = change.name || 'new role'
  const role = createRole(call.world, guild, { name, permissions, change: { ...change, name } }, actorOf(call))
  placeAtBottom(call.world, guild, role)
  return ok(role)
}

function roleOf(call: Call, guild: Guild): APIRole {
  return mustFind(guild.roles.get(param(call, 'roleId')), 'unknownRole')
}

/** Only roles below one's own, unless one owns the guild. */
function assertBelow(call: Call, guild: Guild, role: APIRole): void {
  if (guild.ownerId === call.me.id || role.position < highestRole(guild, call.me.id)) return
  throw new DiscordError('missingPermissions')
}

function edit(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.ManageRoles)
  const role = roleOf(call, guild)
  assertBelow(call, guild, role)
  const { name, ...rest } = readChange(call, guild)
  const change = { ...rest, ...(name ? { name } : {}) }
  editRole(call.world, guild, role, { change, by: actorOf(call) })
  return ok(role)
}

function remove(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.ManageRoles)
  const role = roleOf(call, guild)
  if (role.managed || role.id === guild.id) throw new DiscordError('invalidRole')
  assertBelow(call, guild, role)
  deleteRole(call.world, guild, role, actorOf(call))
  return noContent
}

const Positions = z.array(z.object({ id: Id, position: z.int().nullish() }))

/** Moves roles, as far as they and their new places are below the caller's highest. */
function move(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.ManageRoles)
  const wanted = new Map<string, number>()
  for (const [at, { id, position }] of parseBody(Positions, call.body).entries()) {
    const role = mustFind(guild.roles.get(id), 'unknownRole')
    if (position === null || position === undefined || position === role.position) continue
    if (id === guild.id) throw invalidForm(`${at}.position`, 'ROLE_POSITION_INVALID', 'The role @everyone cannot move.')
    assertBelow(call, guild, role)
    if (position < 1)
      throw invalidForm(`${at}.position`, 'NUMBER_TYPE_MIN', 'int value should be greater than or equal to 1.')
    if (guild.ownerId !== call.me.id && position > highestRole(guild, call.me.id)) {
      throw new DiscordError('missingPermissions')
    }
    wanted.set(id, position)
  }
  movePositions(call.world, guild, renumber(guild, wanted))
  return ok([...guild.roles.values()])
}

/** Numbers the roles: moved ones take their positions, and the rest keep their order around them. */
function renumber(guild: Guild, wanted: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const rest = [...guild.roles.values()]
    .filter(({ id }) => !wanted.has(id) && id !== guild.id)
    .toSorted((a, b) => a.position - b.position)
  const result = rest.map(({ id }) => id)
  for (const [id, position] of [...wanted].toSorted(([, a], [, b]) => a - b)) result.splice(position - 1, 0, id)
  return new Map(result.map((id, at) => [id, at + 1]))
}

function counts(call: Call) {
  const guild = guildOf(call)
  const all = [...guild.members.values()]
  const rows = [...guild.roles.keys()].map((id) => [id, all.filter(({ roles }) => roles.includes(id)).length])
  return ok(Object.fromEntries(rows.filter(([id]) => id !== guild.id)))
}

export const ROLE_ROUTES: readonly Route[] = [
  { method: 'GET', path: ROLES, handle: (call) => ok([...guildOf(call).roles.values()]) },
  { method: 'POST', path: ROLES, handle: create },
  { method: 'PATCH', path: ROLES, handle: move },
  { method: 'GET', path: `${ROLES}/member-counts`, handle: counts },
  { method: 'GET', path: ROLE, handle: (call) => ok(roleOf(call, guildOf(call))) },
  { method: 'PATCH', path: ROLE, handle: edit },
  { method: 'DELETE', path: ROLE, handle: remove },
]
