import { GuildFeature, type APIUser } from 'discord-api-types/v10'
import { DiscordError } from './errors.ts'
import { addMember } from './guilds.ts'
import type { Guild, Member, World } from './world.ts'
import { deleteInvite, getInvite } from './guild/invites.ts'

/**
 * Someone comes into a guild by an invite. An invite without uses left goes first, as bots that count uses rely on.
 * @throws {DiscordError} if the invite is not there or no longer works, and for those who are banned.
 */
export function acceptInvite(world: World, code: string, user: APIUser): { guild: Guild; member: Member } {
  const { guild, invite } = getInvite(world, code)
  const known = guild.members.get(user.id)
  if (known) return { guild, member: known }
  if (guild.bans.has(user.id)) throw new DiscordError('bannedFromGuild')
  if (guild.settings.features.includes(GuildFeature.InvitesDisabled)) throw new DiscordError('unknownInvite')
  invite.uses += 1
  if (invite.maxUses > 0 && invite.uses >= invite.maxUses) deleteInvite(world, guild, invite)
  const roleIds = invite.roleIds.filter((id) => guild.roles.has(id))
  return { guild, member: addMember(world, guild, user, roleIds) }
}
