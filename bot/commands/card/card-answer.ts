import type { CommandContext, Invocation } from '../core/invocation.ts'
import { say, type Reply } from '../core/reply.ts'

/**
 * Brings the card to where the member is. The answer itself becomes it, so that one action makes one message; where the
 * card belongs elsewhere, or could not be changed later, it is posted there and `otherwise` is the answer.
 */
export async function answerWithCard(
  { guildId, channelId, place, scope, answeringBotId }: Invocation,
  { cards }: CommandContext,
  otherwise: Reply,
): Promise<Reply> {
  const isOwn = answeringBotId === scope.botId && place.mayPost(channelId)
  const offered = isOwn ? await cards.offer(guildId, channelId) : null
  if (offered) return { ...say(offered.content), as: 'message', isPrivate: false, onSent: offered.onSent }
  cards.open(guildId, channelId)
  return otherwise
}
