import { z } from 'zod'
import { Fault } from '../../lib/errors.ts'
import type { CachedService } from '../http/cache.ts'
import { createUpstream, notFound, urlPath, type UpstreamContext } from '../http/client.ts'
import { languageName } from '../translation/language-names.ts'
import { bookByUsfm } from './books.ts'
import { cached } from './cached-source.ts'
import { cleanText, type ScriptureSource, type SourceVerse } from './source.ts'

const Translations = z.object({
  translations: z.array(
    z.object({
      id: z.string().min(1),
      name: z.string(),
      englishName: z.string().nullish(),
      language: z.string(),
      languageEnglishName: z.string().nullish(),
      licenseNotes: z.string().nullish(),
    }),
  ),
})
const Books = z.object({
  books: z.array(z.object({ id: z.string(), name: z.string(), commonName: z.string().nullish(), order: z.number() })),
})
const Chapter = z.object({
  chapter: z.object({
    content: z.array(z.looseObject({ type: z.string(), number: z.int().optional(), text: z.string().optional() })),
  }),
})

/** The Free Use Bible API: many translations, no search. */
export function createHelloAo(
  context: UpstreamContext,
  { baseUrl, timeoutMs, cacheMax }: CachedService,
): ScriptureSource {
  const maxBytes = 8 * 1024 * 1024
  const service = createUpstream(context, { name: 'The scripture source', id: 'helloao', baseUrl, timeoutMs, maxBytes })

  const asked: ScriptureSource = {
    host: service.host,
    async translations() {
      const { translations } = await service.get({ path: '/api/available_translations.json', shape: Translations })
      return translations.map((each) => {
        const name = each.englishName || each.name
        const language = each.languageEnglishName || languageName(each.language)
        return { code: each.id, lang: each.language, language, name, description: each.licenseNotes || name }
      })
    },
    async books(code) {
      const all = (await service.get({ path: urlPath`/api/${code}/books.json`, shape: Books })).books
      return all
        .toSorted((a, b) => a.order - b.order)
        .map((book) => ({
          id: book.id,
          osis: bookByUsfm(book.id)?.osis ?? null,
          name: cleanText(book.commonName || book.name),
        }))
    },
    async chapter(code, book, chapter) {
      const path = urlPath`/api/${code}/${book.id}/${chapter}.simple.json`
      const found = await service.find({ path, shape: Chapter, absent: notFound })
      return found?.chapter.content.flatMap(toVerse) ?? null
    },
    async search() {
      throw new Fault(
        'service_unavailable',
        'This scripture source has no search. The operator can import a translation for search: `npm run admin -- ' +
          'scripture import`.',
      )
    },
  }
  return cached(asked, context, cacheMax)
}

function toVerse(part: { type: string; number?: number | undefined; text?: string | undefined }): SourceVerse[] {
  const isVerse = part.type === 'verse' && part.number !== undefined && part.text !== undefined
  return isVerse ? [{ verse: part.number ?? 0, text: cleanText(part.text ?? '') }] : []
}
