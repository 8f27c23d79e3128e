import { startStandIn, type Reply, type StandIn } from './stand-in.ts'

export interface Bible extends StandIn {
  /** Answers the next request instead of the usual. */
  next: Reply | null
}

/** Books, chapters and verses of the stand-ins: the text of every verse says where it stands, some say more. */
const BOOKS: readonly (readonly [nr: number, usfm: string, name: string, chapters: readonly number[]])[] = [
  [1, 'GEN', 'Genesis', [31, 25, 24]],
  [19, 'PSA', 'Psalms', [6, 12, 8]],
  [22, 'SNG', 'Song of Solomon', [17, 17]],
  [43, 'JHN', 'John', [51, 25, 36, 54]],
  [44, 'ACT', 'Acts', [26, 47, 26, 37, 42, 15, 60, 40]],
  [57, 'PHM', 'Philemon', [25]],
  [62, '1JN', '1 John', [10, 29, 24]],
  [65, 'JUD', 'Jude', [25]],
  [67, 'TOB', 'Tobit', [22]],
]
const OWN_TEXT: ReadonlyMap<string, string> = new Map([
  ['43:3:16', '\u{FEFF}Truly  this is the sixteenth.\n '],
  ['43:3:17', "Don't say Señor, say sir. "],
])

const textOf = (nr: number, chapter: number, verse: number): string =>
  OWN_TEXT.get(`${nr}:${chapter}:${verse}`) ?? `Text ${nr}.${chapter}.${verse}. `

const translation = (abbreviation: string, lang: string, language: string, more: object = {}) => ({
  translation: `The ${abbreviation} Version`,
  abbreviation,
  description: `About ${abbreviation}`,
  lang,
  language,
  direction: 'LTR',
  encoding: 'UTF-8',
  distribution_license: 'Public Domain',
  distribution_about: 'Old.\\par Older.',
  ...more,
})

const LIST = Object.fromEntries(
  [
    translation('kjv', 'en', 'English', { distribution_license: 'GPL' }),
    translation('cuvs', 'zh-Hans', '', { description: '' }),
    translation('bought', 'en', 'English', {
      distribution_license: 'Copyrighted; Permission to distribute granted to X',
    }),
    translation('nd', 'en', 'English', { distribution_license: 'Creative Commons: BY-NC-ND 4.0' }),
    translation('by', 'en', 'English', { distribution_license: 'Creative Commons: BY-SA 4.0' }),
  ].map((each) => [each.abbreviation, each]),
)

/** A chapter of the stand-in's text. Acts 8:37 is left out, as some translations do. */
function versesOf(nr: number, chapter: number) {
  const count = BOOKS.find(([number]) => number === nr)?.[3][chapter - 1]
  if (count === undefined) return null
  const verses = Array.from({ length: count }, (_, at) => at + 1).filter(
    (verse) => !(nr === 44 && chapter === 8 && verse === 37),
  )
  return verses.map((verse) => ({ chapter, verse, name: `${chapter}:${verse}`, text: textOf(nr, chapter, verse) }))
}

const nameOf = (nr: number): string => BOOKS.find(([number]) => number === nr)?.[2] ?? ''
const problem = (status: number, code: string): Reply => ({
  status,
  json: { type: 'about:blank', title: code, status, code, detail: 'x', instance: '/v2' },
  headers: { 'content-type': 'application/problem+json' },
})

/** A stand-in for getBible: its files under `/v2`, its search under `/search/v2`. */
export async function startGetBible(): Promise<Bible> {
  const stand: { next: Reply | null } = { next: null }
  const service = await startStandIn(({ path, query }): Reply | undefined => {
    const { next } = stand
    stand.next = null
    if (next) return next
    if (path === '/v2/translations.json') return { json: LIST }
    const [, code = '', file = '', chapter] = /^\/v2\/(\w+)\/(\w+)(?:\/(\d+))?\.json$/.exec(path) ?? []
    if (file === 'books') {
      const books = BOOKS.map(([nr, , name]) => [String(nr), { nr, name, url: 'x', sha: 'y' }])
      return { json: Object.fromEntries(books) }
    }
    if (chapter !== undefined) {
      const nr = Number(file)
      const verses = versesOf(nr, Number(chapter))
      if (!verses) return { status: 404, text: '<html>Not found</html>' }
      return { json: { ...LIST[code], book_nr: nr, book_name: nameOf(nr), chapter: Number(chapter), verses } }
    }
    const searched = /^\/search\/v2\/(\w+)$/.exec(path)?.[1]
    return searched === undefined ? undefined : search(searched, query.get('q') ?? '')
  })
  return Object.assign(stand, service)
}

