import { z } from 'zod'
import type { CachedService } from '../http/cache.ts'
import { createUpstream, notFound, urlPath, type FailedAnswer, type UpstreamContext } from '../http/client.ts'
import { languageName } from '../translation/language-names.ts'
import { bookByNumber } from './books.ts'
import { cached } from './cached-source.ts'
import { cleanText, MAX_HITS, type ScriptureSource, type SourceTranslation, type SourceVerse } from './source.ts'
import type { SearchHit } from './schemas.ts'

interface GetBibleOptions extends CachedService {
  readonly searchUrl: string
  /** Translations of any licence, or of free ones alone. */
  readonly licenses: 'free' | 'all'
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

/** getBible, version 2: static files of every chapter, and a search service. */
export function createGetBible(context: UpstreamContext, options: GetBibleOptions): ScriptureSource {
  const { baseUrl, searchUrl, licenses, timeoutMs, cacheMax } = options
  const name = 'The scripture source'
  const files = createUpstream(context, { name, id: 'getbible', baseUrl, timeoutMs })
  const searches = createUpstream(context, { name, id: 'getbible-search', baseUrl: searchUrl, timeoutMs })

  const asked: ScriptureSource = {
    host: files.host,
    async translations() {
      const all = Object.values(await files.get({ path: '/translations.json', shape: Translations }))
      return all.filter((each) => licenses === 'all' || isFree(each.distribution_license ?? '')).map(toTranslation)
    },
    async books(code) {
      const all = Object.values(await files.get({ path: urlPath`/${code}/books.json`, shape: Books }))
      return all
        .toSorted((a, b) => a.nr - b.nr)
        .map((book) => ({
          id: String(book.nr),
          osis: bookByNumber(book.nr, book.name)?.osis ?? null,
          name: cleanText(book.name),
        }))
    },
    async chapter(code, book, chapter) {
      const path = urlPath`/${code}/${book.id}/${chapter}.json`
      return (await files.find({ path, shape: Chapter, absent: notFound }))?.verses.map(toVerse) ?? null
    },
    async search(code, text) {
      const query = { q: text, words: 'all', sort: 'canonical', limit: MAX_HITS }
      const result = await searches.find({ path: urlPath`/${code}`, query, shape: Found, absent: isNoReference })
      return result ? toHits(code, result) : []
    },
  }
  return cached(asked, context, cacheMax)
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
