import type { FoundChapter } from '../../tracks/chapters.ts'

/** YouTube takes a list of times for chapters when it has three of them and begins at 0:00; so do we. */
const LEAST = 3
const MOST_LINES = 2000
const LINE_CHARS = 300

/** The chapters that a description lists, a line each: `1:02:03 Title` or `Title 1:02:03`. Empty if it lists none. */
export function chaptersOfDescription(description: string): readonly FoundChapter[] {
  const found: FoundChapter[] = []
  for (const line of description.split('\n', MOST_LINES)) {
    const chapter = chapterOfLine(line.slice(0, LINE_CHARS).trim())
    // A time that goes back is one that the text speaks of.
    if (chapter && (found.length === 0 ? chapter.startMs === 0 : chapter.startMs > found.at(-1)!.startMs)) {
      found.push(chapter)
    }
  }
  return found.length >= LEAST ? found : []
}

function chapterOfLine(line: string): FoundChapter | null {
  const words = line.split(/\s+/)
  const first = words.findIndex((word) => /[\p{L}\d]/u.test(word))
  for (const at of [first, words.length - 1]) {
    const startMs = timeOf(words[at] ?? '')
    if (startMs === null) continue
    const rest = words.filter((_, index) => index !== at)
    return { title: withoutMarks(rest), startMs }
  }
  return null
}

/** `1:02:03` or `(2:03)` in milliseconds; null for what is no time. */
function timeOf(word: string): number | null {
  const time = /^[([]?(?:(\d{1,2}):)?(\d{1,3}):(\d{2})[)\]]?[:.,\-–—|]?$/u.exec(word)
  if (!time) return null
  const [, hours = '0', minutes = '0', seconds = '0'] = time
  if (Number(seconds) > 59 || (time[1] !== undefined && Number(minutes) > 59)) return null
  return (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
}

/** Without the dashes, bullets and bars that part a title from its time. */
function withoutMarks(words: readonly string[]): string {
  const from = words.findIndex((word) => !isMark(word))
  const to = words.findLastIndex((word) => !isMark(word))
  return from < 0 ? '' : words.slice(from, to + 1).join(' ')
}

function isMark(word: string): boolean {
  return !/[\p{L}\p{N}\p{S}"'“(]/u.test(word) || /^[|~+→➤►•]+$/u.test(word)
}
