import { z } from 'zod'
import type { CachedService } from '../http/cache.ts'
import { createUpstream, notFound, urlPath, type FailedAnswer, type UpstreamContext } from '../http/client.ts'
import { bookByNumber } from './books.ts'
import { cached } from './cached-source.ts'
import { cleanText, MAX_HITS, type ScriptureSource, type SourceTranslation } from './source.ts'

const Languages = z.array(
  z.object({
    language: z.string(),
    translations: z.array(z.object({ short_name: z.string().min(1), full_name: z.string() })),
  }),
)
const Books = z.array(z.object({ bookid: z.int(), name: z.string() }))
const Verses = z.array(z.object({ verse: z.int(), text: z.string() }))
const Found = z.object({
  results: z.array(z.object({ book: z.int(), chapter: z.int(), verse: z.int(), text: z.string() })),
})

/** Those of its translations whose text is in the public domain; it has many that are not. */
const FREE = new Set('KJV YLT ASV WEB BSB DRB GNV LSV WLC TR LXX VULG SYNOD LUT ELB RV1909 CUV SVV'.split(' '))

/** bolls.life: one small server with search. */
export function createBolls(
  context: UpstreamContext,
  { baseUrl, licenses, timeoutMs, cacheMax }: CachedService & { readonly licenses: 'free' | 'all' },
): ScriptureSource {
  const service = createUpstream(context, { name: 'The scripture source', id: 'bolls', baseUrl, timeoutMs })

  const asked: ScriptureSource = {
    host: service.host,
    async books(code) {
      const all = await service.get({ path: urlPath`/get-books/${code}/`, shape: Books })
      return all.map(({ bookid, name }) => ({
        id: String(bookid),
        osis: bookByNumber(bookid, name)?.osis ?? null,
        name: cleanText(name),
      }))
    },
    async translations() {
      const groups = await service.get({ path: '/static/bolls/app/views/languages.json', shape: Languages })
      return groups.flatMap((group) =>
        group.translations
          .filter(({ short_name: code }) => licenses === 'all' || FREE.has(code))
          .map((each) => toTranslation(group.language, each)),
      )
    },
    async chapter(code, book, chapter) {
      const path = urlPath`/get-text/${code}/${book.id}/${chapter}/`
      const verses = await service.find({ path, shape: Verses, absent: notFound })
      // A chapter that does not exist is an empty list there.
      return verses && verses.length > 0 ? verses.map(({ verse, text }) => ({ verse, text: cleanText(text) })) : null
    },
    async search(code, text) {
      const names = new Map((await known.books(code)).map(({ id, name }) => [id, name]))
      // It searches by meaning by default, which finds verses without the words.
      const query = { search: text, match_case: 'false', match_whole: 'true', page: 1, limit: MAX_HITS }
      const result = await service.find({ path: urlPath`/v2/find/${code}`, query, shape: Found, absent: isTooShort })
      return (result?.results ?? []).map(({ book, chapter, verse, text: html }) => ({
        book: names.get(String(book)) ?? String(book),
        chapter,
        verse,
        text: cleanText(html),
      }))
    },
  }
  const known = cached(asked, context, cacheMax)
  return known
}

/** Its languages are written `English English`, `Hebrew עברית`: in English and in their own words. */
function toTranslation(group: string, each: { short_name: string; full_name: string }): SourceTranslation {
  const language = group.split(' ')[0] || group
  return { code: each.short_name, lang: codeOf(language), language, name: each.full_name, description: each.full_name }
}

const CODES = 'en de fr es pt it nl ru uk pl zh ja ko he el la ar hi ro hu tr vi cs sv no da fi'.split(' ')
const LANGUAGE_CODES = new Map(
  CODES.map(
    (code) => [new Intl.DisplayNames('en', { type: 'language' }).of(code)?.toLowerCase() ?? code, code] as const,
  ),
)

function codeOf(language: string): string {
  return LANGUAGE_CODES.get(language.toLowerCase()) ?? 'und'
}

/** A search of one or two letters is refused with a list of advice. */
const isTooShort = ({ status, body }: FailedAnswer): boolean => status === 400 && Array.isArray(body)
