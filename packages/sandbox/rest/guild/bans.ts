import { AuditLogEvent } from 'discord-api-types/v10'
import { z } from 'zod'
import { DiscordError, invalidForm, mustFind } from '../../world/errors.ts'
import { recordAudit } from '../../world/guild/audit-log.ts'
import { ban, unban } from '../../world/guild/bans.ts'
import { removeMember } from '../../world/guilds.ts'
import { outranks, Permission } from '../../world/permissions.ts'
import { getMember, type Guild, type Member } from '../../world/world.ts'
import { Id, pageById, parseBody, readIds, readLimit } from '../form.ts'
import { actorOf, demand, guildOf, noContent, ok, param, type Call, type Route } from '../route.ts'

const GUILD = '/guilds/{guildId}'
const BANS = `${GUILD}/bans`
const DAY_S = 86_400
const DAY_MS = 86_400_000

const Ban = z.object({
  delete_message_seconds: z.int().min(0).max(604_800).nullish(),
  delete_message_days: z.int().min(0).max(7).nullish(),
})
const BulkBan = z.object({
  user_ids: z.array(Id).min(1).max(200),
  delete_message_seconds: z.int().min(0).max(604_800).nullish(),
})

function list(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.BanMembers)
  const limit = readLimit(call.query, { most: 1000, usual: 1000 })
  return ok(pageById(guild.bans.values(), { query: call.query, limit, idOf: ({ user }) => user.id }))
}

function banOf(call: Call, guild: Guild) {
  return mustFind(guild.bans.get(param(call, 'userId')), 'unknownBan')
}

function show(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.BanMembers)
  return ok(banOf(call, guild))
}

const mayBan = (call: Call, guild: Guild, userId: string) =>
  userId !== call.me.id && (!guild.members.has(userId) || outranks(guild, call.me.id, userId))

function put(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.BanMembers)
  const { delete_message_seconds: seconds, delete_message_days: days } = parseBody(Ban, call.body)
  if (seconds && days) throw invalidForm('delete_message_days', 'BASE_TYPE_INVALID', 'Send days or seconds, not both.')
  const user = mustFind(call.world.users.get(param(call, 'userId')), 'unknownUser')
  if (!mayBan(call, guild, user.id)) throw new DiscordError('missingPermissions')
  ban(call.world, guild, { user, deleteSeconds: seconds ?? (days ?? 0) * DAY_S }, actorOf(call))
  return noContent
}

function remove(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.BanMembers)
  unban(call.world, guild, banOf(call, guild).user, actorOf(call))
  return noContent
}

/** Bans users and lists those who could not be banned; throws if all failed. */
function banMany(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.BanMembers | Permission.ManageGuild)
  const { user_ids: ids, delete_message_seconds: seconds } = parseBody(BulkBan, call.body)
  const banned = ids.filter((id) => {
    const user = call.world.users.get(id)
    if (!user || guild.bans.has(id) || !mayBan(call, guild, id)) return false
    ban(call.world, guild, { user, deleteSeconds: seconds ?? 0 }, actorOf(call))
    return true
  })
  if (banned.length === 0) throw new DiscordError('bulkBanFailed')
  return ok({ banned_users: banned, failed_users: ids.filter((id) => !banned.includes(id)) })
}

function kick(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.KickMembers)
  const { user } = getMember(guild, param(call, 'userId'))
  if (!outranks(guild, call.me.id, user.id)) throw new DiscordError('missingPermissions')
  removeMember(call.world, guild, user.id)
  recordAudit(call.world, guild, actorOf(call), { type: AuditLogEvent.MemberKick, targetId: user.id })
  return noContent
}

const days = z.int().min(1).max(30)
const Prune = z.object({
  days: days.nullish(),
  compute_prune_count: z.boolean().nullish(),
  include_roles: z.union([z.array(Id), z.string().transform((text) => text.split(',').filter(Boolean))]).nullish(),
})

/**
 * Members not seen for `days` who have no roles other than the given ones. Bots stay. People here were last seen when
 * they wrote or joined.
 */
function idleMembers(call: Call, guild: Guild, { days: idleDays, roles }: { days: number; roles: readonly string[] }) {
  const sinceMs = call.world.now() - idleDays * DAY_MS
  const seenMs = (member: Member) => Math.max(Date.parse(member.joined_at ?? ''), lastSaidMs(call, guild, member))
  return [...guild.members.values()].filter(
    (member) =>
      member.user.id !== guild.ownerId &&
      !call.world.applications.has(member.user.id) &&
      !guild.voice.has(member.user.id) &&
      member.roles.every((id) => roles.includes(id)) &&
      seenMs(member) < sinceMs,
  )
}

function lastSaidMs({ world }: Call, guild: Guild, { user }: Member): number {
  const timesMs = [...guild.channels.keys()].map((id) => {
    const last = [...(world.messages.get(id)?.values() ?? [])].findLast(({ author }) => author.id === user.id)
    return last ? Date.parse(last.timestamp) : 0
  })
  return Math.max(0, ...timesMs)
}

function countPrune(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.ManageGuild | Permission.KickMembers)
  const asked = call.query.get('days')
  const { days: idleDays } = parseBody(z.object({ days }), { days: asked === null ? 7 : Number(asked) })
  return ok({
    pruned: idleMembers(call, guild, { days: idleDays, roles: readIds(call.query, 'include_roles') }).length,
  })
}

function prune(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.ManageGuild | Permission.KickMembers)
  const { days: idleDays, compute_prune_count: counts, include_roles: roles } = parseBody(Prune, call.body)
  const gone = idleMembers(call, guild, { days: idleDays ?? 7, roles: roles ?? [] })
  for (const { user } of gone) removeMember(call.world, guild, user.id)
  const options = { delete_member_days: String(idleDays ?? 7), members_removed: String(gone.length) }
  recordAudit(call.world, guild, actorOf(call), { type: AuditLogEvent.MemberPrune, targetId: null, options })
  return ok({ pruned: counts === false ? null : gone.length })
}

export const BAN_ROUTES: readonly Route[] = [
  { method: 'GET', path: BANS, handle: list },
  { method: 'GET', path: `${BANS}/{userId}`, handle: show },
  { method: 'PUT', path: `${BANS}/{userId}`, handle: put },
  { method: 'DELETE', path: `${BANS}/{userId}`, handle: remove },
  { method: 'POST', path: `${GUILD}/bulk-ban`, handle: banMany },
  { method: 'DELETE', path: `${GUILD}/members/{userId}`, handle: kick },
  { method: 'GET', path: `${GUILD}/prune`, handle: countPrune },
  { method: 'POST', path: `${GUILD}/prune`, handle: prune },
]
