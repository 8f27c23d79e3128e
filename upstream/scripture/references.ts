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

/**
 * `<Book> <chapter>:<verse>`, and besides: `3:16-18`, `3:16-4:2`, `3:16ff`, `3`, `3-4`, `3.16`. One number after a book
 * of one chapter is a verse, which only the book can tell: see `inOneChapter`.
 * @throws {Fault} `validation_error` on `query.refs`.
 */
export function readReferences(text: string): readonly Reference[] {
  const written = text.split(',').map((item) => item.trim())
  if (written.length > MAX_REFERENCES) throw bad(`Give at most ${MAX_REFERENCES} references.`)
  return written.map(readReference)
}

/** It may begin with a number, and has no digit after that. */
const BOOK = /^(?:[1-4] ?\.? ?)?[^\d:]+/u
/** What follows the book, without the spaces around signs. */
const PASSAGE = /^(\d{1,3})(?:[:.](\d{1,3})[a-c]?)?(ff?)?(?:-(?:(\d{1,3})[:.])?(\d{1,3})[a-c]?)?$/u

function readReference(written: string): Reference {
  const hint = 'Write each reference with its book: `John 3:16`, `1 John 1:8-10`.'
  if (written === '') throw bad(`There is nothing between two commas. ${hint}`)
  if (written.length > MAX_CHARS) throw bad(`A reference has at most ${MAX_CHARS} characters.`)
  const plain = squeezeSpaces(written.normalize('NFKC').replaceAll(/[\u2010-\u2015\u2212]/g, '-'))
  const book = BOOK.exec(plain)?.[0] ?? ''
  const passage = plain.slice(book.length).replaceAll(/ ?([:.-]) ?/g, '$1')
  const [, chapter, verse, open, toChapter, toVerse] = PASSAGE.exec(passage) ?? []
  if (chapter === undefined || !/\p{L}/u.test(book)) throw bad(`${written} is no reference. ${hint}`)
  const from = { chapter: Number(chapter), verse: verse === undefined ? null : Number(verse) }
  const to = endOf(from, toChapter, toVerse)
  const isReversed = to.chapter < from.chapter || (to.chapter === from.chapter && (to.verse ?? 0) < (from.verse ?? 0))
  if (isReversed) throw bad(`${written} ends before it begins.`)
  if (to.chapter - from.chapter >= MAX_CHAPTERS) throw bad(`${written} has more than ${MAX_CHAPTERS} chapters.`)
  if (toChapter !== undefined && verse === undefined) throw bad(`${written} begins with no verse. ${hint}`)
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
  return unprocessable('query.refs', message)
}
