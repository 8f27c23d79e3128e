import { setTimeout as sleep } from 'node:timers/promises'
import { atomically, type Database } from './engine/open.ts'

export interface ScriptureTranslation {
  readonly code: string
  /** BCP 47: `en`, `zh-Hans`. */
  readonly lang: string
  /** In English. */
  readonly language: string
  readonly name: string
  readonly description: string
  readonly license: string
}

export interface ScriptureBook {
  /** Its place in the translation, from 1. */
  readonly number: number
  /** OSIS code: `1John`. */
  readonly osis: string
  readonly name: string
}

export interface ScriptureVerse {
  readonly chapter: number
  readonly verse: number
  readonly text: string
}

export interface ScriptureHit extends ScriptureVerse {
  readonly book: string
}

export interface ScriptureImport extends ScriptureTranslation {
  readonly books: readonly (Omit<ScriptureBook, 'number'> & { readonly verses: readonly ScriptureVerse[] })[]
}

/** Follows an import, and cancels it: what was written is removed by the next one. */
export interface ImportWatch {
  readonly onVerses?: (written: number) => void
  readonly signal?: AbortSignal
}

export interface ScriptureRecords {
  translations(): readonly ScriptureTranslation[]
  books(code: string): readonly ScriptureBook[]
  /** In order; empty for an unknown chapter. */
  chapter(code: string, book: number, chapter: number): readonly ScriptureVerse[]
  /** Verses with every word of the text, in their order. Case, accents, points and apostrophes do not matter. */
  search(code: string, text: string, limit: number): readonly ScriptureHit[]
  /**
   * Writes a translation in small steps, in place of one with the same code, which is served until the last of them.
   * @returns the number of its verses.
   */
  put(translation: ScriptureImport, watch?: ImportWatch): Promise<number>
  /** False when there was none. */
  remove(code: string): Promise<boolean>
}

/** Few enough that the service's own writes never wait long for their turn. */
const VERSES_A_STEP = 200
const PAUSE_MS = 2
/** A search of more words would tell nothing more. */
const WORDS_MAX = 32

const TRANSLATION = 'code, lang, language, name, description, license'
const SEARCH = `
  SELECT b.name AS book, v.chapter, v.verse, v.text
  FROM scripture_words AS w
  JOIN scripture_verse AS v ON v.id = w.rowid
  JOIN scripture_book AS b ON b.translation_id = v.translation_id AND b.number = v.book
  WHERE w.text MATCH :words AND w.rowid BETWEEN :first AND :last AND v.translation_id = :id
  ORDER BY w.rowid LIMIT :limit`

interface Found {
  readonly id: number
  readonly first: number
  readonly last: number
}

export function createScriptureRecords(db: Database): ScriptureRecords {
  const all = db.prepare<[], ScriptureTranslation>(
    `SELECT ${TRANSLATION} FROM scripture_translation WHERE is_complete = 1 ORDER BY code`,
  )
  const byCode = db.prepare<[string], Found>(
    'SELECT id, first_verse AS first, last_verse AS last FROM scripture_translation WHERE code = ? AND is_complete = 1',
  )
  const books = db.prepare<[number], ScriptureBook>(
    'SELECT number, osis, name FROM scripture_book WHERE translation_id = ? ORDER BY number',
  )
  const chapter = db.prepare<[number, number, number], ScriptureVerse>(
    'SELECT chapter, verse, text FROM scripture_verse WHERE translation_id = ? AND book = ? AND chapter = ? ORDER BY verse',
  )
  const matching = db.prepare<[object], ScriptureHit>(SEARCH)
  const writer = createWriter(db)
  const erase = createEraser(db)

  return {
    translations: () => all.all(),
    books(code) {
      const found = byCode.get(code)
      return found ? books.all(found.id) : []
    },
    chapter(code, book, number) {
      const found = byCode.get(code)
      return found ? chapter.all(found.id, book, number) : []
    },
    search(code, text, limit) {
      const found = byCode.get(code)
      const words = foldWords(text).split(' ').filter(Boolean).slice(0, WORDS_MAX)
      if (!found || words.length === 0) return []
      return matching.all({ ...found, limit, words: words.map((word) => `"${word}"`).join(' ') })
    },
    async put(translation, watch = {}) {
      // What an import left behind that was broken off.
      for (const id of writer.incomplete(translation.code)) await erase(id)
      const { id, count } = await writer.write(translation, watch)
      const old = writer.complete(id, translation.code)
      if (old !== null) await erase(old)
      return count
    },
    async remove(code) {
      const found = byCode.get(code)
      if (!found) return false
      writer.hide(found.id)
      await erase(found.id)
      return true
    },
  }
}

