import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  AuditLogEvent,
  GatewayDispatchEvents,
  InviteTargetType,
  InviteType,
  type APIExtendedInvite,
  type APIInvite,
} from 'discord-api-types/v10'
import { DiscordError } from '../errors.ts'
import { describeApplication } from '../applications.ts'
import { tell, type Actor, type Application, type Guild, type Invite, type InviteTarget, type World } from '../world.ts'
import { changesBetween, recordAudit } from './audit-log.ts'
import { describeGuild } from './describe.ts'

const MAX_INVITES = 1000

export interface InviteFacts {
  readonly channelId: string
  readonly maxAgeSeconds: number
  readonly maxUses: number
  readonly temporary: boolean
  /** False: the same invite again, where one of the same kind is there. */
  readonly unique: boolean
  readonly target?: InviteTarget | null
  readonly roleIds?: readonly string[]
}

export function createInvite(world: World, guild: Guild, facts: InviteFacts, by: Actor): Invite {
  const { channelId, maxAgeSeconds, maxUses, temporary, target = null, roleIds = [] } = facts
  const alike = invitesOf(world, guild).find(
    (one) =>
      one.channelId === channelId &&
      one.inviterId === by.id &&
      one.maxAgeSeconds === maxAgeSeconds &&
      one.maxUses === maxUses &&
      one.temporary === temporary &&
      isDeepStrictEqual([one.target, one.roleIds], [target, roleIds]),
  )
  if (alike && !facts.unique) return alike
  if (guild.invites.size >= MAX_INVITES) throw new DiscordError('tooManyInvites')
  const nowMs = world.now()
  const invite: Invite = {
    code: randomBytes(6).toString('base64url').replaceAll(/[-_]/g, 'x'),
    channelId,
    inviterId: by.id,
    createdAtMs: nowMs,
    expiresAtMs: maxAgeSeconds === 0 ? null : nowMs + maxAgeSeconds * 1000,
    maxAgeSeconds,
    maxUses,
    temporary,
    target,
    roleIds,
    uses: 0,
  }
  guild.invites.set(invite.code, invite)
  const inviter = world.users.get(by.id)
  const d = {
    code: invite.code,
    channel_id: channelId,
    guild_id: guild.id,
    created_at: new Date(nowMs).toISOString(),
    expires_at: expiryOf(invite),
    max_age: maxAgeSeconds,
    max_uses: maxUses,
    temporary,
    uses: 0 as const,
    ...(inviter ? { inviter } : {}),
    ...describeTarget(world, invite),
  }
  tell(world, guild.id, { t: GatewayDispatchEvents.InviteCreate, d })
  audit(world, guild, by, { type: AuditLogEvent.InviteCreate, before: null, after: invite })
  return invite
}

export function deleteInvite(world: World, guild: Guild, invite: Invite, by?: Actor): void {
  guild.invites.delete(invite.code)
  const d = { channel_id: invite.channelId, guild_id: guild.id, code: invite.code }
  tell(world, guild.id, { t: GatewayDispatchEvents.InviteDelete, d })
  if (by) audit(world, guild, by, { type: AuditLogEvent.InviteDelete, before: invite, after: null })
}

/** Deletes the invites of a channel that is deleted. */
export function deleteInvitesOf(world: World, guild: Guild, channelId: string): void {
  for (const invite of guild.invites.values()) if (invite.channelId === channelId) deleteInvite(world, guild, invite)
}

/** Removes invites that have expired or are used up, and returns the rest. */
export function invitesOf(world: World, guild: Guild): readonly Invite[] {
  for (const invite of guild.invites.values()) {
    const isUsedUp = invite.maxUses > 0 && invite.uses >= invite.maxUses
    const isOver = invite.expiresAtMs !== null && invite.expiresAtMs <= world.now()
    // Discord tells no one of an invite that ends on its own.
    if (isUsedUp || isOver) guild.invites.delete(invite.code)
  }
  return [...guild.invites.values()]
}

/** An invite of any guild, with that guild. */
export function getInvite(world: World, code: string): { guild: Guild; invite: Invite } {
  for (const guild of world.guilds.values()) {
    const invite = invitesOf(world, guild).find((one) => one.code === code)
    if (invite) return { guild, invite }
  }
  throw new DiscordError('unknownInvite')
}

const expiryOf = ({ expiresAtMs }: Invite) => (expiresAtMs === null ? null : new Date(expiresAtMs).toISOString())

/** The user who streams, or the application with the Activity. */
function describeTarget(world: World, { target }: Invite) {
  if (!target) return {}
  const { type: target_type, id } = target
  const user = world.users.get(id)
  if (target_type === InviteTargetType.Stream) return user ? { target_type, target_user: user } : {}
  const application = world.applications.get(id)
  return application ? { target_type, target_application: describeTargetApplication(world, application) } : {}
}

function describeTargetApplication(world: World, application: Application) {
  const { icon, description, type, verify_key, flags, flags_new } = describeApplication(world, application)
  return { id: application.id, name: application.name, icon, description, type, verify_key, flags, flags_new }
}

function describeRole(guild: Guild, roleId: string) {
  const role = guild.roles.get(roleId)
  if (!role) return []
  const { id, name, position, color, colors, icon = null, unicode_emoji = null } = role
  return [{ id, name, position, color, colors, icon, unicode_emoji }]
}

export function describeInvite(world: World, guild: Guild, invite: Invite): APIInvite {
  const channel = guild.channels.get(invite.channelId)
  const inviter = world.users.get(invite.inviterId)
  const whole = describeGuild(guild)
  const { id, name, splash, banner, description, icon, features, verification_level, vanity_url_code, nsfw_level } =
    whole
  const shown = {
    id,
    name,
    splash,
    banner,
    description,
    icon,
    features,
    verification_level,
    vanity_url_code,
    nsfw_level,
  }
  return {
    type: InviteType.Guild,
    code: invite.code,
    expires_at: expiryOf(invite),
    guild: {
      ...shown,
      nsfw: whole.nsfw,
      premium_subscription_count: whole.premium_subscription_count,
    } as APIInvite['guild'],
    guild_id: guild.id,
    channel: channel ? { id: channel.id, type: channel.type, name: channel.name } : null,
    ...(inviter ? { inviter } : {}),
    ...describeTarget(world, invite),
    ...(invite.roleIds.length > 0 ? { roles: invite.roleIds.flatMap((one) => describeRole(guild, one)) } : {}),
  } as unknown as APIInvite
}

/** Adds the fields that are visible only to those who may manage the invite. */
export function describeWholeInvite(world: World, guild: Guild, invite: Invite): APIExtendedInvite {
  return {
    ...describeInvite(world, guild, invite),
    uses: invite.uses,
    max_uses: invite.maxUses,
    max_age: invite.maxAgeSeconds,
    temporary: invite.temporary,
    created_at: new Date(invite.createdAtMs).toISOString(),
  }
}

/** Fields of an invite in the audit log. */
function auditView(one: Invite | null) {
  if (!one) return null
  return {
    code: one.code,
    channel_id: one.channelId,
    inviter_id: one.inviterId,
    max_uses: one.maxUses,
    uses: one.uses,
    max_age: one.maxAgeSeconds,
    temporary: one.temporary,
  }
}

type Change = { type: AuditLogEvent; before: Invite | null; after: Invite | null }

function audit(world: World, guild: Guild, by: Actor, { type, before, after }: Change): void {
  recordAudit(world, guild, by, { type, targetId: null, changes: changesBetween(auditView(before), auditView(after)) })
}
