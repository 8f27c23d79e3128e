import { TimestampStyles, time } from 'discord.js'
import type { Play } from '../../../db/music/play-history.ts'
import { decodeToken } from '../../tracks/track-token.ts'
import { bareId, pageId } from '../core/custom-id.ts'
import { component, pageTurner } from '../core/component.ts'
import { pageButtons, row, replyPrivately, type Content, Refusal } from '../core/reply.ts'
import { command } from '../core/command.ts'
import type { CommandContext, Invocation } from '../core/invocation.ts'
import { description } from '../core/embed-format.ts'
import { markOf } from '../core/autocomplete.ts'
import { optional, whole, labelOf } from '../core/options.ts'
import { nameTrack } from '../i18n/format.ts'
import { AGAIN_ID } from '../card/card-id.ts'
import { drawTrackMenu, playChosen } from './track-menu.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const historyText = textOf('search', 'history')

const PER_PAGE = 10
/** Maximum plays kept of a server. */
const MOST_PLAYS = 500
const MOST_PAGES = Math.ceil(MOST_PLAYS / PER_PAGE)

/** A pause that ends what members heard in one go. */
const LONGEST_PAUSE_MS = 30 * 60_000
const MOST_AGAIN = 50

const PAGE_ID = pageId('history', MOST_PAGES)
const MENU_ID = bareId('replay')

export const history = command({
  name: 'history',
  labels: labelOf(historyText),
  rule: 'anyone',
  isPrivate: true,
  options: { page: optional(whole({ min: 1, max: MOST_PAGES })) },
  run: async (invocation, context) =>
    replyPrivately(await showHistory(invocation, context, invocation.options.page ?? 1)),
})

export const historyPage = pageTurner(PAGE_ID, showHistory)

export const historyMenu = component({
  id: MENU_ID,
  rule: 'joiner',
  async run(invocation, context, { values }) {
    const plays = await listPlays(invocation, context)
    const byMark = new Map(plays.map(({ track }) => [markOf(track), track]))
    const tokens = values.flatMap((value) => byMark.get(value) ?? [])
    if (tokens.length === 0) throw new Refusal(invocation.words.refused.tooOld)
    return playChosen(invocation, context, tokens)
  },
})

/** The button of a card whose music is over: plays what was heard in one go at last, in that order. */
export const playAgain = component({
  id: AGAIN_ID,
  rule: 'joiner',
  async run(invocation, context) {
    const plays = (await listPlays(invocation, context)).slice(0, MOST_AGAIN)
    const isBreak = ({ startedAtMs, heardMs }: Play, i: number) =>
      i > 0 && (plays[i - 1]?.startedAtMs ?? 0) - startedAtMs - heardMs > LONGEST_PAUSE_MS
    const end = plays.findIndex(isBreak)
    const tokens = new Set(
      plays
        .slice(0, end < 0 ? undefined : end)
        .map(({ track }) => track)
        .toReversed(),
    )
    if (tokens.size === 0) throw new Refusal(historyText[invocation.language].words.empty)
    return playChosen(invocation, context, [...tokens])
  },
})

/** Plays of this server, the newest first, without those that failed. */
async function listPlays({ scope, guildId }: Invocation, { history }: CommandContext): Promise<readonly Play[]> {
  const plays = await history.list({ botId: scope.botId, guildId }, MOST_PLAYS)
  return plays.filter(({ ended }) => ended !== 'failed')
}

/** @throws {Refusal} if nothing was played yet. */
async function showHistory(invocation: Invocation, context: CommandContext, wanted: number): Promise<Content> {
  const { language, words } = invocation
  const own = historyText[language].words
  const plays = await listPlays(invocation, context)
  if (plays.length === 0) throw new Refusal(own.empty)
  const pages = Math.ceil(plays.length / PER_PAGE)
  const page = Math.min(wanted, pages)
  const shown = plays.slice((page - 1) * PER_PAGE, page * PER_PAGE)
  const menu = drawTrackMenu(
    { id: MENU_ID.of(), placeholder: `▶️ ${own.choose}`, live: words.card.live },
    shown.map(({ track }) => ({ track: decodeToken(track), value: markOf(track), note: '' })),
  )
  const buttons = pageButtons(PAGE_ID.of, { page, pages }, words)
  const embed = {
    title: `🕘 ${own.title}`,
    description: description(shown.map((play) => drawPlay(play)).join('\n')),
    footer: { text: words.queue.page({ page, pages }) },
  }
  return { embeds: [embed], rows: [...(menu ? [menu] : []), ...(buttons.length > 0 ? [row(...buttons)] : [])] }
}

function drawPlay({ track, startedAtMs, requesterId, provider }: Play): string {
  const by = requesterId === null ? '' : ` · <@${requesterId}>`
  const when = time(new Date(startedAtMs), TimestampStyles.RelativeTime)
  return `${when} ${nameTrack(decodeToken(track))}${by}${provider === null ? '' : ' · ✨'}`
}
