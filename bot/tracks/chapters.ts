import { squeezeSpaces, truncate } from '../../lib/text.ts'

/** A part of a track with a name of its own. */
export interface Chapter {
  readonly title: string
  readonly startMs: number
  /** Start of the next chapter, or end of the track; null if that is not known. */
  readonly endMs: number | null
}

/** A chapter as a file, a page or a service tells it; nothing of it is checked. */
export interface FoundChapter {
  readonly title: string
  readonly startMs: number
}

/** More than that are cut: ten pages of a menu. */
export const MOST_CHAPTERS = 250
/** Length of a menu entry in Discord. */
const TITLE_CHARS = 100

/**
 * Chapters in order, each ending where the next one begins. Chapters without a title are called by their number; of several
 * that begin at the same moment the first stays. Empty if there are fewer than two, which divide nothing.
 */
export function toChapters(found: readonly FoundChapter[], lengthMs: number): readonly Chapter[] {
  const limitMs = lengthMs > 0 ? lengthMs : Infinity
  const starts = new Map<number, string>()
  const inside = boundChapters(found).filter(({ startMs }) => startMs >= 0 && startMs < limitMs)
  for (const { startMs, title } of inside) if (!starts.has(startMs)) starts.set(startMs, title)
  const sorted = [...starts].toSorted(([a], [b]) => a - b)
  if (sorted.length < 2) return []
  return sorted.map(([startMs, title], index) => {
    const endMs = sorted[index + 1]?.[0] ?? (lengthMs > 0 ? lengthMs : null)
    return { title: title || String(index + 1), startMs, endMs }
  })
}

/** Limits the number of chapters and the length of titles, so they are small enough to send to another thread. */
export function boundChapters(found: readonly FoundChapter[]): readonly FoundChapter[] {
  return found
    .slice(0, MOST_CHAPTERS)
    .filter(({ startMs }) => Number.isFinite(startMs))
    .map(({ title, startMs }) => ({ title: toTitle(title), startMs: Math.round(startMs) }))
}

function toTitle(text: string): string {
  // Titles of megabytes exist.
  const line = squeezeSpaces(text.slice(0, 8 * TITLE_CHARS).replaceAll(/\p{Cc}+/gu, ' '))
  return line.length <= TITLE_CHARS ? line : `${truncate(line, TITLE_CHARS - 1).trimEnd()}…`
}
