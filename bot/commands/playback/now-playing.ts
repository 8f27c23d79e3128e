import { answerWithCard } from '../card/card-answer.ts'
import { drawCard } from '../card/card.ts'
import { readCard } from '../card/card-facts.ts'
import { command } from '../core/command.ts'
import { Refusal, replyPrivately } from '../core/reply.ts'
import { getPlayer } from '../permissions/rules.ts'
import { labelOf } from '../i18n/labels.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const nowPlayingText = textOf('playback', 'nowPlaying')

export const nowplaying = command({
  name: 'nowplaying',
  labels: labelOf(nowPlayingText),
  rule: 'anyone',
  options: {},
  async run(invocation, context) {
    const { scope, guildId, words, member } = invocation
    const { channelId } = await getPlayer(invocation, context)
    const facts = await readCard(context.music, scope, guildId)
    if (!facts) throw new Refusal(words.refused.nothingPlays)
    const { embeds = [] } = drawCard(facts, words)
    // Listeners bring the card here; others see a copy.
    if (member.voiceChannelId !== channelId) return replyPrivately({ embeds })
    return answerWithCard(invocation, context, replyPrivately({ embeds }))
  },
})
