import type { Call } from '../core/invocation.ts'
import { command } from '../core/command.ts'
import { labelsOf } from '../labels/index.ts'
import { text, type Choice } from '../core/options.ts'
import type { PlayRequest } from '../../music.ts'
import { say, type Answer } from '../core/reply.ts'
import type { CommandContext } from '../core/command-context.ts'
import { nameTrack } from '../i18n/format.ts'

const MOST_SUGGESTED = 10

export const play = command({
  name: 'play',
  labels: labelsOf('play'),
  rule: 'joiner',
  options: { query: text({ max: 500, suggest: suggestTracks }) },
  run: (call, tools) => playWish(call, tools, tools.suggestions.take(call.options.query)),
})

/** Plays or queues something for the member who asks, where they listen. */
export async function playWish(
  call: Call,
  tools: CommandContext,
  wish: Pick<PlayRequest, 'query' | 'encoded' | 'playlist'>,
): Promise<Answer> {
  const { who, guildId, channelId, member, words } = call
  const rules = tools.settings.get(who.botId, guildId)
  const { track, position, added } = await tools.music.play(who, guildId, {
    ...wish,
    ...(member.voiceChannelId === null ? {} : { channelId: member.voiceChannelId }),
    requesterId: member.id,
    rules,
  })
  if (position === 0) tools.cards.open(guildId, channelId)
  else tools.cards.refresh(guildId)
  const shown = nameTrack(track)
  if (added > 1) return say(words.play.queuedMany(added, shown))
  return say(position === 0 ? words.play.playing(shown) : words.play.queued(shown, position))
}

async function suggestTracks(
  typed: string,
  _: Call,
  { music, suggestions }: CommandContext,
): Promise<readonly Choice[]> {
  const q = typed.trim()
  // A link is what it is; searching for it would only cost.
  if (q === '' || /^https?:/iu.test(q)) return []
  return suggestions.offer(q, () => music.search({ q, limit: MOST_SUGGESTED }))
}
