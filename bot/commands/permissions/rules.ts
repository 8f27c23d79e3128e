import { Fault } from '../../../lib/errors.ts'
import type { PlayerInfo } from '../../music.ts'
import type { Call } from '../core/invocation.ts'
import { Refusal } from '../core/error-message.ts'
import type { CommandContext } from '../core/command-context.ts'

/**
 * Who may use something: everyone; who can hear the music, or could if it began (`joiner`); who hears what plays now
 * (`listener`); who does and is in charge of it (`dj`); who may manage the server.
 */
export type Rule = 'anyone' | 'joiner' | 'listener' | 'dj' | 'manager'

/** @throws {Refusal} in the member's words. Managers of the server are let through wherever there is a player. */
export async function assertAllowed(rule: Rule, call: Call, tools: CommandContext): Promise<void> {
  const { member, words } = call
  switch (rule) {
    case 'anyone':
      return
    case 'manager':
      if (!member.isManager) throw new Refusal(words.refused.notManager)
      return
    case 'joiner':
      return assertHears(call, await findPlayer(call, tools))
    case 'listener':
      return assertHears(call, await getPlayer(call, tools))
    case 'dj': {
      const player = await getPlayer(call, tools)
      assertHears(call, player)
      return assertInCharge(call, tools, player)
    }
  }
}

export async function findPlayer({ who, guildId }: Call, { music }: CommandContext): Promise<PlayerInfo | null> {
  try {
    return await music.info(who, guildId)
  } catch (err) {
    if (err instanceof Fault && err.code === 'not_found') return null
    throw err
  }
}

/** @throws {Refusal} where there is none. */
export async function getPlayer(call: Call, tools: CommandContext): Promise<PlayerInfo> {
  const player = await findPlayer(call, tools)
  if (!player) throw new Refusal(call.words.refused.nothingPlays)
  return player
}

/** Whether the member has the DJ role, or manages the server. */
export function isDj({ member, who, guildId }: Call, { settings }: CommandContext): boolean {
  const { djRoleId } = settings.get(who.botId, guildId)
  return member.isManager || (djRoleId !== null && member.roleIds.has(djRoleId))
}

/** @throws {Refusal} unless everyone is in charge, or the member is, or there is nobody else whom it could disturb. */
export function assertInCharge(call: Call, tools: CommandContext, { channelId }: PlayerInfo): void {
  const { member, place, who, guildId, words } = call
  const { djRoleId } = tools.settings.get(who.botId, guildId)
  if (djRoleId === null || isDj(call, tools)) return
  if (place.listeners(channelId).every((id) => id === member.id)) return
  throw new Refusal(words.refused.notDj(`<@&${djRoleId}>`))
}

function assertHears({ member, words }: Call, player: PlayerInfo | null): void {
  if (player && (member.isManager || member.voiceChannelId === player.channelId)) return
  if (player) throw new Refusal(words.refused.elsewhere(`<#${player.channelId}>`))
  if (member.voiceChannelId === null) throw new Refusal(words.refused.notInVoice)
}
