import type { SearchHit } from './schemas.ts'
import { type ScriptureSource, type SourceTranslation, MAX_HITS } from './source.ts'

/** What was imported, as the database gives it. */
export interface ScriptureStore {
  translations(): Promise<readonly SourceTranslation[]>
  books(code: string): Promise<readonly { readonly number: number; readonly osis: string; readonly name: string }[]>
  chapter(
    code: string,
    book: number,
    chapter: number,
  ): Promise<readonly { readonly verse: number; readonly text: string }[]>
  search(code: string, text: string, limit: number): Promise<readonly SearchHit[]>
}

/** Imported translations: no network, no waiting. */
export function createLocalSource(store: ScriptureStore): ScriptureSource {
  return {
    host: 'this service',
    async translations() {
      const all = await store.translations()
      return all.map(({ code, lang, language, name, description }) => ({ code, lang, language, name, description }))
    },
    async books(code) {
      const all = await store.books(code)
      return all.map(({ number, osis, name }) => ({ id: String(number), osis, name }))
    },
    async chapter(code, book, chapter) {
      const verses = await store.chapter(code, Number(book.id), chapter)
      return verses.length === 0 ? null : verses.map(({ verse, text }) => ({ verse, text }))
    },
    search: (code, text) => store.search(code, text, MAX_HITS),
  }
}
