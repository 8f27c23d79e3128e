import { decidePermission, type Situation } from '../../permissions/decide.ts'
import type { CommandContext, Invocation } from '../core/invocation.ts'
import type { SourceName } from '../../sources/settings.ts'
import { findPlayer } from '../permissions/rules.ts'
import { COMMAND_NEEDS, type Area } from './areas.ts'

/** Whether a member may use a command where the music plays: at once, by a vote, or not; `off`: no one here. */
export type Allowance = 'allowed' | 'vote' | 'refused' | 'off'

/** No one in particular, who listens as well. */
const ANOTHER = ''

/** Commands that at least one of these sources is needed for. */
const SOURCES_FOR: Readonly<Partial<Record<string, readonly SourceName[]>>> = {
  radio: ['radio'],
  podcast: ['podcast'],
  library: ['library', 'subsonic', 'jellyfin'],
}

/** Decides for the commands of one help page, as if the member listened among others. */
export async function createAllowances(
  invocation: Invocation,
  context: CommandContext,
): Promise<(area: Area, command: string) => Allowance> {
  const { scope, guildId, member } = invocation
  const settings = await context.settings.get(scope.botId, guildId)
  const situation = await situationOf(invocation, context)
  return (area, command) => {
    if (settings.areasOff.includes(area)) return 'off'
    if (command === 'screenshot' && !settings.screenshots) return 'off'
    const sources = SOURCES_FOR[command]
    if (sources && !sources.some((name) => context.music.sourceNames.includes(name))) return 'off'
    const need = COMMAND_NEEDS[command]
    if (need === undefined) return 'allowed'
    if (need === 'manager') return member.isManager ? 'allowed' : 'refused'
    return decidePermission(situation, need).outcome
  }
}

async function situationOf(invocation: Invocation, context: CommandContext): Promise<Situation> {
  const { scope, guildId, member, place } = invocation
  const settings = await context.settings.get(scope.botId, guildId)
  const player = await findPlayer(invocation, context)
  const isThere = player !== null && member.voiceChannelId === player.channelId
  if (!isThere) {
    const others = { listeners: [member.id, ANOTHER], requests: { isPlaying: true, current: null, queue: [null] } }
    return { settings, member: { ...member, voiceChannelId: ANOTHER }, channelId: ANOTHER, ...others }
  }
  const requesters = await context.music.requesters(scope, guildId)
  const requests = { ...requesters, isPlaying: player.current !== null }
  return { settings, member, channelId: player.channelId, listeners: place.listeners(player.channelId), requests }
}
