import { drawCard } from '../card/card.ts'
import { command } from '../core/command.ts'
import { labelsOf } from '../labels/index.ts'
import { Refusal } from '../core/error-message.ts'
import { whisper } from '../core/reply.ts'
import { getPlayer } from '../permissions/rules.ts'

export const nowplaying = command({
  name: 'nowplaying',
  labels: labelsOf('nowplaying'),
  rule: 'anyone',
  isPrivate: true,
  options: {},
  async run(call, tools) {
    const { who, guildId, channelId, words, member } = call
    const player = await getPlayer(call, tools)
    const { current } = player
    if (!current) throw new Refusal(words.refused.nothingPlays)
    // Whoever takes part brings the card here; others see how it is.
    if (member.voiceChannelId === player.channelId) tools.cards.open(guildId, channelId)
    const { current: requesterId } = await tools.music.requesters(who, guildId)
    const { embeds } = drawCard({ player: { ...player, current }, requesterId }, words)
    return whisper({ embeds })
  },
})
