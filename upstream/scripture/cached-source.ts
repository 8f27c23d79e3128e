import { createCache } from '../http/cache.ts'
import type { UpstreamContext } from '../http/client.ts'
import type { SearchHit } from './schemas.ts'
import type { ScriptureSource, SourceBook, SourceTranslation, SourceVerse } from './source.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS

/** Keeps the answers of a service. getBible's rules of use ask that texts are refreshed after a week. */
export function cached(source: ScriptureSource, { metrics, now }: UpstreamContext, max: number): ScriptureSource {
  const kept = { name: 'scripture', missingTtlMs: 10 * 60_000, metrics, now }
  const lists = createCache<readonly SourceTranslation[]>({ ...kept, max: 1, ttlMs: DAY_MS, staleMs: 30 * DAY_MS })
  const books = createCache<readonly SourceBook[]>({ ...kept, max: 200, ttlMs: 7 * DAY_MS })
  const chapters = createCache<readonly SourceVerse[] | null>({ ...kept, max, ttlMs: 7 * DAY_MS })
  const found = createCache<readonly SearchHit[]>({ ...kept, max, ttlMs: HOUR_MS })
  return {
    host: source.host,
    translations: () => lists.get('all', () => source.translations()),
    books: (code) => books.get(code, () => source.books(code)),
    chapter: (code, book, chapter) =>
      chapters.get(`${code}/${book.id}/${chapter}`, () => source.chapter(code, book, chapter)),
    search: (code, text) => found.get(`${code}|${text}`, () => source.search(code, text)),
  }
}
