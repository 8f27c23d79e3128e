import { AuditLogEvent, type APIAuditLogChange } from 'discord-api-types/v10'
import { z } from 'zod'
import { DiscordError, invalidForm, mustFind } from '../../world/errors.ts'
import { changesBetween, recordAudit } from '../../world/guild/audit-log.ts'
import { tellMemberUpdate } from '../../world/guilds.ts'
import { keepImage } from '../../world/images.ts'
import { highestRole, may, outranks, Permission } from '../../world/permissions.ts'
import { isVoice, moveInVoice, removeFromVoice, setServerMute } from '../../world/voice.ts'
import { getMember, type Guild, type Member } from '../../world/world.ts'
import { Id, pageById, parseBody, readLimit } from '../form.ts'
import { actorOf, demand, guildOf, noContent, ok, param, type Call, type Route } from '../route.ts'

const MEMBERS = '/guilds/{guildId}/members'
const MEMBER = `${MEMBERS}/{userId}`

function listMembers(call: Call) {
  const limit = readLimit(call.query, { most: 1000, usual: 1 })
  return ok(pageById(guildOf(call).members.values(), { query: call.query, limit, idOf: ({ user }) => user.id }))
}

/** Members whose user name or nickname begins with a text. */
function searchMembers(call: Call) {
  const limit = readLimit(call.query, { most: 1000, usual: 1 })
  const prefix = call.query.get('query')?.toLowerCase() ?? ''
  if (prefix === '') throw invalidForm('query', 'BASE_TYPE_REQUIRED', 'This field is required')
  const fits = (name: string | null | undefined) => name?.toLowerCase().startsWith(prefix) ?? false
  const all = [...guildOf(call).members.values()]
  return ok(all.filter(({ user, nick }) => fits(user.username) || fits(user.global_name) || fits(nick)).slice(0, limit))
}

const MemberChange = z.looseObject({
  nick: z.string().max(32).nullish(),
  roles: z.array(Id).nullish(),
  mute: z.boolean().nullish(),
  deaf: z.boolean().nullish(),
  channel_id: Id.nullish(),
  communication_disabled_until: z.iso.datetime({ offset: true }).nullish(),
  flags: z.int().min(0).nullish(),
})
type MemberChange = z.infer<typeof MemberChange>

const LONGEST_TIMEOUT_MS = 28 * 86_400_000
/** The one flag that bots set: the member passes the verification of the guild. */
const BYPASSES_VERIFICATION = 4

/** Each change with the permission that it needs. */
function demandFor(call: Call, guild: Guild, member: Member, change: MemberChange): void {
  const { nick, mute, deaf, channel_id: channelId, flags } = change
  const userId = member.user.id
  if (nick !== undefined) demand(call, guild, Permission.ManageNicknames)
  if (nick !== undefined && userId !== call.me.id && !outranks(guild, call.me.id, userId)) {
    throw new DiscordError('missingPermissions')
  }
  if (typeof mute === 'boolean') demand(call, guild, Permission.MuteMembers)
  if (typeof deaf === 'boolean') demand(call, guild, Permission.DeafenMembers)
  if (channelId !== undefined) demand(call, guild, Permission.MoveMembers)
  if (typeof flags === 'number') demand(call, guild, Permission.ModerateMembers)
  const needsVoice = typeof mute === 'boolean' || typeof deaf === 'boolean' || channelId !== undefined
  if (needsVoice && !guild.voice.has(userId)) throw new DiscordError('notInVoice')
}

/** Rename, time out, mute, deafen, move or disconnect a member, or set the roles. */
function editMember(call: Call) {
  const guild = guildOf(call)
  const member = getMember(guild, param(call, 'userId'))
  const change = parseBody(MemberChange, call.body)
  const { nick, roles, channel_id: channelId, communication_disabled_until: until, flags } = change
  demandFor(call, guild, member, change)
  const before = structuredClone(member)
  if (until !== undefined) setTimeoutOf(call, guild, member, until)
  if (roles) setRoles(call, guild, member, roles)
  if (nick !== undefined) member.nick = nick || null
  if (typeof flags === 'number')
    member.flags = (member.flags & ~BYPASSES_VERIFICATION) | (flags & BYPASSES_VERIFICATION)
  setServerMute(call.world, guild, member, { mute: change.mute ?? undefined, deaf: change.deaf ?? undefined })
  if (channelId !== undefined) place(call, guild, member.user.id, channelId)
  if (JSON.stringify(before) !== JSON.stringify(member)) tellMemberUpdate(call.world, guild, member)
  audit(call, guild, before, member)
  return ok(member)
}

/** One entry for the roles, and one for the rest. */
function audit(call: Call, guild: Guild, before: Member, member: Member): void {
  const targetId = member.user.id
  const changes = changesBetween(before, member)
  const write = (type: AuditLogEvent, what: readonly APIAuditLogChange[]) =>
    recordAudit(call.world, guild, actorOf(call), { type, targetId, changes: what })
  if (changes.length > 0) write(AuditLogEvent.MemberUpdate, changes)
  const named = (ids: readonly string[]) =>
    ids.flatMap((id) => guild.roles.get(id) ?? []).map(({ id, name }) => ({ id, name }))
  const added = named(member.roles.filter((id) => !before.roles.includes(id)))
  const removed = named(before.roles.filter((id) => !member.roles.includes(id)))
  const roleChanges: APIAuditLogChange[] = [
    ...(added.length > 0 ? [{ key: '$add' as const, new_value: added }] : []),
    ...(removed.length > 0 ? [{ key: '$remove' as const, new_value: removed }] : []),
  ]
  if (roleChanges.length > 0) write(AuditLogEvent.MemberRoleUpdate, roleChanges)
}

