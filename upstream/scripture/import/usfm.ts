import { bookByUsfm } from '../books.ts'
import { buildBook, type BookBuilder, type ParsedBook } from './parsed.ts'

/** Footnotes, cross references, figures, other numberings, pronunciations: all that stands in a verse and is no text of it. */
const ASIDES = /\\(f|fe|x|ef|ex|fig|ca|cp|va|vp|pro|rq|rb)\s/g
/** `\w word|strong="H1"\w*`: the attributes go. */
const ATTRIBUTES = /\|[^\\|]*(\\\+?[a-z0-9-]+\*)/g
/** `\\qt-s |who="Pilate"\\*`: only marks a place. */
const MILESTONES = /\\[a-z]+\d*-[se]\b[^\\]*\\\*/g
const MARKER = /\\(\+?[a-z]+-?[a-z]*)(\d*)(\*?)/gi

/** Paragraphs of text; other markers at the level of paragraphs are titles, introductions and remarks. */
const TEXT = new Set(
  'p m po pr cls pmo pm pmc pmr pi mi nb pc ph b lh li lf lim q qr qc qm tr th thr tc tcr v c'.split(' '),
)
const TITLES = new Set(
  [
    'ide sts rem h toc toca usfm mt mte ms mr s sr r d sp sd cl cd qa',
    'imt is ip ipi im imi ipq imq ipr iq ib ili iot io iex imte ie',
  ].flatMap((line) => line.split(' ')),
)

interface State {
  book: BookBuilder | null
  chapter: number
  /** Verses that the coming text belongs to; more than one where they were translated as one. */
  verses: number[]
  /** The name of the title that the coming text is. */
  title: string | null
}

/** The books of USFM texts: usually one to a file. Books that are none, such as a glossary, are left out. */
export function parseUsfm(text: string): ParsedBook[] {
  const plain = withoutAsides(text.replaceAll('\r\n', '\n')).replaceAll(MILESTONES, '').replaceAll(ATTRIBUTES, '$1')
  const books: BookBuilder[] = []
  const state: State = { book: null, chapter: 0, verses: [], title: null }
  const markers = [...plain.matchAll(MARKER)]
  for (const [at, marker] of markers.entries()) {
    const from = marker.index + marker[0].length
    const after = plain.slice(from, markers[at + 1]?.index ?? plain.length)
    const rest = enter(state, books, marker, after)
    take(state, rest)
  }
  return books.map((book) => book.build()).filter(({ verses }) => verses.length > 0)
}

/** An aside that is not closed stays as it is. */
function withoutAsides(text: string): string {
  const kept: string[] = []
  const unclosed = new Set<string>()
  let from = 0
  for (const { 0: opening, 1: name = '', index } of text.matchAll(ASIDES)) {
    if (index < from || unclosed.has(name)) continue
    const closing = text.indexOf(`\\${name}*`, index + opening.length)
    if (closing < 0) unclosed.add(name)
    else {
      kept.push(text.slice(from, index))
      from = closing + name.length + 2
    }
  }
  return [...kept, text.slice(from)].join('')
}

/** Follows a marker; gives what comes after it and its own number. */
function enter(state: State, books: BookBuilder[], marker: RegExpMatchArray, after: string): string {
  const [, name = '', , closing = ''] = marker
  if (closing !== '') return after
  if (name === 'id') {
    const found = bookByUsfm(/^\s*(\w{3})/.exec(after)?.[1] ?? '')
    Object.assign(state, { book: found ? buildBook(found) : null, chapter: 0, verses: [], title: 'id' })
    if (state.book) books.push(state.book)
  } else if (name === 'c') {
    const [whole = '', chapter = '0'] = /^\s*(\d+)/.exec(after) ?? []
    Object.assign(state, { chapter: Number(chapter), verses: [], title: null })
    return after.slice(whole.length)
  } else if (name === 'v') {
    const [whole = '', first = '0', last] = /^\s*(\d+)\p{L}?(?:\s*[-\u2013,]\s*(\d+)\p{L}?)?/u.exec(after) ?? []
    const count = Math.min(200, Math.max(1, Number(last ?? first) - Number(first) + 1))
    state.verses = Array.from({ length: count }, (_, each) => Number(first) + each)
    state.title = null
    for (const verse of state.verses.slice(1)) state.book?.add(state.chapter, verse, '')
    return after.slice(whole.length)
  } else if (TEXT.has(name)) {
    state.title = null
    return ` ${after}`
  } else if (TITLES.has(name)) {
    state.title = name
  }
  // The one space after a marker belongs to the marker.
  return after.replace(/^\s/, '')
}

function take(state: State, text: string): void {
  const { book, title } = state
  if (!book) return
  // The running head is how the translation calls the book; a title gives it if there is none.
  if (title === 'h' && text.trim() !== '') book.name = text.trim()
  if (title !== null || state.chapter === 0) return
  const [verse] = state.verses
  if (verse !== undefined) book.add(state.chapter, verse, text.replaceAll('~', ' ').replaceAll('//', ' '))
}