function search(code: string, q: string): Reply {
  // An unknown code is taken for a search, in another translation.
  if (!Object.hasOwn(LIST, code)) return { status: 301, headers: { location: `/search/v2/kjv?q=${code}` } }
  if (q === 'busy') return { ...problem(503, 'busy'), headers: { 'retry-after': '9' } }
  const reference = /^John (\d+):(\d+)$/.exec(q)
  if (reference && !versesOf(43, Number(reference[1]))) return problem(404, 'not_found')
  const verse = reference ? Number(reference[2]) : 16
  const isFound = reference !== null || 'truly sixteenth'.includes(q.toLowerCase())
  const key = `${code}_43_3`
  const results = isFound
    ? { [key]: { book_nr: 43, book_name: 'John', chapter: 3, verses: versesOf(43, 3)?.slice(14, 17) } }
    : {}
  const matches = isFound ? [{ reference: `John 3:${verse}`, book_nr: 43, chapter: 3, verse }] : []
  const kind = reference ? 'reference' : 'search'
  return { json: { query: { text: q, kind, engine_version: 4, total: matches.length }, results, matches } }
}

/** A stand-in for helloao: codes of its own, no search. */
export function startHelloAo(): Promise<StandIn> {
  return startStandIn(({ path }): Reply | undefined => {
    if (path === '/api/available_translations.json') {
      const one = { name: 'Berean', englishName: 'Berean Standard Bible', language: 'eng', textDirection: 'ltr' }
      return {
        json: {
          translations: [
            { ...one, id: 'BSB', languageEnglishName: 'English', licenseNotes: null },
            { ...one, id: 'eng_kjv', englishName: 'King James Version', licenseNotes: 'Old.' },
          ],
        },
      }
    }
    if (path === '/api/BSB/books.json') {
      return {
        json: {
          books: BOOKS.map(([order, id, name]) => ({
            id,
            name: `${name} (full)`,
            commonName: name,
            title: null,
            order,
          })),
        },
      }
    }
    const [, id, chapter] = /^\/api\/BSB\/(\w+)\/(\d+)\.simple\.json$/.exec(path) ?? []
    const nr = BOOKS.find(([, usfm]) => usfm === id)?.[0]
    const verses = nr === undefined ? null : versesOf(nr, Number(chapter))
    if (!verses) return undefined
    const content = [
      { type: 'heading', content: ['A heading'] },
      ...verses.map(({ verse, text }) => ({
        type: 'verse',
        number: verse,
        text: text.replace(' ', '\n'),
        footnotes: [],
      })),
      { type: 'line_break' },
    ]
    return { json: { chapter: { number: Number(chapter), content, footnotes: [] } } }
  })
}

const one = (short_name: string, full_name: string) => ({ short_name, full_name, updated: 1 })

/** A stand-in for bolls.life: text in HTML. */
export function startBolls(): Promise<StandIn> {
  return startStandIn(({ path, query }): Reply | undefined => {
    if (path === '/static/bolls/app/views/languages.json') {
      return {
        json: [
          { language: 'English English', translations: [one('YLT', 'Literal'), one('NKJV', 'Bought')] },
          { language: 'Hebrew עברית', translations: [one('WLC', 'Codex')] },
        ],
      }
    }
    if (path.startsWith('/get-books/'))
      return { json: BOOKS.map(([bookid, , name]) => ({ bookid, chronorder: bookid, name, chapters: 3 })) }
    const [, book, chapter] = /^\/get-text\/YLT\/(\d+)\/(\d+)\/$/.exec(path) ?? []
    if (book !== undefined) {
      const verses = versesOf(Number(book), Number(chapter)) ?? []
      return {
        json: verses.map(({ verse, text }) => ({
          pk: verse,
          verse,
          text: `<i>${text.trim()}</i><S>1063</S><br/>more`,
        })),
      }
    }
    if (path !== '/v2/find/YLT') return undefined
    if (query.get('match_whole') !== 'true') return { status: 500, text: 'The test wants words, not meanings.' }
    if ((query.get('search') ?? '').length <= 2) return { status: 400, json: [{ readme: 'longer' }] }
    const hit = { pk: 1, translation: 'YLT', book: 43, chapter: 3, verse: 16, text: '<mark>Truly</mark> so' }
    return { json: { results: [hit], exact_matches: 1, total: 1 } }
  })
}
