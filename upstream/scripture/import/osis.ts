import { SaxesParser, type SaxesAttributePlain } from 'saxes'
import { bookByOsis } from '../books.ts'
import { buildBook, unreadable, type BookBuilder, type ParsedScripture } from './parsed.ts'

/** Elements inside a text that are no part of it. */
const ASIDES = new Set(['note', 'title', 'rdg', 'figure', 'milestone', 'header', 'speaker', 'catchWord', 'index'])
/** Elements at which words must not run together. */
const BREAKS = new Set(['l', 'lg', 'lb', 'p', 'div', 'item', 'cell', 'row', 'q'])

interface State {
  readonly books: Map<string, BookBuilder>
  /** The verses under way: where text goes. */
  current: { book: BookBuilder; chapter: number; verse: number } | null
  /** Depth in elements that are no text. */
  aside: number
  /** The element of the header whose text comes. */
  field: 'title' | 'rights' | null
  lang: string | undefined
  work: string | undefined
  title: string
  rights: string
}

type Attributes = Readonly<Record<string, string>>

/** A translation in OSIS XML, its verses as containers or between milestones. */
export function parseOsis(xml: string): ParsedScripture {
  const state: State = {
    books: new Map(),
    current: null,
    aside: 0,
    field: null,
    lang: undefined,
    work: undefined,
    title: '',
    rights: '',
  }
  const parser = new SaxesParser({ xmlns: false })
  parser.on('error', (error) => {
    throw unreadable(`This isn't valid XML: ${error.message}`, error)
  })
  parser.on('opentag', ({ name, attributes }) =>
    open(state, localName(name), attributes as Record<string, SaxesAttributePlain['value']>),
  )
  parser.on('closetag', ({ name, attributes }) => close(state, localName(name), attributes as Attributes))
  parser.on('text', (text) => take(state, text))
  parser.on('cdata', (text) => take(state, text))
  parser.write(xml).close()
  return {
    code: state.work,
    lang: state.lang,
    name: state.title.trim() || undefined,
    license: state.rights.trim() || undefined,
    books: [...state.books.values()].map((book) => book.build()).filter(({ verses }) => verses.length > 0),
  }
}

function open(state: State, name: string, attributes: Attributes): void {
  if (name === 'osisText') {
    state.lang = attributes['xml:lang']
    state.work = attributes['osisIDWork']
  }
  // The first work of the header is the text itself; those after it are what it refers to.
  if (state.aside > 0 && name === 'title' && state.title === '') state.field = 'title'
  if (state.aside > 0 && name === 'rights' && state.rights === '') state.field = 'rights'
  if (ASIDES.has(name)) state.aside += 1
  if (BREAKS.has(name)) take(state, ' ')
  if (name !== 'verse' || state.aside > 0) return
  if (attributes['eID'] !== undefined) state.current = null
  else begin(state, attributes['osisID'] ?? attributes['sID'] ?? '')
}

function close(state: State, name: string, attributes: Attributes): void {
  if (name === 'title' || name === 'rights') state.field = null
  if (ASIDES.has(name)) state.aside -= 1
  if (BREAKS.has(name)) take(state, ' ')
  // A milestone is closed as soon as it is opened, and its verse continues.
  const isMilestone = attributes['sID'] !== undefined || attributes['eID'] !== undefined
  if (name === 'verse' && !isMilestone && state.aside === 0) state.current = null
}

/** `John.3.16`, or several with spaces between them where they were translated as one. */
function begin(state: State, osisId: string): void {
  const [first, ...others] = osisId.split(/\s+/).flatMap((each) => readId(state, each) ?? [])
  state.current = first ?? null
  if (first) first.book.add(first.chapter, first.verse, '')
  for (const { book, chapter, verse } of others) book.add(chapter, verse, '')
}

function readId(state: State, id: string): State['current'] {
  const [, code = '', chapter = '', verse = ''] = /^(?:[^:]+:)?(\w+)\.(\d+)\.(\d+)/.exec(id) ?? []
  const found = bookByOsis(code)
  if (!found) return null
  const book = state.books.get(found.osis) ?? buildBook(found)
  state.books.set(found.osis, book)
  return { book, chapter: Number(chapter), verse: Number(verse) }
}

function take(state: State, text: string): void {
  if (state.field !== null) state[state.field] += text
  if (state.aside > 0 || !state.current) return
  const { book, chapter, verse } = state.current
  book.add(chapter, verse, text)
}

function localName(name: string): string {
  return name.split(':').at(-1) ?? name
}
