import { InviteTargetType } from 'discord-api-types/v10'
import { z } from 'zod'
import {
  createInvite,
  deleteInvite,
  describeInvite,
  describeWholeInvite,
  getInvite,
  invitesOf,
} from '../../world/guild/invites.ts'
import { highestRole, may, Permission } from '../../world/permissions.ts'
import { DiscordError, invalidForm, mustFind } from '../../world/errors.ts'
import type { Guild, InviteTarget } from '../../world/world.ts'
import { Id, parseBody, readFlag, readId } from '../form.ts'
import { notImplemented } from '../unimplemented.ts'
import { actorOf, channelOf, demand, guildOf, ok, param, type Call, type OpenCall, type Route } from '../route.ts'

const NewInvite = z.object({
  max_age: z.int().min(0).max(604_800).nullish(),
  max_uses: z.int().min(0).max(100).nullish(),
  temporary: z.boolean().nullish(),
  unique: z.boolean().nullish(),
  target_type: z.enum(InviteTargetType).nullish(),
  target_user_id: Id.nullish(),
  target_application_id: Id.nullish(),
  role_ids: z.array(Id).max(100).nullish(),
})
type NewInvite = z.infer<typeof NewInvite>

/** An Activity needs its application, a stream the member who streams. */
function targetOf(call: Call, guild: Guild, body: NewInvite): InviteTarget | null {
  const { target_type: type } = body
  if (!type) return null
  const isStream = type === InviteTargetType.Stream
  const field = isStream ? 'target_user_id' : 'target_application_id'
  const id = body[field] ?? ''
  const isThere = isStream ? guild.members.has(id) : call.world.applications.has(id)
  if (!isThere) throw invalidForm(field, 'BASE_TYPE_REQUIRED', 'This field is required')
  return { type, id }
}

/** Checks the roles of an invite: its maker must be allowed to give them. */
function rolesOf(call: Call, guild: Guild, roleIds: readonly string[]): readonly string[] {
  if (roleIds.length === 0) return roleIds
  demand(call, guild, Permission.ManageRoles)
  for (const id of roleIds) {
    const role = mustFind(guild.roles.get(id), 'invalidRole')
    if (role.position >= highestRole(guild, call.me.id)) throw new DiscordError('missingPermissions')
  }
  return roleIds
}

function create(call: Call) {
  const { guild, channel } = channelOf(call, Permission.ViewChannel | Permission.CreateInstantInvite)
  const body = parseBody(NewInvite, call.body)
  const { max_age, max_uses, temporary, unique } = body
  // Members here never go offline, which is when Discord would remove them.
  if (temporary) return notImplemented('"temporary": true of an invite')
  const facts = {
    channelId: channel.id,
    maxAgeSeconds: max_age ?? 86_400,
    maxUses: max_uses ?? 0,
    temporary: false,
    unique: unique ?? false,
    target: targetOf(call, guild, body),
    roleIds: rolesOf(call, guild, body.role_ids ?? []),
  }
  const invite = createInvite(call.world, guild, facts, actorOf(call))
  return ok(describeWholeInvite(call.world, guild, invite))
}

function listOfChannel(call: Call) {
  const { guild, channel } = channelOf(call, Permission.ViewChannel | Permission.ManageChannels)
  const found = invitesOf(call.world, guild).filter(({ channelId }) => channelId === channel.id)
  return ok(found.map((invite) => describeWholeInvite(call.world, guild, invite)))
}

function listOfGuild(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.ManageGuild)
  return ok(invitesOf(call.world, guild).map((invite) => describeWholeInvite(call.world, guild, invite)))
}

/** Anyone who knows the code reads it, in any guild. */
function show(call: OpenCall) {
  const { guild, invite } = getInvite(call.world, param(call, 'code'))
  const size = guild.members.size
  const counts = readFlag(call.query, 'with_counts')
  const event = guild.scheduledEvents.get(readId(call.query, 'guild_scheduled_event_id') ?? '')
  return ok({
    ...describeInvite(call.world, guild, invite),
    ...(counts ? { approximate_member_count: size, approximate_presence_count: size } : {}),
    ...(event ? { guild_scheduled_event: event } : {}),
  })
}

/** Needs to manage the invite's channel, or the guild. */
function remove(call: Call) {
  const { guild, invite } = getInvite(call.world, param(call, 'code'))
  const channel = guild.channels.get(invite.channelId)
  if (!guild.members.has(call.me.id)) throw new DiscordError('missingAccess')
  const isAllowed =
    may(guild, call.me.id, Permission.ManageChannels, channel) || may(guild, call.me.id, Permission.ManageGuild)
  if (!isAllowed) throw new DiscordError('missingPermissions')
  deleteInvite(call.world, guild, invite, actorOf(call))
  return ok(describeInvite(call.world, guild, invite))
}

export const INVITE_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/channels/{channelId}/invites', handle: listOfChannel },
  { method: 'POST', path: '/channels/{channelId}/invites', limit: { requests: 5, perMs: 15_000 }, handle: create },
  { method: 'GET', path: '/guilds/{guildId}/invites', handle: listOfGuild },
  { method: 'GET', path: '/invites/{code}', open: show },
  { method: 'DELETE', path: '/invites/{code}', handle: remove },
]
