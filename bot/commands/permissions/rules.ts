import { nullOn } from '../../../lib/errors.ts'
import { decidePermission } from '../../permissions/decide.ts'
import { PermissionRefused } from '../../permissions/member-controls.ts'
import type { PlayerInfo } from '../../player/player-info.ts'
import type { Invocation, CommandContext } from '../core/invocation.ts'
import { Refusal } from '../core/reply.ts'

/**
 * Members who may use something: everyone; those who may add tracks where the music plays, or could if it began
 * (`joiner`); those in the channel of the player (`listener`); those who may manage the server. `perform` also holds
 * changes of a player to the guild's permissions.
 */
export type Rule = 'anyone' | 'joiner' | 'listener' | 'manager'

/** @throws {Refusal} in the member's words. Managers of the server are let through wherever there is a player. */
export async function assertAllowed(rule: Rule, invocation: Invocation, context: CommandContext): Promise<void> {
  const { member, words } = invocation
  switch (rule) {
    case 'anyone':
      return
    case 'manager':
      if (!member.isManager) throw new Refusal(words.refused.notManager)
      return
    case 'joiner': {
      const player = await findPlayer(invocation, context)
      assertHears(invocation, player)
      return assertMayAdd(invocation, context, player?.channelId ?? member.voiceChannelId)
    }
    case 'listener':
      return assertHears(invocation, await getPlayer(invocation, context))
  }
}

export async function findPlayer(
  { scope, guildId }: Pick<Invocation, 'scope' | 'guildId'>,
  { music }: Pick<CommandContext, 'music'>,
): Promise<PlayerInfo | null> {
  return music.info(scope, guildId).catch(nullOn('not_found'))
}

/** @throws {Refusal} if there is none. */
export async function getPlayer(invocation: Invocation, context: CommandContext): Promise<PlayerInfo> {
  const player = await findPlayer(invocation, context)
  if (!player) throw new Refusal(invocation.words.refused.nothingPlays)
  return player
}

function assertHears({ member, words }: Invocation, player: PlayerInfo | null): void {
  if (player && (member.isManager || member.voiceChannelId === player.channelId)) return
  if (player) throw new Refusal(words.refused.elsewhere({ channel: `<#${player.channelId}>` }))
  if (member.voiceChannelId === null) throw new Refusal(words.refused.notInVoice)
}

/** @throws {PermissionRefused} */
async function assertMayAdd(
  { scope, guildId, member, place }: Invocation,
  { settings }: CommandContext,
  channelId: string | null,
): Promise<void> {
  if (channelId === null) return
  const situation = {
    settings: await settings.get(scope.botId, guildId),
    member,
    channelId,
    listeners: place.listeners(channelId),
    requests: { isPlaying: false, current: null, queue: [] },
  }
  const decision = decidePermission(situation, 'play')
  if (decision.outcome === 'refused') throw new PermissionRefused(decision, situation)
}
