import { setTimeout as sleep } from 'node:timers/promises'
import sql, { join, raw } from 'sql-template-tag'
import type { Store } from './engine/store.ts'

interface ScriptureTranslation {
  readonly code: string
  /** BCP 47: `en`, `zh-Hans`. */
  readonly lang: string
  /** In English. */
  readonly language: string
  readonly name: string
  readonly description: string
  readonly license: string
}

interface ScriptureBook {
  /** Position in the translation, from 1. */
  readonly number: number
  /** OSIS code: `1John`. */
  readonly osis: string
  readonly name: string
}

interface ScriptureVerse {
  readonly chapter: number
  readonly verse: number
  readonly text: string
}

interface ScriptureHit extends ScriptureVerse {
  readonly book: string
}

export interface ScriptureImport extends ScriptureTranslation {
  readonly books: readonly (Omit<ScriptureBook, 'number'> & { readonly verses: readonly ScriptureVerse[] })[]
}

/** Follows an import, and cancels it: what was written is removed by the next one. */
interface ImportWatch {
  readonly onVerses?: (written: number) => void
  readonly signal?: AbortSignal
}

export type ScriptureRecords = ReturnType<typeof createScriptureRecords>

/** Few enough that the service's own writes never wait long for their turn. */
const VERSES_A_STEP = 200
const PAUSE_MS = 2
/** A search of more words would tell nothing more. */
const WORDS_MAX = 32

const TRANSLATION = raw('code, lang, language, name, description, license')

interface Found {
  readonly id: number
  readonly first: number
  readonly last: number
}

export function createScriptureRecords(store: Store) {
  const writer = createWriter(store)

  return {
    translations: () =>
      store.all<ScriptureTranslation>(
        sql`SELECT ${TRANSLATION} FROM scripture_translation WHERE is_complete = 1 ORDER BY code`,
      ),
    async books(code: string) {
      const found = await findComplete(store, code)
      if (!found) return []
      return store.all<ScriptureBook>(
        sql`SELECT number, osis, name FROM scripture_book WHERE translation_id = ${found.id} ORDER BY number`,
      )
    },
    /** Verses in order; empty for an unknown chapter. */
    async chapter(code: string, book: number, number: number) {
      const found = await findComplete(store, code)
      if (!found) return []
      return store.all<ScriptureVerse>(sql`
        SELECT chapter, verse, text FROM scripture_verse
         WHERE translation_id = ${found.id} AND book = ${book} AND chapter = ${number} ORDER BY verse`)
    },
    /** Verses with every word of the text, in their order. Case, accents, points and apostrophes do not matter. */
    async search(code: string, text: string, limit: number) {
      const words = foldWords(text).split(' ').filter(Boolean).slice(0, WORDS_MAX)
      const found = words.length === 0 ? undefined : await findComplete(store, code)
      if (!found) return []
      return store.all<ScriptureHit>(sql`
        SELECT b.name AS book, v.chapter, v.verse, v.text
        FROM scripture_words AS w
        JOIN scripture_verse AS v ON v.id = w.rowid
        JOIN scripture_book AS b ON b.translation_id = v.translation_id AND b.number = v.book
        WHERE w.text MATCH ${words.map((word) => `"${word}"`).join(' ')}
          AND w.rowid BETWEEN ${found.first} AND ${found.last} AND v.translation_id = ${found.id}
        ORDER BY w.rowid LIMIT ${limit}`)
    },
    /**
     * Writes a translation in small steps, in place of one with the same code, which is served until the last of them.
     * @returns the number of its verses.
     */
    async put(translation: ScriptureImport, watch: ImportWatch = {}) {
      // Remains of an import that was broken off.
      for (const id of await writer.incomplete(translation.code)) await erase(store, id)
      const { id, count } = await writer.write(translation, watch)
      const old = await writer.complete(id, translation.code)
      if (old !== null) await erase(store, old)
      return count
    },
    /** False when there was none. */
    async remove(code: string) {
      const found = await findComplete(store, code)
      if (!found) return false
      await writer.hide(found.id)
      await erase(store, found.id)
      return true
    },
  }
}

