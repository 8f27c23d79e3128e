import { drawCard } from '../card/card.ts'
import { command } from '../core/command.ts'
import { Refusal } from '../core/error-message.ts'
import { whisper } from '../core/reply.ts'
import { getPlayer } from '../permissions/rules.ts'
import { nowPlayingText } from './now-playing-text.ts'
import { labelOf } from '../i18n/labels.ts'

export const nowplaying = command({
  name: 'nowplaying',
  labels: labelOf(nowPlayingText),
  rule: 'anyone',
  isPrivate: true,
  options: {},
  async run(invocation, context) {
    const { scope, guildId, channelId, words, member } = invocation
    const player = await getPlayer(invocation, context)
    const { current } = player
    if (!current) throw new Refusal(words.refused.nothingPlays)
    // Listeners bring the card here; others see a copy.
    if (member.voiceChannelId === player.channelId) context.cards.open(guildId, channelId)
    const { current: requesterId } = await context.music.requesters(scope, guildId)
    const { embeds } = drawCard({ player: { ...player, current }, requesterId }, words)
    return whisper({ embeds })
  },
})