/** Null or a moment that is over ends it. The owner and administrators cannot be timed out. */
function setTimeoutOf(call: Call, guild: Guild, member: Member, until: string | null): void {
  demand(call, guild, Permission.ModerateMembers)
  const untilMs = until === null ? 0 : Date.parse(until)
  const nowMs = call.world.now()
  if (untilMs > nowMs + LONGEST_TIMEOUT_MS) {
    const message = 'Date must be within 28 days of the current date.'
    throw invalidForm('communication_disabled_until', 'COMMUNICATION_DISABLED_UNTIL_TOO_LONG', message)
  }
  const isAbove = may(guild, member.user.id, Permission.Administrator) || !outranks(guild, call.me.id, member.user.id)
  if (isAbove) throw new DiscordError('missingPermissions')
  member.communication_disabled_until = untilMs > nowMs ? new Date(untilMs).toISOString() : null
}

/** Adds and removes what differs; roles that are managed, or not below those of the caller, stay as they are. */
function setRoles(call: Call, guild: Guild, member: Member, ids: readonly string[]): void {
  const changed = new Set([...ids, ...member.roles].filter((id) => ids.includes(id) !== member.roles.includes(id)))
  for (const id of changed) assertMayGive(call, guild, id)
  member.roles = [...new Set(ids)]
}

/** @throws {DiscordError} for a role that is not known, managed by an integration, or not below those of the caller. */
function assertMayGive(call: Call, guild: Guild, roleId: string): void {
  demand(call, guild, Permission.ManageRoles)
  const role = mustFind(guild.roles.get(roleId), 'unknownRole')
  const isBelow = call.me.id === guild.ownerId || role.position < highestRole(guild, call.me.id)
  if (role.managed || role.id === guild.id || !isBelow) throw new DiscordError('missingPermissions')
}

function changeRole(isGiven: boolean) {
  return (call: Call) => {
    const guild = guildOf(call)
    const member = getMember(guild, param(call, 'userId'))
    const roleId = param(call, 'roleId')
    assertMayGive(call, guild, roleId)
    if (member.roles.includes(roleId) === isGiven) return noContent
    const before = structuredClone(member)
    const others = member.roles.filter((id) => id !== roleId)
    member.roles = isGiven ? [...others, roleId] : others
    tellMemberUpdate(call.world, guild, member)
    audit(call, guild, before, member)
    return noContent
  }
}

function place(call: Call, guild: Guild, userId: string, channelId: string | null): void {
  const { MemberMove, MemberDisconnect } = AuditLogEvent
  if (channelId === null) {
    removeFromVoice(call.world, guild, userId, 4014)
    recordAudit(call.world, guild, actorOf(call), { type: MemberDisconnect, targetId: null, options: { count: '1' } })
    return
  }
  const channel = mustFind(guild.channels.get(channelId), 'unknownChannel')
  if (!isVoice(channel)) throw new DiscordError('wrongChannelType')
  if (!may(guild, call.me.id, Permission.Connect, channel)) throw new DiscordError('missingPermissions')
  moveInVoice(call.world, guild, userId, channelId)
  const options = { channel_id: channelId, count: '1' }
  recordAudit(call.world, guild, actorOf(call), { type: MemberMove, targetId: null, options })
}

const MyChange = z.looseObject({
  nick: z.string().max(32).nullish(),
  avatar: z.string().nullish(),
  banner: z.string().nullish(),
  bio: z.string().max(190).nullish(),
})

/** The bot's own nickname and pictures in one guild. */
function editMe(call: Call) {
  const guild = guildOf(call)
  const member = getMember(guild, call.me.id)
  const { nick, avatar, banner } = parseBody(MyChange, call.body)
  if (nick !== undefined) demand(call, guild, Permission.ChangeNickname)
  const before = structuredClone(member)
  const folder = `guilds/${guild.id}/users/${call.me.id}`
  if (nick !== undefined) member.nick = nick || null
  if (avatar !== undefined)
    member.avatar = keepImage(call.world, { folder: `${folder}/avatars`, path: 'avatar' }, avatar)
  if (banner !== undefined)
    member.banner = keepImage(call.world, { folder: `${folder}/banners`, path: 'banner' }, banner)
  tellMemberUpdate(call.world, guild, member)
  audit(call, guild, before, member)
  return ok(member)
}

export const MEMBER_ROUTES: readonly Route[] = [
  { method: 'GET', path: MEMBERS, limit: { requests: 10, perMs: 10_000 }, handle: listMembers },
  { method: 'GET', path: `${MEMBERS}/search`, handle: searchMembers },
  { method: 'GET', path: MEMBER, handle: (call) => ok(getMember(guildOf(call), param(call, 'userId'))) },
  { method: 'PATCH', path: `${MEMBERS}/@me`, lacks: ['bio'], handle: editMe },
  { method: 'PATCH', path: MEMBER, limit: { requests: 10, perMs: 10_000 }, handle: editMember },
  { method: 'PUT', path: `${MEMBER}/roles/{roleId}`, limit: { requests: 10, perMs: 10_000 }, handle: changeRole(true) },
  {
    method: 'DELETE',
    path: `${MEMBER}/roles/{roleId}`,
    limit: { requests: 10, perMs: 10_000 },
    handle: changeRole(false),
  },
]
