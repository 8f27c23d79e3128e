import type { APIEmbed } from 'discord.js'
import type { Content } from '../core/reply.ts'
import { nameTrack, showTime } from '../i18n/format.ts'
import type { Words } from '../common-text.ts'
import { drawEmbed, isPicture, type CardFacts } from '../card/card.ts'
import { drawControls } from '../card/card-controls.ts'

const COLOUR = 0x8a_8f_98
const MOST_LISTED = 10
/** All embeds of a message hold 6000 characters; the other one takes its part of them. */
const LONGEST_LIST = 3000

/** The card of a request channel: the current track with its cover and the queue; without music, how to request some. */
export function drawStandingCard(facts: CardFacts | null, words: Words, readsMessages: boolean): Content {
  const { standing } = words
  const how = readsMessages ? `${standing.how}\n${standing.write}` : standing.how
  if (!facts) {
    const embed = { title: `💤 ${standing.idle}`, description: how, color: COLOUR }
    return { embeds: [embed], rows: drawControls(null, words) }
  }
  const { artworkUrl } = facts.player.current
  const cover = isPicture(artworkUrl) ? { image: { url: artworkUrl } } : {}
  return {
    embeds: [drawQueue(facts, words), { ...drawEmbed(facts, words), ...cover }],
    rows: drawControls(facts.player, words),
  }
}

function drawQueue({ player, requesters }: CardFacts, { standing, card }: Words): APIEmbed {
  const lines: string[] = []
  let length = 0
  for (const [index, track] of player.queue.slice(0, MOST_LISTED).entries()) {
    const requester = requesters.queue[index]
    const by = typeof requester === 'string' ? ` · <@${requester}>` : ''
    const line = `\`${index + 1}.\` ${nameTrack(track)} \`${track.isStream ? card.live : showTime(track.lengthMs)}\`${by}`
    length += line.length + 1
    if (length > LONGEST_LIST) break
    lines.push(line)
  }
  const others = player.queue.length - lines.length
  if (others > 0) lines.push(standing.others({ count: others }))
  return {
    title: `📜 ${standing.queue}`,
    description: lines.length > 0 ? lines.join('\n') : standing.empty,
    color: COLOUR,
  }
}