function createWriter(db: Database) {
  const insert = db.prepare(
    `INSERT INTO scripture_translation (${TRANSLATION}, imported_at)
     VALUES (:code, :lang, :language, :name, :description, :license, :importedAt)`,
  )
  const insertBook = db.prepare('INSERT INTO scripture_book (translation_id, number, osis, name) VALUES (?, ?, ?, ?)')
  const insertVerse = db.prepare(
    'INSERT INTO scripture_verse (translation_id, book, chapter, verse, text) VALUES (?, ?, ?, ?, ?)',
  )
  const insertWords = db.prepare('INSERT INTO scripture_words (rowid, text) VALUES (?, ?)')
  const range = db.prepare<[number], { first: number | null; last: number | null }>(
    'SELECT min(id) AS first, max(id) AS last FROM scripture_verse WHERE translation_id = ?',
  )
  const show = db.prepare(
    'UPDATE scripture_translation SET is_complete = 1, first_verse = ?, last_verse = ? WHERE id = ?',
  )
  const hide = db.prepare('UPDATE scripture_translation SET is_complete = 0 WHERE id = ?')
  const current = db
    .prepare<[string], number>('SELECT id FROM scripture_translation WHERE code = ? AND is_complete = 1')
    .pluck()
  const incomplete = db
    .prepare<[string], number>('SELECT id FROM scripture_translation WHERE code = ? AND is_complete = 0')
    .pluck()
  return {
    incomplete: (code: string) => incomplete.all(code),
    hide: (id: number) => atomically(db, () => void hide.run(id)),
    async write({ books, ...facts }: ScriptureImport, { onVerses, signal }: ImportWatch) {
      const { lastInsertRowid } = atomically(db, () => insert.run({ ...facts, importedAt: new Date().toISOString() }))
      const id = Number(lastInsertRowid)
      let count = 0
      for (const [at, { osis, name, verses }] of books.entries()) {
        atomically(db, () => insertBook.run(id, at + 1, osis, name))
        for (let from = 0; from < verses.length; from += VERSES_A_STEP) {
          atomically(db, () => {
            for (const { chapter, verse, text } of verses.slice(from, from + VERSES_A_STEP)) {
              const added = insertVerse.run(id, at + 1, chapter, verse, text)
              insertWords.run(added.lastInsertRowid, foldWords(text))
            }
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
    complete: (id: number, code: string): number | null =>
      atomically(db, () => {
        const old = current.get(code) ?? null
        if (old !== null) hide.run(old)
        const { first, last } = range.get(id) ?? {}
        show.run(first ?? 0, last ?? -1, id)
        return old
      }),
  }
}

/** Removes a translation that is no longer listed, a few verses at a time. */
function createEraser(db: Database): (id: number) => Promise<void> {
  const eraseSome = db.prepare(
    'DELETE FROM scripture_verse WHERE id IN (SELECT id FROM scripture_verse WHERE translation_id = ? LIMIT ?)',
  )
  const erase = db.prepare('DELETE FROM scripture_translation WHERE id = ?')

  return async (id) => {
    while (atomically(db, () => eraseSome.run(id, VERSES_A_STEP)).changes > 0) await sleep(PAUSE_MS)
    atomically(db, () => erase.run(id))
  }
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
