import { z } from 'zod'
import { createCache } from '../http/cache.ts'
import { createUpstream, notFound, urlPath, type FailedAnswer, type UpstreamContext } from '../http/client.ts'
import { languageName } from '../translation/language-names.ts'
import { bookByNumber } from './books.ts'
import {
  cleanText,
  MAX_HITS,
  type ScriptureSource,
  type SourceBook,
  type SourceTranslation,
  type SourceVerse,
} from './source.ts'
import type { SearchHit } from './schemas.ts'

interface GetBibleOptions {
  readonly baseUrl: string
  readonly searchUrl: string
  /** Translations of any licence, or of free ones alone. */
  readonly licenses: 'free' | 'all'
  readonly timeoutMs: number
  readonly cacheMax: number
}

const Translations = z.record(
  z.string(),
  z.object({
    abbreviation: z.string().min(1),
    translation: z.string(),
    description: z.string().nullish(),
    lang: z.string(),
    language: z.string().nullish(),
    distribution_license: z.string().nullish(),
  }),
)
const Books = z.record(z.string(), z.object({ nr: z.int(), name: z.string() }))
const Verses = z.array(z.object({ verse: z.int(), text: z.string() }))
const Chapter = z.object({ verses: Verses })
const Found = z.object({
  results: z.record(z.string(), z.object({ book_name: z.string(), verses: Verses })),
  matches: z.array(z.object({ book_nr: z.int(), chapter: z.int(), verse: z.int() })),
})

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS

/** getBible, version 2: static files of every chapter, and a search service. */
export function createGetBible(context: UpstreamContext, options: GetBibleOptions): ScriptureSource {
  const { baseUrl, searchUrl, licenses, timeoutMs, cacheMax: max } = options
  const { metrics, now } = context
  const name = 'The scripture source'
  const files = createUpstream(context, { name, id: 'getbible', baseUrl, timeoutMs })
  const searches = createUpstream(context, { name, id: 'getbible-search', baseUrl: searchUrl, timeoutMs })
  const kept = { name: 'scripture', missingTtlMs: 10 * 60_000, metrics, now }
  const lists = createCache<readonly SourceTranslation[]>({ ...kept, max: 1, ttlMs: DAY_MS, staleMs: 30 * DAY_MS })
  // Its rules of use: cached texts are refreshed after a week.
  const books = createCache<readonly SourceBook[]>({ ...kept, max: 200, ttlMs: 7 * DAY_MS })
  const chapters = createCache<readonly SourceVerse[] | null>({ ...kept, max, ttlMs: 7 * DAY_MS })
  const found = createCache<readonly SearchHit[]>({ ...kept, max, ttlMs: HOUR_MS })

  return {
    host: files.host,
    translations: () =>
      lists.get('all', async () => {
        const all = Object.values(await files.get({ path: '/translations.json', shape: Translations }))
        return all.filter((each) => licenses === 'all' || isFree(each.distribution_license ?? '')).map(toTranslation)
      }),
    books: (code) =>
      books.get(code, async () => {
        const all = Object.values(await files.get({ path: urlPath`/${code}/books.json`, shape: Books }))
        return all
          .toSorted((a, b) => a.nr - b.nr)
          .map((book) => ({
            id: String(book.nr),
            osis: bookByNumber(book.nr, book.name)?.osis ?? null,
            name: cleanText(book.name),
          }))
      }),
    chapter: (code, book, chapter) =>
      chapters.get(`${code}/${book.id}/${chapter}`, async () => {
        const path = urlPath`/${code}/${book.id}/${chapter}.json`
        return (await files.find({ path, shape: Chapter, absent: notFound }))?.verses.map(toVerse) ?? null
      }),
    search: (code, text) =>
      found.get(`${code}|${text}`, async () => {
        const query = { q: text, words: 'all', sort: 'canonical', limit: MAX_HITS }
        const result = await searches.find({ path: urlPath`/${code}`, query, shape: Found, absent: isNoReference })
        return result ? toHits(code, result) : []
      }),
  }
}

function toTranslation(each: z.output<typeof Translations>[string]): SourceTranslation {
  const name = cleanText(each.translation) || each.abbreviation
  return {
    code: each.abbreviation,
    lang: each.lang,
    language: each.language || languageName(each.lang),
    name,
    description: cleanText(each.description ?? '') || name,
  }
}

/** Public domain, GPL and Creative Commons without further conditions. */
function isFree(license: string): boolean {
  if (/^(?:public domain|gpl)/i.test(license)) return true
  return /creative commons|^cc[ -]/i.test(license) && !/\bn[cd]\b|non-?commercial|no-?deriv/i.test(license)
}

function toVerse({ verse, text }: { verse: number; text: string }): SourceVerse {
  return { verse, text: cleanText(text) }
}

function toHits(code: string, { results, matches }: z.output<typeof Found>): SearchHit[] {
  return matches.flatMap(({ book_nr: nr, chapter, verse }) => {
    const key = `${code}_${nr}_${chapter}`
    const inChapter = Object.hasOwn(results, key) ? results[key] : undefined
    const text = inChapter?.verses.find((each) => each.verse === verse)?.text
    if (!inChapter || text === undefined) return []
    return [{ book: cleanText(inChapter.book_name), chapter, verse, text: cleanText(text) }]
  })
}

const Problem = z.object({ code: z.string() })
/** A search that is a reference, and of nothing. */
const NO_REFERENCE = new Set(['not_found', 'invalid_reference', 'missing_reference'])

function isNoReference({ status, body }: FailedAnswer): boolean {
  const code = Problem.safeParse(body).data?.code
  return (status === 400 || status === 404) && code !== undefined && NO_REFERENCE.has(code)
}
