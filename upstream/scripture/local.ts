import { type SearchHit, type ScriptureSource, type SourceTranslation, MAX_HITS } from './source.ts'

/** What was imported, as the database gives it. */
export interface ScriptureStore {
  translations(): readonly SourceTranslation[]
  books(code: string): readonly { readonly number: number; readonly osis: string; readonly name: string }[]
  chapter(code: string, book: number, chapter: number): readonly { readonly verse: number; readonly text: string }[]
  search(code: string, text: string, limit: number): readonly SearchHit[]
}

/** Imported translations: no network, no waiting. */
export function createLocalSource(store: ScriptureStore): ScriptureSource {
  return {
    host: 'this service',
    translations: async () =>
      store
        .translations()
        .map(({ code, lang, language, name, description }) => ({ code, lang, language, name, description })),
    books: async (code) => store.books(code).map(({ number, osis, name }) => ({ id: String(number), osis, name })),
    async chapter(code, book, chapter) {
      const verses = store.chapter(code, Number(book.id), chapter)
      return verses.length === 0 ? null : verses.map(({ verse, text }) => ({ verse, text }))
    },
    search: async (code, text) => store.search(code, text, MAX_HITS),
  }
}
