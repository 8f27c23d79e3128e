import { escapeMarkdown, type APIEmbed, type APISelectMenuOption } from 'discord.js'
import type { Chapter } from '../../tracks/chapters.ts'
import { cut, choiceName } from '../core/autocomplete.ts'
import { command } from '../core/command.ts'
import type { CommandContext, Invocation } from '../core/invocation.ts'
import { pageId } from '../core/custom-id.ts'
import { component, pageTurner } from '../core/component.ts'
import {
  menuRow,
  pageButtons,
  row,
  NOTHING,
  update,
  replyPrivately,
  type Content,
  type Row,
  Refusal,
} from '../core/reply.ts'
import { showTime } from '../i18n/format.ts'
import { labelOf } from '../core/options.ts'
import { getPlayer } from '../permissions/rules.ts'
import { perform } from '../playback/player-command.ts'
import { currentChapterOf } from './chapter-line.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const chaptersText = textOf('chapters', 'chapters')

/** Maximum options of a menu. */
const PER_PAGE = 25
const MOST_PAGES = 10

const PAGE_ID = pageId('chapters', MOST_PAGES)
const MENU_ID = pageId('chapter', MOST_PAGES)

export const chapters = command({
  name: 'chapters',
  labels: labelOf(chaptersText),
  rule: 'anyone',
  isPrivate: true,
  options: {},
  run: async (invocation, context) => replyPrivately(await showChapters(invocation, context, null)),
})

export const chaptersPage = pageTurner(PAGE_ID, showChapters)

export const chapterMenu = component({
  id: MENU_ID,
  rule: 'listener',
  async run(invocation, context, { values: [chosen] }) {
    if (chosen === undefined) return NOTHING
    await perform(invocation, context, 'seekToChapter', { chapter: Number(chosen) })
    return update(await showChapters(invocation, context, invocation.options[0]))
  },
})

/** @param wanted the page; null for the one with what sounds now. */
async function showChapters(invocation: Invocation, context: CommandContext, wanted: number | null): Promise<Content> {
  const { words } = invocation
  const player = await getPlayer(invocation, context)
  const { current, chapters: all } = player
  if (current === null) throw new Refusal(words.refused.nothingPlays)
  if (all.length === 0) throw new Refusal(words.failed.reasons.no_chapters)
  const now = currentChapterOf(player)
  const pages = Math.ceil(all.length / PER_PAGE)
  const page = Math.min(wanted ?? Math.floor(Math.max(now, 0) / PER_PAGE) + 1, pages)
  const shown = { all, now, page, pages }
  return { embeds: [drawPage(shown, invocation, choiceName(current))], rows: drawRows(shown, invocation) }
}

interface Shown {
  readonly all: readonly Chapter[]
  readonly now: number
  readonly page: number
  readonly pages: number
}

function drawPage({ all, now, page, pages }: Shown, { language, words }: Invocation, track: string): APIEmbed {
  const text = chaptersText[language].words
  const lines = numbered(all, page).map(([number, { title, startMs }]) => {
    const line = `\`${showTime(startMs)}\` ${number}. ${escapeMarkdown(title)}`
    return number === now + 1 ? `▶️ **${line}**` : line
  })
  const paging = pages > 1 ? [words.queue.page({ page, pages })] : []
  return {
    title: `🔖 ${cut(text.title({ track }), 250)}`,
    description: lines.join('\n').slice(0, 4096),
    footer: { text: [...paging, text.summary({ count: all.length })].join(' · ') },
  }
}

function drawRows({ all, page, pages }: Shown, { language, words }: Invocation): readonly Row[] {
  const options = numbered(all, page).map(([number, { title, startMs }]): APISelectMenuOption => ({
    label: cut(`${number}. ${title}`, 100),
    description: showTime(startMs),
    value: String(number),
  }))
  const { choose } = chaptersText[language].words
  const menu = menuRow(MENU_ID.of(page), { placeholder: choose, options })
  const buttons = pageButtons(PAGE_ID.of, { page, pages }, words)
  return buttons.length > 0 ? [menu, row(...buttons)] : [menu]
}

function numbered(all: readonly Chapter[], page: number): readonly (readonly [number: number, Chapter])[] {
  const first = (page - 1) * PER_PAGE
  return all.slice(first, first + PER_PAGE).map((chapter, index) => [first + index + 1, chapter])
}
