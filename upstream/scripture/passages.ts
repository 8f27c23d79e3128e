import { Fault } from '../../lib/errors.ts'
import { bad, inOneChapter, type Reference } from './references.ts'
import type { VerseResult } from './schemas.ts'
import type { ScriptureSource, SourceBook, SourceVerse } from './source.ts'
import { counted } from '../../lib/text.ts'

export interface Passage {
  readonly reference: Reference
  /** Null: the translation does not have it. */
  readonly book: SourceBook | null
}

const MAX_VERSES = 200
const MAX_CHAPTERS = 60
/** Chapters that are fetched at once. */
const AT_ONCE = 4

interface Wanted {
  readonly reference: Reference
  readonly book: SourceBook
}

/**
 * The text of passages. What a translation leaves out within a passage is left out.
 * @throws {Fault} `not_found` for one that does not exist, naming it; `validation_error` when it is too much.
 */
export async function readPassage(
  from: { readonly source: ScriptureSource; readonly code: string },
  passages: readonly Passage[],
): Promise<readonly VerseResult[]> {
  const wanted = passages.map(({ reference, book }): Wanted => {
    if (!book) throw missing(reference)
    return { reference: inOneChapter(reference, book.osis), book }
  })
  const chapters = await fetchChapters(from, wanted)
  const results = wanted.map((one) => assemble(one, chapters))
  const verses = results.reduce((sum, { count }) => sum + count, 0)
  if (verses > MAX_VERSES) throw bad(`The references have ${counted(verses, 'verse')}; the maximum is ${MAX_VERSES}.`)
  return results.map(({ reference, text }) => ({ reference, text }))
}

type Chapters = ReadonlyMap<string, readonly SourceVerse[]>

async function fetchChapters(
  { source, code }: { readonly source: ScriptureSource; readonly code: string },
  wanted: readonly Wanted[],
): Promise<Chapters> {
  const needed = new Map<string, { book: SourceBook; chapter: number; reference: Reference }>()
  for (const { reference, book } of wanted) {
    for (const chapter of chaptersOf(reference)) needed.set(keyOf(book, chapter), { book, chapter, reference })
  }
  if (needed.size > MAX_CHAPTERS) throw bad(`The references span more than ${MAX_CHAPTERS} chapters.`)
  const waiting = [...needed]
  const chapters = new Map<string, readonly SourceVerse[]>()
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [key, { book, chapter, reference }] = next
      const verses = await source.chapter(code, book, chapter)
      if (!verses) throw missing(reference)
      chapters.set(key, verses)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return chapters
}

function assemble({ reference, book }: Wanted, chapters: Chapters): VerseResult & { readonly count: number } {
  const { from, to, isOpen } = reference
  const texts: string[] = []
  let last: number | null = to.verse
  for (const chapter of chaptersOf(reference)) {
    const verses = chapters.get(keyOf(book, chapter)) ?? []
    const end = verses.at(-1)?.verse ?? 0
    const first = chapter === from.chapter ? (from.verse ?? 0) : 0
    const until = chapter === to.chapter && !isOpen ? (to.verse ?? end) : end
    if (isOpen) last = end
    const within = verses.filter(({ verse }) => verse >= first && verse <= until)
    if (within.length === 0 || until > end || (chapter === from.chapter && first > end)) throw missing(reference)
    texts.push(...textsOf(within, verses))
  }
  const canonical = `${book.name} ${spanOf(reference, last)}`
  return { reference: canonical, text: texts.join(' ').trim(), count: texts.length }
}

/** Where verses were translated as one, the first has the text of all and the others have none of their own. */
function textsOf(within: readonly SourceVerse[], verses: readonly SourceVerse[]): string[] {
  const own = within.map(({ text }) => text).filter((text) => text !== '')
  if (own.length > 0) return own
  const before = verses.findLast(({ verse, text }) => verse < (within[0]?.verse ?? 0) && text !== '')
  return before ? [before.text] : []
}

/** `3:16`, `3:16-18`, `3:16-4:2`, `3`, `3-4`. */
function spanOf({ from, to }: Reference, last: number | null): string {
  if (from.verse === null) return from.chapter === to.chapter ? `${from.chapter}` : `${from.chapter}-${to.chapter}`
  const start = `${from.chapter}:${from.verse}`
  if (to.chapter !== from.chapter) return `${start}-${to.chapter}:${last}`
  return last === from.verse ? start : `${start}-${last}`
}

function chaptersOf({ from, to }: Reference): number[] {
  return Array.from({ length: to.chapter - from.chapter + 1 }, (_, at) => from.chapter + at)
}

function keyOf(book: SourceBook, chapter: number): string {
  return `${book.id}/${chapter}`
}

function missing({ written }: Reference): Fault {
  return new Fault('not_found', `There is no ${written} in this translation.`)
}
