import { AuditLogEvent, GatewayDispatchEvents, type APIUser } from 'discord-api-types/v10'
import { removeMember } from '../guilds.ts'
import { deleteMessages, messagesOf } from '../messages.ts'
import { tell, type Actor, type Guild, type World } from '../world.ts'
import { recordAudit } from './audit-log.ts'

export interface Ban {
  readonly user: APIUser
  /** Deletes the user's messages of this last time. */
  readonly deleteSeconds: number
}

/** Bans a user, who need not be a member. No-op for one that is banned. */
export function ban(world: World, guild: Guild, { user, deleteSeconds }: Ban, by: Actor): void {
  if (guild.bans.has(user.id)) return
  guild.bans.set(user.id, { user, reason: by.reason })
  if (guild.members.has(user.id)) removeMember(world, guild, user.id)
  deleteMessagesOf(world, guild, user.id, world.now() - deleteSeconds * 1000)
  tell(world, guild.id, { t: GatewayDispatchEvents.GuildBanAdd, d: { guild_id: guild.id, user } })
  recordAudit(world, guild, by, { type: AuditLogEvent.MemberBanAdd, targetId: user.id })
}

export function unban(world: World, guild: Guild, user: APIUser, by: Actor): void {
  guild.bans.delete(user.id)
  tell(world, guild.id, { t: GatewayDispatchEvents.GuildBanRemove, d: { guild_id: guild.id, user } })
  recordAudit(world, guild, by, { type: AuditLogEvent.MemberBanRemove, targetId: user.id })
}

function deleteMessagesOf(world: World, guild: Guild, userId: string, sinceMs: number): void {
  for (const channelId of [...guild.channels.keys(), ...guild.threads.keys()]) {
    const ids = [...messagesOf(world, channelId).values()]
      .filter(({ author, timestamp }) => author.id === userId && Date.parse(timestamp) > sinceMs)
      .map(({ id }) => id)
    if (ids.length > 0) deleteMessages(world, { guild, channelId }, ids)
  }
}
