import { z } from 'zod'
import { DiscordError, invalidForm } from '../world/errors.ts'
import { removeMember, tellMemberUpdate } from '../world/guilds.ts'
import { highestRole, may, outranks, Permission } from '../world/permissions.ts'
import { isVoice, moveInVoice, removeFromVoice, setServerMute } from '../world/voice.ts'
import { getMember, type Guild, type Member } from '../world/world.ts'
import { parseBody, readLimit } from './form.ts'
import { demand, guildOf, noContent, ok, param, type Call, type Route } from './route.ts'

const MEMBERS = '/guilds/{guildId}/members'
const MEMBER = `${MEMBERS}/{userId}`

function listMembers(call: Call) {
  const limit = readLimit(call.query, { most: 1000, usual: 1 })
  const after = call.query.get('after') ?? '0'
  const sorted = [...guildOf(call).members.values()].toSorted((a, b) => Number(BigInt(a.user.id) - BigInt(b.user.id)))
  return ok(sorted.filter(({ user }) => BigInt(user.id) > BigInt(/^\d+$/.test(after) ? after : 0)).slice(0, limit))
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
  roles: z.array(z.string()).nullish(),
  mute: z.boolean().nullish(),
  deaf: z.boolean().nullish(),
  channel_id: z.string().nullish(),
  communication_disabled_until: z.iso.datetime({ offset: true }).nullish(),
})

const LONGEST_TIMEOUT_MS = 28 * 86_400_000

/** Rename, time out, mute, deafen, move or disconnect a member, or set the roles, each with its own permission. */
function editMember(call: Call) {
  const guild = guildOf(call)
  const member = getMember(guild, param(call, 'userId'))
  const change = parseBody(MemberChange, call.body)
  const { nick, roles, channel_id: channelId, communication_disabled_until: until } = change
  const [mute, deaf] = [change.mute ?? undefined, change.deaf ?? undefined]
  const userId = member.user.id
  if (nick !== undefined) demand(call, guild, Permission.ManageNicknames)
  if (mute !== undefined) demand(call, guild, Permission.MuteMembers)
  if (deaf !== undefined) demand(call, guild, Permission.DeafenMembers)
  if (channelId !== undefined) demand(call, guild, Permission.MoveMembers)
  const needsVoice = mute !== undefined || deaf !== undefined || channelId !== undefined
  if (needsVoice && !guild.voice.has(userId)) throw new DiscordError('notInVoice')
  if (until !== undefined) setTimeoutOf(call, guild, member, until)
  if (roles) setRoles(call, guild, member, roles)
  if (nick !== undefined) member.nick = nick
  setServerMute(call.world, guild, member, { mute, deaf })
  if (channelId !== undefined) place(call, guild, userId, channelId)
  tellMemberUpdate(call.world, guild, member)
  return ok(member)
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
  const role = guild.roles.get(roleId)
  if (!role) throw new DiscordError('unknownRole')
  const isBelow = call.me.id === guild.ownerId || role.position < highestRole(guild, call.me.id)
  if (role.managed || role.id === guild.id || !isBelow) throw new DiscordError('missingPermissions')
}

function changeRole(isGiven: boolean) {
  return (call: Call) => {
    const guild = guildOf(call)
    const member = getMember(guild, param(call, 'userId'))
    const roleId = param(call, 'roleId')
    assertMayGive(call, guild, roleId)
    const others = member.roles.filter((id) => id !== roleId)
    member.roles = isGiven ? [...others, roleId] : others
    tellMemberUpdate(call.world, guild, member)
    return noContent
  }
}

function kick(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.KickMembers)
  const { user } = getMember(guild, param(call, 'userId'))
  if (!outranks(guild, call.me.id, user.id)) throw new DiscordError('missingPermissions')
  removeMember(call.world, guild, user.id)
  return noContent
}

function place(call: Call, guild: Guild, userId: string, channelId: string | null): void {
  if (channelId === null) {
    removeFromVoice(call.world, guild, userId, 4014)
    return
  }
  const channel = guild.channels.get(channelId)
  if (!channel) throw new DiscordError('unknownChannel')
  if (!isVoice(channel)) throw new DiscordError('wrongChannelType')
  if (!may(guild, call.me.id, Permission.Connect, channel)) throw new DiscordError('missingPermissions')
  moveInVoice(call.world, guild, userId, channelId)
}

function editMe(call: Call) {
  const guild = guildOf(call)
  const member = getMember(guild, call.me.id)
  const { nick } = parseBody(z.looseObject({ nick: z.string().max(32).nullish() }), call.body)
  if (nick !== undefined) member.nick = nick
  tellMemberUpdate(call.world, guild, member)
  return ok(member)
}

export const MEMBER_ROUTES: readonly Route[] = [
  { method: 'GET', path: MEMBERS, handle: listMembers },
  { method: 'GET', path: `${MEMBERS}/search`, handle: searchMembers },
  { method: 'GET', path: MEMBER, handle: (call) => ok(getMember(guildOf(call), param(call, 'userId'))) },
  { method: 'PATCH', path: `${MEMBERS}/@me`, handle: editMe },
  { method: 'PATCH', path: MEMBER, handle: editMember },
  { method: 'DELETE', path: MEMBER, handle: kick },
  { method: 'PUT', path: `${MEMBER}/roles/{roleId}`, handle: changeRole(true) },
  { method: 'DELETE', path: `${MEMBER}/roles/{roleId}`, handle: changeRole(false) },
]
