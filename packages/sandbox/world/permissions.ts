import { OverwriteType, PermissionFlagsBits as P } from 'discord-api-types/v10'
import type { Channel, Guild, Thread } from './world.ts'

export { PermissionFlagsBits as Permission } from 'discord-api-types/v10'

const ALL = Object.values(P).reduce((all, bit) => all | bit, 0n)

/** Permissions of everyone in a new guild. */
export const EVERYONE =
  P.ViewChannel |
  P.SendMessages |
  P.EmbedLinks |
  P.AttachFiles |
  P.ReadMessageHistory |
  P.AddReactions |
  P.UseExternalEmojis |
  P.UseApplicationCommands |
  P.Connect |
  P.Speak |
  P.UseVAD |
  P.Stream |
  P.RequestToSpeak |
  P.ChangeNickname |
  P.CreateInstantInvite |
  P.CreatePublicThreads |
  P.CreatePrivateThreads |
  P.SendMessagesInThreads |
  P.UseExternalStickers |
  P.SendPolls

/** Permissions that a music bot requests in its invite. */
export const MUSIC_BOT = EVERYONE | P.ManageMessages | P.SetVoiceChannelStatus | P.MoveMembers | P.MuteMembers

/** Returns the channel whose overwrites apply: the parent of a thread, or the channel itself. */
function ground(guild: Guild, channel: Channel | Thread | undefined): Channel | undefined {
  return channel && 'thread_metadata' in channel ? guild.channels.get(channel.parent_id ?? '') : (channel as Channel)
}

/** Permissions of a member in the guild, or in one channel with its overwrites. Sending in a thread has a permission of its own. */
export function permissionsOf(guild: Guild, userId: string, place?: Channel | Thread): bigint {
  const channel = ground(guild, place)
  const allowed = inChannel(guild, userId, channel)
  if (place === channel) return allowed
  const may = allowed & P.SendMessagesInThreads ? P.SendMessages : 0n
  return (allowed & ~P.SendMessages) | may
}

function inChannel(guild: Guild, userId: string, channel: Channel | undefined): bigint {
  if (guild.ownerId === userId) return ALL
  const roleIds = new Set([guild.id, ...(guild.members.get(userId)?.roles ?? [])])
  let allowed = 0n
  for (const id of roleIds) allowed |= BigInt(guild.roles.get(id)?.permissions ?? 0)
  if (allowed & P.Administrator) return ALL
  const overwrites = channel?.permission_overwrites ?? []
  const isRole = (id: string) => id !== guild.id && roleIds.has(id)
  // Discord's order: everyone, then all roles together, then the member.
  const steps = [
    overwrites.filter(({ id }) => id === guild.id),
    overwrites.filter(({ id, type }) => type === OverwriteType.Role && isRole(id)),
    overwrites.filter(({ id, type }) => type === OverwriteType.Member && id === userId),
  ]
  for (const step of steps) {
    for (const { deny } of step) allowed &= ~BigInt(deny)
    for (const { allow } of step) allowed |= BigInt(allow)
  }
  if (isTimedOut(guild, userId)) allowed &= P.ViewChannel | P.ReadMessageHistory
  // Without the permission to see a channel a member has no others in it.
  return channel && !(allowed & P.ViewChannel) ? 0n : allowed
}

export function may(guild: Guild, userId: string, permission: bigint, channel?: Channel | Thread): boolean {
  return (permissionsOf(guild, userId, channel) & permission) === permission
}

function isTimedOut(guild: Guild, userId: string): boolean {
  const until = guild.members.get(userId)?.communication_disabled_until
  return typeof until === 'string' && Date.parse(until) > guild.now()
}

/** The position of a member's highest role; 0 is that of everyone. */
export function highestRole(guild: Guild, userId: string): number {
  const roles = guild.members.get(userId)?.roles ?? []
  return Math.max(0, ...roles.map((id) => guild.roles.get(id)?.position ?? 0))
}

/** Whether one member may act on another: the owner on everyone, others on those whose roles are all below theirs. */
export function outranks(guild: Guild, userId: string, otherId: string): boolean {
  if (guild.ownerId === otherId) return false
  return guild.ownerId === userId || highestRole(guild, userId) > highestRole(guild, otherId)
}
