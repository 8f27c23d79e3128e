import type { Invocation } from '../core/invocation.ts'
import { command } from '../core/command.ts'
import { say, type Reply } from '../core/reply.ts'
import { getPlayer, isDj } from '../permissions/rules.ts'
import type { CommandContext } from '../core/command-context.ts'
import { playerKey } from '../permissions/votes.ts'
import { nameTrack } from '../i18n/format.ts'
import { skipText } from './skip-text.ts'
import { labelsOf } from '../i18n/labels.ts'
import { perform, playerCommand } from './player-command.ts'

export const skip = command({
  name: 'skip',
  labels: labelsOf(skipText, 'skip'),
  rule: 'listener',
  options: {},
  run: skipTrack,
})

export const previous = playerCommand({
  name: 'previous',
  labels: labelsOf(skipText, 'previous'),
  operation: 'previous',
  say: ({ words }, { track }) => (track ? words.skip.back(nameTrack(track)) : words.skip.skippedLast),
})

async function skipTrack(invocation: Invocation, context: CommandContext): Promise<Reply> {
  const voted = await skipOrVote(invocation, context)
  if (voted) return voted
  const { current } = await context.music.queue(invocation.scope, invocation.guildId)
  const { words } = invocation
  return say(current ? words.skip.skipped(nameTrack(current)) : words.skip.skippedLast)
}

/** Skips, or counts a vote for it. @returns what to say of the vote; null when it was skipped. */
export async function skipOrVote(invocation: Invocation, context: CommandContext): Promise<Reply | null> {
  const { words } = invocation
  const missing = await castVote(invocation, context)
  if (missing) return say(words.skip.voted(missing.have, missing.need))
  await perform(invocation, context, 'skip', {})
  return null
}

/**
 * The requester, DJs and managers skip at once; otherwise a share of the listeners has to agree.
 * @returns how many have and how many have to; null when it may be skipped now.
 */
async function castVote(
  invocation: Invocation,
  context: CommandContext,
): Promise<{ readonly have: number; readonly need: number } | null> {
  const { scope, guildId, member, place } = invocation
  const { channelId, current } = await getPlayer(invocation, context)
  const { current: requesterId } = await context.music.requesters(scope, guildId)
  if (!current || requesterId === member.id || isDj(invocation, context)) return null
  const listeners = place.listeners(channelId)
  const need = Math.ceil(context.settings.get(scope.botId, guildId).voteRatio * listeners.length)
  const key = playerKey(scope, guildId)
  const have = context.votes.cast(key, member.id, listeners)
  if (have < need) return { have, need }
  // Two last votes at once skip one track.
  context.votes.forget(key)
  return null
}
