import type { APIEmbed } from 'discord.js'
import type { Invocation, CommandContext } from '../core/invocation.ts'
import { command } from '../core/command.ts'
import { pageId } from '../core/custom-id.ts'
import { pageTurner } from '../core/component.ts'
import { button, pageButtons, row, replyPrivately } from '../core/reply.ts'
import { optional, whole, labelsOf } from '../core/options.ts'
import type { QueueInfo } from '../../player/player-info.ts'
import { getPlayer } from '../permissions/rules.ts'
import { ADD_ID } from './add-id.ts'
import { nameTrack, showTime } from '../i18n/format.ts'
import type { Words } from '../common-text.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const queueText = textOf('queue', 'queue')

const PER_PAGE = 10
const MOST_PAGES = 500

const PAGE_ID = pageId('queue', MOST_PAGES)

export const queue = command({
  name: 'queue',
  labels: labelsOf(queueText, 'queue'),
  rule: 'anyone',
  isPrivate: true,
  options: { page: optional(whole({ min: 1, max: MOST_PAGES })) },
  run: async (invocation, context) =>
    replyPrivately(await showQueue(invocation, context, invocation.options.page ?? 1)),
})

export const queuePage = pageTurner(PAGE_ID, showQueue)

/** One page of the queue, with buttons that lead to the others. */
export async function showQueue(invocation: Invocation, context: CommandContext, wanted: number) {
  const { scope, guildId, words } = invocation
  await getPlayer(invocation, context)
  const info = await context.music.queue(scope, guildId)
  const requesters = await context.music.requesters(scope, guildId)
  const pages = Math.max(Math.ceil(info.queue.length / PER_PAGE), 1)
  const page = Math.min(wanted, pages)
  const buttons = row(button(ADD_ID.of(), '➕', words.adding.title), ...pageButtons(PAGE_ID.of, { page, pages }, words))
  return { embeds: [drawPage(info, requesters.queue, { page, pages, words })], rows: [buttons] }
}

interface Page {
  readonly page: number
  readonly pages: number
  readonly words: Words
}

function drawPage(info: QueueInfo, requesters: readonly (string | null)[], { page, pages, words }: Page): APIEmbed {
  const first = (page - 1) * PER_PAGE
  const lines = info.queue.slice(first, first + PER_PAGE).map((track, index) => {
    const requester = requesters[first + index]
    const by = typeof requester === 'string' ? ` · <@${requester}>` : ''
    const length = track.isStream ? words.card.live : showTime(track.lengthMs)
    return `\`${first + index + 1}.\` ${nameTrack(track)} \`${length}\`${by}`
  })
  const now = info.current ? `${words.queue.now}: ${nameTrack(info.current)}\n\n` : ''
  return {
    title: `📜 ${words.queue.title}`,
    description: `${now}${lines.length > 0 ? lines.join('\n') : words.queue.empty}`.slice(0, 4096),
    footer: {
      text: `${words.queue.page({ page, pages })} · ${words.queue.summary({ count: info.queue.length, length: showTime(info.lengthMs) })}`,
    },
  }
}