function findComplete(store: Store, code: string): Promise<Found | undefined> {
  return store.find<Found>(sql`
    SELECT id, first_verse AS first, last_verse AS last FROM scripture_translation
     WHERE code = ${code} AND is_complete = 1`)
}

function createWriter(store: Store) {
  const idsOf = async (code: string, isComplete: 0 | 1): Promise<readonly number[]> => {
    const rows = await store.all<Pick<Found, 'id'>>(
      sql`SELECT id FROM scripture_translation WHERE code = ${code} AND is_complete = ${isComplete}`,
    )
    return rows.map(({ id }) => id)
  }
  const hide = (id: number) => store.run(sql`UPDATE scripture_translation SET is_complete = 0 WHERE id = ${id}`)

  async function insert({ code, lang, language, name, description, license }: Omit<ScriptureImport, 'books'>) {
    const facts = [code, lang, language, name, description, license, new Date().toISOString()]
    const row = await store.find<Pick<Found, 'id'>>(
      sql`INSERT INTO scripture_translation (${TRANSLATION}, imported_at) VALUES (${join(facts)}) RETURNING id`,
    )
    return row?.id ?? 0
  }

  async function insertVerse(id: number, book: number, { chapter, verse, text }: ScriptureVerse): Promise<void> {
    const row = await store.find<Pick<Found, 'id'>>(sql`
      INSERT INTO scripture_verse (translation_id, book, chapter, verse, text)
      VALUES (${id}, ${book}, ${chapter}, ${verse}, ${text}) RETURNING id`)
    await store.run(sql`INSERT INTO scripture_words (rowid, text) VALUES (${row?.id}, ${foldWords(text)})`)
  }

  return {
    incomplete: (code: string) => idsOf(code, 0),
    hide,
    async write({ books, ...facts }: ScriptureImport, { onVerses, signal }: ImportWatch) {
      const id = await insert(facts)
      let count = 0
      for (const [at, { osis, name, verses }] of books.entries()) {
        await store.run(sql`
          INSERT INTO scripture_book (translation_id, number, osis, name) VALUES (${id}, ${at + 1}, ${osis}, ${name})`)
        for (let from = 0; from < verses.length; from += VERSES_A_STEP) {
          await store.atomically(async () => {
            for (const one of verses.slice(from, from + VERSES_A_STEP)) await insertVerse(id, at + 1, one)
          })
          signal?.throwIfAborted()
          onVerses?.(count + Math.min(from + VERSES_A_STEP, verses.length))
          await sleep(PAUSE_MS)
        }
        count += verses.length
      }
      return { id, count }
    },
    /** Shows what was written instead of what there was; gives the id of that. */
    complete: (id: number, code: string): Promise<number | null> =>
      store.atomically(async () => {
        const [old = null] = await idsOf(code, 1)
        if (old !== null) await hide(old)
        const verses = sql`FROM scripture_verse WHERE translation_id = ${id}`
        await store.run(sql`
          UPDATE scripture_translation
             SET is_complete = 1, first_verse = (SELECT coalesce(min(id), 0) ${verses}),
                 last_verse = (SELECT coalesce(max(id), -1) ${verses})
           WHERE id = ${id}`)
        return old
      }),
  }
}

/** Removes a translation that is no longer listed, a few verses at a time. */
async function erase(store: Store, id: number): Promise<void> {
  const some = sql`SELECT id FROM scripture_verse WHERE translation_id = ${id} LIMIT ${VERSES_A_STEP}`
  while ((await store.run(sql`DELETE FROM scripture_verse WHERE id IN (${some})`)) > 0) await sleep(PAUSE_MS)
  await store.run(sql`DELETE FROM scripture_translation WHERE id = ${id}`)
}

/** Scripts without spaces between words: each character is a token. */
const SPACELESS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu

/** The words of a text as they are indexed and looked for: no case, no accents or points, no apostrophes. */
function foldWords(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’‘ʼ]/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .replaceAll(SPACELESS, ' $& ')
    .replaceAll(/ +/g, ' ')
    .trim()
}
