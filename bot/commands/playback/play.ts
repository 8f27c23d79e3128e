import { answerWithCard } from '../card/card-answer.ts'
import type { Invocation } from '../core/invocation.ts'
import { command } from '../core/command.ts'
import { choice, file, optional, text, type SentFile } from '../core/options.ts'
import type { Choice } from '../core/autocomplete.ts'
import { Refusal } from '../core/error-message.ts'
import { When } from '../../player/inputs.ts'
import { assertAllowed, findPlayer } from '../permissions/rules.ts'
import type { PlayRequest } from '../../player-service.ts'
import { say, type Reply } from '../core/reply.ts'
import type { CommandContext } from '../core/command-context.ts'
import { nameTrack } from '../i18n/format.ts'
import { playText } from './play-text.ts'
import { labelOf } from '../i18n/labels.ts'

const MOST_SUGGESTED = 10
const MOST_MEGABYTES = 100

export const play = command({
  name: 'play',
  labels: labelOf(playText),
  rule: 'joiner',
  options: {
    query: optional(text({ max: 500, suggest: suggestTracks })),
    when: optional(choice(When.options)),
    file: optional(file()),
  },
  run(invocation, context) {
    const { query, when, file } = invocation.options
    const { eitherOr } = invocation.words.play
    if ((query === null) === (file === null)) throw new Refusal(eitherOr)
    const what = file === null ? context.suggestions.take(query ?? '') : { query: addressOf(file, invocation) }
    return playWish(invocation, context, { ...what, ...(when !== null && { when }) })
  },
})

/** @throws {Refusal} for a file that is too large, or no music by its name. */
function addressOf({ url, bytes, mediaType }: SentFile, { words }: Invocation): string {
  if (bytes > MOST_MEGABYTES * 1_000_000) throw new Refusal(words.play.fileTooLarge(MOST_MEGABYTES))
  if (mediaType !== null && !/^(?:audio|video|application)\//u.test(mediaType)) throw new Refusal(words.play.noMusic)
  return url
}

/** Plays or queues something for the member who asks, where they listen. */
export async function playWish(
  invocation: Invocation,
  context: CommandContext,
  input: Pick<PlayRequest, 'query' | 'encoded' | 'playlist' | 'when'>,
): Promise<Reply> {
  const { scope, guildId, member, words } = invocation
  if ((input.when ?? 'last') !== 'last') await assertMayGoAhead(invocation, context)
  const rules = context.settings.get(scope.botId, guildId)
  context.cards.hold(guildId)
  const { track, position, added } = await context.music.play(scope, guildId, {
    ...input,
    ...(member.voiceChannelId === null ? {} : { channelId: member.voiceChannelId }),
    requesterId: member.id,
    rules,
  })
  const shown = nameTrack(track)
  const many = added > 1 ? words.play.queuedMany(added, shown) : null
  if (position === 0) return answerWithCard(invocation, context, say(many ?? words.play.playing(shown)))
  context.cards.refresh(guildId)
  return say(many ?? words.play.queued(shown, position))
}

/** @throws {Refusal} where others wait whom the member may not be put ahead of. */
async function assertMayGoAhead(invocation: Invocation, context: CommandContext): Promise<void> {
  const player = await findPlayer(invocation, context)
  if (player?.current) await assertAllowed('dj', invocation, context)
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
