import type { Invocation } from '../core/invocation.ts'
import { command } from '../core/command.ts'
import { text } from '../core/options.ts'
import type { Choice } from '../core/autocomplete.ts'
import type { PlayRequest } from '../../player-service.ts'
import { say, type Reply } from '../core/reply.ts'
import type { CommandContext } from '../core/command-context.ts'
import { nameTrack } from '../i18n/format.ts'
import { playText } from './play-text.ts'
import { labelOf } from '../i18n/labels.ts'

const MOST_SUGGESTED = 10

export const play = command({
  name: 'play',
  labels: labelOf(playText),
  rule: 'joiner',
  options: { query: text({ max: 500, suggest: suggestTracks }) },
  run: (invocation, context) => playWish(invocation, context, context.suggestions.take(invocation.options.query)),
})

/** Plays or queues something for the member who asks, where they listen. */
export async function playWish(
  invocation: Invocation,
  context: CommandContext,
  input: Pick<PlayRequest, 'query' | 'encoded' | 'playlist'>,
): Promise<Reply> {
  const { scope, guildId, channelId, member, words } = invocation
  const rules = context.settings.get(scope.botId, guildId)
  const { track, position, added } = await context.music.play(scope, guildId, {
    ...input,
    ...(member.voiceChannelId === null ? {} : { channelId: member.voiceChannelId }),
    requesterId: member.id,
    rules,
  })
  if (position === 0) context.cards.open(guildId, channelId)
  else context.cards.refresh(guildId)
  const shown = nameTrack(track)
  if (added > 1) return say(words.play.queuedMany(added, shown))
  return say(position === 0 ? words.play.playing(shown) : words.play.queued(shown, position))
}

async function suggestTracks(
  typed: string,
  _: Invocation,
  { music, suggestions }: CommandContext,
): Promise<readonly Choice[]> {
  const q = typed.trim()
  // A link is what it is; searching for it would only cost.
  if (q === '' || /^https?:/iu.test(q)) return []
  return suggestions.offer(q, () => music.search({ q, limit: MOST_SUGGESTED }))
}
