import { Fault } from '../../../lib/errors.ts'
import type { PlayerInfo } from '../../player/player-info.ts'
import type { Invocation } from '../core/invocation.ts'
import { Refusal } from '../core/error-message.ts'
import type { CommandContext } from '../core/command-context.ts'

/**
 * Who may use something: everyone; who can hear the music, or could if it began (`joiner`); who hears what plays now
 * (`listener`); who does and is in charge of it (`dj`); who may manage the server.
 */
export type Rule = 'anyone' | 'joiner' | 'listener' | 'dj' | 'manager'

/** @throws {Refusal} in the member's words. Managers of the server are let through wherever there is a player. */
export async function assertAllowed(rule: Rule, invocation: Invocation, context: CommandContext): Promise<void> {
  const { member, words } = invocation
  switch (rule) {
    case 'anyone':
      return
    case 'manager':
      if (!member.isManager) throw new Refusal(words.refused.notManager)
      return
    case 'joiner':
      return assertHears(invocation, await findPlayer(invocation, context))
    case 'listener':
      return assertHears(invocation, await getPlayer(invocation, context))
    case 'dj': {
      const player = await getPlayer(invocation, context)
      assertHears(invocation, player)
      return assertInCharge(invocation, context, player)
    }
  }
}

export async function findPlayer(
  { scope, guildId }: Invocation,
  { music }: CommandContext,
): Promise<PlayerInfo | null> {
  try {
    return await music.info(scope, guildId)
  } catch (err) {
    if (err instanceof Fault && err.code === 'not_found') return null
    throw err
  }
}

/** @throws {Refusal} where there is none. */
export async function getPlayer(invocation: Invocation, context: CommandContext): Promise<PlayerInfo> {
  const player = await findPlayer(invocation, context)
  if (!player) throw new Refusal(invocation.words.refused.nothingPlays)
  return player
}

/** Whether the member has the DJ role, or manages the server. */
export function isDj({ member, scope, guildId }: Invocation, { settings }: CommandContext): boolean {
  const { djRoleId } = settings.get(scope.botId, guildId)
  return member.isManager || (djRoleId !== null && member.roleIds.has(djRoleId))
}

/** @throws {Refusal} unless everyone is in charge, or the member is, or they listen alone. */
export function assertInCharge(invocation: Invocation, context: CommandContext, { channelId }: PlayerInfo): void {
  const { member, place, scope, guildId, words } = invocation
  const { djRoleId } = context.settings.get(scope.botId, guildId)
  if (djRoleId === null || isDj(invocation, context)) return
  if (place.listeners(channelId).every((id) => id === member.id)) return
  throw new Refusal(words.refused.notDj(`<@&${djRoleId}>`))
}

function assertHears({ member, words }: Invocation, player: PlayerInfo | null): void {
  if (player && (member.isManager || member.voiceChannelId === player.channelId)) return
  if (player) throw new Refusal(words.refused.elsewhere(`<#${player.channelId}>`))
  if (member.voiceChannelId === null) throw new Refusal(words.refused.notInVoice)
}
