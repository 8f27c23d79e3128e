import { unprocessable } from '../../lib/errors.ts'
import { squeezeSpaces } from '../../lib/text.ts'

/** A place in a chapter; `verse` null: all of the chapter. */
interface Point {
  readonly chapter: number
  readonly verse: number | null
}

/** A reference as it was written: its book is still words. */
export interface Reference {
  readonly written: string
  readonly book: string
  readonly from: Point
  readonly to: Point
  /** `3:16ff`: to the end of the chapter. */
  readonly isOpen: boolean
}

const MAX_REFERENCES = 50
const MAX_CHARS = 100
const MAX_CHAPTERS = 20

/** Languages that write a comma between chapter and verse: `Johannes 3,16`. */
const COMMA_BEFORE_VERSE = new Set(['cs', 'de', 'es', 'fr', 'hr', 'it', 'nl', 'pl', 'pt', 'ro', 'sk'])

/**
 * `<Book> <chapter>:<verse>`, and besides: `3:16-18`, `3:16-4:2`, `3:16ff`, `3`, `3-4`, `3.16`. Commas and semicolons
 * separate references; one without a book is in the book before it: `John 3:16,18; 4:2`. One number after a book
 * of one chapter is a verse, which only the book can tell: see `inOneChapter`. `language` is an ISO 639-1 code.
 * @throws {Fault} `invalid_reference`.
 */
export function readReferences(text: string, language = 'en'): readonly Reference[] {
  const items = splitItems(text)
  if (items.length > MAX_REFERENCES) throw bad(`Must have at most ${MAX_REFERENCES} references.`)
  const references: Reference[] = []
  for (const { separator, written } of items) {
    if (written.length > MAX_CHARS) throw bad(`A reference must have at most ${MAX_CHARS} characters.`)
    const last = references.at(-1)
    if (!last || !PASSAGE.test(withoutSpaces(written))) references.push(readReference(written))
    else if (separator === ';' || CHAPTER_AND_VERSE.test(written))
      references.push(readReference(`${last.book} ${written}`))
    else if (last.to.verse !== null) references.push(readReference(`${last.book} ${last.to.chapter}:${written}`))
    else if (!COMMA_BEFORE_VERSE.has(language)) references.push(readReference(`${last.book} ${written}`))
    else references.splice(-1, 1, readReference(`${last.book} ${last.to.chapter}:${written}`))
  }
  return references
}

interface Item {
  /** The sign before it; empty for the first. */
  readonly separator: string
  readonly written: string
}

function splitItems(text: string): readonly Item[] {
  const plain = text
    .normalize('NFKC')
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .replaceAll('、', ',')
    // `3章16節`
    .replaceAll(/(\d) ?[章篇장편] ?(\d)/g, '$1:$2')
    .replaceAll(/(\d) ?[章篇節节장편절]/g, '$1')
  const parts = plain.split(/([,;])/)
  return parts.flatMap((part, at) =>
    at % 2 === 0 ? [{ separator: parts[at - 1] ?? '', written: squeezeSpaces(part).trim() }] : [],
  )
}

const CHAPTER_AND_VERSE = /^\d{1,3} ?[:.]/u
/** Name of a book: it may begin with a number, and has no digit after that. */
const BOOK = /^(?:[1-5] ?\.? ?)?[^\d:]+/u
/** Chapters and verses behind the book, without the spaces around signs; a whole item where the book was named before. */
const PASSAGE = /^(\d{1,3})(?:[:.](\d{1,3})[a-c]?)?(ff?)?(?:-(?:(\d{1,3})[:.])?(\d{1,3})[a-c]?)?$/u

const withoutSpaces = (passage: string): string => passage.replaceAll(/ ?([:.-]) ?/g, '$1')

function readReference(written: string): Reference {
  const hint = 'Write each reference with its book: `John 3:16`, `1 John 1:8-10`.'
  if (written === '') throw bad(`A reference between two commas is empty. ${hint}`)
  const book = BOOK.exec(written)?.[0] ?? ''
  const passage = withoutSpaces(written.slice(book.length))
  const [, chapter, verse, open, toChapter, toVerse] = PASSAGE.exec(passage) ?? []
  if (chapter === undefined || !/\p{L}/u.test(book)) throw bad(`${written} isn't a reference. ${hint}`)
  const from = { chapter: Number(chapter), verse: verse === undefined ? null : Number(verse) }
  const to = endOf(from, toChapter, toVerse)
  const isReversed = to.chapter < from.chapter || (to.chapter === from.chapter && (to.verse ?? 0) < (from.verse ?? 0))
  if (isReversed) throw bad(`${written} ends before it starts.`)
  if (to.chapter - from.chapter >= MAX_CHAPTERS) throw bad(`${written} has more than ${MAX_CHAPTERS} chapters.`)
  if (toChapter !== undefined && verse === undefined) throw bad(`${written} doesn't start with a verse. ${hint}`)
  return { written, book: book.trim(), from, to, isOpen: open !== undefined && toVerse === undefined }
}

function endOf(from: Point, toChapter: string | undefined, toVerse: string | undefined): Point {
  if (toVerse === undefined) return from
  if (toChapter !== undefined) return { chapter: Number(toChapter), verse: Number(toVerse) }
  // `3:16-18` ends with a verse, `3-4` with a chapter.
  return from.verse === null
    ? { chapter: Number(toVerse), verse: null }
    : { chapter: from.chapter, verse: Number(toVerse) }
}

const ONE_CHAPTER = new Set([
  'Obad',
  'Phlm',
  '2John',
  '3John',
  'Jude',
  'PrMan',
  'Bel',
  'Sus',
  'EpJer',
  'PrAzar',
  'AddPs',
])

/** `Jude 5` is a verse: the book has no chapter 5. */
export function inOneChapter(reference: Reference, osis: string | null): Reference {
  const { from, to } = reference
  const isVerse = osis !== null && ONE_CHAPTER.has(osis) && from.verse === null && to.verse === null && to.chapter > 1
  if (!isVerse) return reference
  return { ...reference, from: { chapter: 1, verse: from.chapter }, to: { chapter: 1, verse: to.chapter } }
}

export function bad(message: string) {
  return unprocessable('invalid_reference', message)
}
