import { createLru } from '../../lib/sharing/lru.ts'
import { Fault, unprocessable } from '../../lib/errors.ts'
import type { UpstreamContext } from '../http/client.ts'
import { UpstreamFailure, failingAs, within } from '../http/failure.ts'
import type { LocalWorker } from '../local/worker-handle.ts'
import type { LookupSettings } from '../http/settings.ts'
import { createBolls } from './bolls.ts'
import { foldName } from './books.ts'
import { createGetBible } from './getbible.ts'
import { createHelloAo } from './helloao.ts'
import { createLocalSource, type ScriptureStore } from './local.ts'
import { readPassage } from './passages.ts'
import { bad, readReferences, type Reference } from './references.ts'
import type { SearchHit, TranslationItem, VerseResult } from './schemas.ts'
import type { ScriptureSource, SourceBook, SourceTranslation } from './source.ts'

/**
 * Scripture by reference and by search. A translation is named by its code, or by its language and its code:
 * `kjv`, `en_kjv`. All throw `not_found`, `validation_error` and `service_unavailable`.
 */
export type Scripture = ReturnType<typeof createScripture>

interface Located {
  readonly source: ScriptureSource
  readonly code: string
  /** ISO 639-1 where it has such a code. */
  readonly language: string
}

export function createScripture(
  context: UpstreamContext,
  settings: LookupSettings,
  { store, worker }: { store: ScriptureStore; worker: LocalWorker },
) {
  const local = createLocalSource(store)
  const remote = createRemote(context, settings)
  const bookOf = createBookFinder(worker)
  const inTime = <T>(work: () => Promise<T>): Promise<T> =>
    failingAs('service_unavailable', () =>
      within(2 * settings.timeoutMs, { name: 'The scripture source', host: remote?.host ?? local.host }, work()),
    )

  /** What was imported comes first, and needs no outside service. */
  const locate = async (text: string): Promise<Located> => {
    for (const source of remote ? [local, remote] : [local]) {
      const all = await source.translations()
      const code = findTranslation(text, all)
      const lang = all.find((each) => each.code === code)?.lang ?? 'und'
      if (code !== null) return { source, code, language: primary(lang) }
    }
    throw new Fault('not_found', `Unknown translation ${text}. GET /v1/bible/translations lists all.`)
  }

  return {
    translations: (): Promise<readonly TranslationItem[]> =>
      inTime(async () => {
        const own = await local.translations()
        const others = (await remote?.translations().catch(onlyOwn(own))) ?? []
        const known = new Set(own.map(({ code }) => code.toLowerCase()))
        const all = [...own, ...others.filter(({ code }) => !known.has(code.toLowerCase()))]
        return all.map(({ code, language, name, description }) => ({ code, language, name, description }))
      }),
    search: (translation: string, text: string): Promise<readonly SearchHit[]> =>
      inTime(async () => {
        if (text.trim() === '') throw unprocessable('empty_text', 'Must contain a word to search for.')
        const { source, code } = await locate(translation)
        return source.search(code, text.normalize('NFC').trim())
      }),
    /**
     * `refs` as they are written in a query, with commas or semicolons between them; one answer each, in order. Books are
     * named as the translation, English or `language` (BCP 47) names them.
     */
    verses: (translation: string, refs: string, reader?: string): Promise<readonly VerseResult[]> =>
      inTime(async () => {
        const own = reader === undefined ? null : primary(reader)
        const { source, code, language } = await locate(translation)
        const references = readReferences(refs, own ?? language)
        const books = await source.books(code)
        const found = await bookOf(references, books, own === null ? [language] : [language, own])
        const passages = references.map((reference, at) => ({ reference, book: found[at] ?? null }))
        return readPassage({ source, code }, passages)
      }),
  }
}

function createRemote(context: UpstreamContext, settings: LookupSettings): ScriptureSource | null {
  const { scripture, timeoutMs, cacheMaxEntries } = settings
  // Chapters are large: fewer of them are kept than of other answers.
  const bounds = { timeoutMs, cacheMax: Math.max(1, Math.ceil(cacheMaxEntries / 5)) }
  const { licenses } = scripture
  switch (scripture.provider) {
    case 'local':
      return null
    case 'getbible':
      return createGetBible(context, { ...scripture.getBible, licenses, ...bounds })
    case 'helloao':
      return createHelloAo(context, { ...scripture.helloAo, ...bounds })
    case 'bolls':
      return createBolls(context, { ...scripture.bolls, licenses, ...bounds })
  }
}

/** Imported translations are listed even when the outside services fail; without any, the failure is the answer. */
function onlyOwn(own: readonly SourceTranslation[]) {
  return (error: unknown): readonly SourceTranslation[] => {
    if (own.length > 0 && error instanceof UpstreamFailure) return []
    throw error
  }
}

/** The code of a translation that is named by it, or by its language and it. Null when there is none. */
function findTranslation(text: string, all: readonly SourceTranslation[]): string | null {
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(text)) return null
  const wanted = text.toLowerCase()
  const exact = all.find(({ code }) => code.toLowerCase() === wanted)
  if (exact) return exact.code
  const cut = wanted.indexOf('_')
  if (cut < 1) return null
  const [language, code] = [wanted.slice(0, cut), wanted.slice(cut + 1)]
  return all.find((each) => each.code.toLowerCase() === code && speaks(each.lang, language))?.code ?? null
}

/** `zh-Hans` is asked for as itself, as `zh` and as `zho`. */
function speaks(lang: string, wanted: string): boolean {
  return lang.toLowerCase() === wanted || (primary(lang) === primary(wanted) && !wanted.includes('-'))
}

function primary(tag: string): string {
  try {
    return new Intl.Locale(tag).language
  } catch {
    return tag.toLowerCase()
  }
}

const keyOf = (languages: readonly string[], name: string): string => `${languages.join(',')}|${name}`

/**
 * Finds books by the translation's own names, or else by names and abbreviations in these languages and English, which
 * the worker knows. Null: the translation does not have this book. @throws {Fault} for what is no book at all.
 */
function createBookFinder(worker: LocalWorker) {
  const known = createLru<string, { readonly osis: string | null }>(2000)
  const learn = async (names: readonly string[], languages: readonly string[]): Promise<void> => {
    const unknown = [...new Set(names)].filter((name) => !known.has(keyOf(languages, name)))
    if (unknown.length === 0) return
    const codes = await worker.ask({ task: 'books', names: unknown, languages })
    for (const [at, name] of unknown.entries()) known.set(keyOf(languages, name), { osis: codes[at] ?? null })
  }
  return async (references: readonly Reference[], books: readonly SourceBook[], languages: readonly string[]) => {
    const byName = new Map(books.map((book) => [foldName(book.name), book]))
    const byOsis = new Map(books.flatMap((book) => (book.osis === null ? [] : [[book.osis, book] as const])))
    const foreign = references.filter(({ book }) => !byName.has(foldName(book)))
    await learn(
      foreign.map(({ book }) => book),
      languages,
    )
    return references.map(({ book: name, written }) => {
      const own = byName.get(foldName(name))
      if (own) return own
      const osis = known.get(keyOf(languages, name))?.osis ?? null
      if (osis === null) throw bad(`${written} doesn't name a known book.`)
      return byOsis.get(osis) ?? null
    })
  }
}
