import type { Call } from '../core/invocation.ts'
import { command } from '../core/command.ts'
import { labelsOf } from '../labels/index.ts'
import { say, type Answer } from '../core/reply.ts'
import { getPlayer, isDj } from '../permissions/rules.ts'
import type { CommandContext } from '../core/command-context.ts'
import { playerKey } from '../permissions/votes.ts'
import { nameTrack } from '../i18n/format.ts'

export const skip = command({
  name: 'skip',
  labels: labelsOf('skip'),
  rule: 'listener',
  options: {},
  run: skipTrack,
})

export const previous = command({
  name: 'previous',
  labels: labelsOf('previous'),
  rule: 'dj',
  options: {},
  run: goBack,
})

async function skipTrack(call: Call, tools: CommandContext): Promise<Answer> {
  const voted = await skipOrVote(call, tools)
  if (voted) return voted
  const { current } = await tools.music.queue(call.who, call.guildId)
  const { words } = call
  return say(current ? words.skip.skipped(nameTrack(current)) : words.skip.skippedLast)
}

/** Skips, or counts a vote for it. @returns what to say of the vote; null when it was skipped. */
export async function skipOrVote(call: Call, tools: CommandContext): Promise<Answer | null> {
  const { who, guildId, words } = call
  const missing = await castVote(call, tools)
  if (missing) return say(words.skip.voted(missing.have, missing.need))
  await tools.music.skip(who, guildId)
  tools.cards.refresh(guildId)
  return null
}

export async function goBack({ who, guildId, words }: Call, tools: CommandContext): Promise<Answer> {
  const { track } = await tools.music.previous(who, guildId)
  tools.cards.refresh(guildId)
  return say(track ? words.skip.back(nameTrack(track)) : words.skip.skippedLast)
}

/**
 * Whoever asked for the track, a DJ and a manager skip at once; otherwise part of the listeners has to agree.
 * @returns how many have and how many have to; null when it may be skipped now.
 */
async function castVote(
  call: Call,
  tools: CommandContext,
): Promise<{ readonly have: number; readonly need: number } | null> {
  const { who, guildId, member, place } = call
  const { channelId, current } = await getPlayer(call, tools)
  const { current: requesterId } = await tools.music.requesters(who, guildId)
  if (!current || requesterId === member.id || isDj(call, tools)) return null
  const listeners = place.listeners(channelId)
  const need = Math.ceil(tools.settings.get(who.botId, guildId).voteRatio * listeners.length)
  const key = playerKey(who, guildId)
  const have = tools.votes.cast(key, member.id, listeners)
  if (have < need) return { have, need }
  // Two last votes at once skip one track.
  tools.votes.forget(key)
  return null
}
