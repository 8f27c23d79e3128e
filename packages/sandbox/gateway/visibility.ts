import { GatewayDispatchEvents as E } from 'discord-api-types/v10'
import { seesThread } from '../world/guild/threads.ts'
import { may, Permission as P } from '../world/permissions.ts'
import type { Dispatch, Guild } from '../world/world.ts'

/** Events that only those hear who may do something in the guild. */
const GUARDED: Partial<Record<E, bigint>> = {
  [E.GuildAuditLogEntryCreate]: P.ViewAuditLog,
  [E.AutoModerationRuleCreate]: P.ManageGuild,
  [E.AutoModerationRuleUpdate]: P.ManageGuild,
  [E.AutoModerationRuleDelete]: P.ManageGuild,
  [E.AutoModerationActionExecution]: P.ManageGuild,
}
/** Events of bans, sent to anyone who bans, or reads the log. */
const BANS: ReadonlySet<E> = new Set([E.GuildBanAdd, E.GuildBanRemove])
/** Events of invites, sent to anyone who manages their channel. */
const INVITES: ReadonlySet<E> = new Set([E.InviteCreate, E.InviteDelete])
/** Events in a channel, sent only to those who see it. */
const IN_CHANNEL: ReadonlySet<E> = new Set([
  E.MessageCreate,
  E.MessageUpdate,
  E.MessageDelete,
  E.MessageDeleteBulk,
  E.MessageReactionAdd,
  E.MessageReactionRemove,
  E.MessageReactionRemoveAll,
  E.MessageReactionRemoveEmoji,
  E.MessagePollVoteAdd,
  E.MessagePollVoteRemove,
  E.TypingStart,
  E.ChannelPinsUpdate,
])
const OF_THREAD: ReadonlySet<E> = new Set([E.ThreadCreate, E.ThreadUpdate, E.ThreadDelete, E.ThreadMembersUpdate])

/** Whether Discord tells a bot of an event in a guild that the bot is in. */
export function mayHear(guild: Guild, applicationId: string, { t, d }: Dispatch): boolean {
  const guarded = GUARDED[t]
  if (guarded !== undefined) return may(guild, applicationId, guarded)
  if (BANS.has(t)) return may(guild, applicationId, P.BanMembers) || may(guild, applicationId, P.ViewAuditLog)
  const about = d as { id?: string; channel_id?: string }
  if (INVITES.has(t)) {
    return may(guild, applicationId, P.ManageChannels, guild.channels.get(about.channel_id ?? ''))
  }
  const place = IN_CHANNEL.has(t) ? about.channel_id : OF_THREAD.has(t) ? about.id : undefined
  if (place === undefined) return true
  const thread = guild.threads.get(place)
  if (thread) return seesThread(guild, thread, applicationId)
  const channel = guild.channels.get(place)
  // Events of a channel that was just deleted reach everyone.
  return !channel || may(guild, applicationId, P.ViewChannel, channel)
}
