import { escapeMarkdown } from 'discord.js'
import type { PlayerInfo } from '../../player/player-info.ts'

/** The place in the list of the chapter that sounds; -1 before the first one, and if there are none. */
export function currentChapterOf({ chapters, positionMs }: Pick<PlayerInfo, 'chapters' | 'positionMs'>): number {
  return chapters.findLastIndex(({ startMs }) => startMs <= positionMs)
}

/** The chapter that sounds, as a line of the card; null if there is none. */
export function drawChapterLine(player: Pick<PlayerInfo, 'chapters' | 'positionMs'>): string | null {
  const index = currentChapterOf(player)
  const chapter = player.chapters[index]
  return chapter ? `🔖 ${index + 1}/${player.chapters.length} · ${escapeMarkdown(chapter.title)}` : null
}
