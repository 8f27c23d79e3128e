import { drawCard } from '../card.ts'
import { command } from '../command.ts'
import { labelsOf } from '../labels/index.ts'
import { Refusal } from '../refusal.ts'
import { whisper } from '../reply.ts'
import { getPlayer } from '../rules.ts'

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
