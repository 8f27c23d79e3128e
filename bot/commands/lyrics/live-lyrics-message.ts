import { escapeMarkdown, type APIEmbed } from 'discord.js'
import type { LyricLine } from '../../../upstream/music/lrc.ts'
import { button, row, type Content } from '../core/reply.ts'
import { bareId } from '../core/custom-id.ts'
import { cut } from '../core/autocomplete.ts'
import type { Words } from '../common-text.ts'

const BEFORE = 2
const AFTER = 5
const LONGEST_LINE = 200

/** The button beneath the words that ends them. */
export const ENOUGH_ID = bareId('words')

/** The line that is sung at a position; -1 before the first. */
export function lineAt(lines: readonly LyricLine[], positionMs: number): number {
  return lines.findLastIndex(({ timeMs }) => timeMs !== null && timeMs <= positionMs)
}

/** One line as it is shown: a pause in the singing is a note. */
export function showLine({ text }: LyricLine): string {
  return text.trim() === '' ? '♪' : escapeMarkdown(cut(text, LONGEST_LINE))
}

/** The words around what is sung. The same line makes the same message. */
export function drawWords(
  { title, lines, words }: { readonly title: string; readonly lines: readonly LyricLine[]; readonly words: Words },
  at: number,
): Content {
  const first = Math.max(at - BEFORE, 0)
  const shown = lines.slice(first, Math.max(at, 0) + AFTER + 1).map((line, index) => {
    const isNow = first + index === at
    return isNow ? `**➤ ${showLine(line)}**` : showLine(line)
  })
  const embed: APIEmbed = {
    title: cut(`🎤 ${title}`, 256),
    description: [...(at < 0 ? ['**♪**'] : []), ...shown].join('\n'),
    footer: { text: words.lyrics.source },
  }
  return { embeds: [embed], rows: [row(button(ENOUGH_ID.of(), '⏹️', words.lyrics.enough))] }
}
