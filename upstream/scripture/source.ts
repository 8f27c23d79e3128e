import type { SearchHit, TranslationItem } from './schemas.ts'

export interface SourceTranslation extends Readonly<TranslationItem> {
  /** BCP 47 or ISO 639-3. */
  readonly lang: string
}

export interface SourceBook {
  /** How the source calls it in its addresses. */
  readonly id: string
  /** Null for a book that we have no name of our own for. */
  readonly osis: string | null
  readonly name: string
}

export interface SourceVerse {
  readonly verse: number
  readonly text: string
}

/** Where scripture is read: one of the services, or what was imported. Codes are those of its own list. */
export interface ScriptureSource {
  readonly host: string
  translations(): Promise<readonly SourceTranslation[]>
  books(code: string): Promise<readonly SourceBook[]>
  /** Null for an unknown chapter. */
  chapter(code: string, book: SourceBook, chapter: number): Promise<readonly SourceVerse[] | null>
  /** Verses with every word, in their order; at most a hundred. */
  search(code: string, text: string): Promise<readonly SearchHit[]>
}

export const MAX_HITS = 100

/** Without marks of byte order, tags and runs of white space. */
export function cleanText(text: string): string {
  return text
    .replaceAll(/<S>[^<]*<\/S>/gi, '')
    .replaceAll(/<(?:br|p|div)\b[^<>]*>/gi, ' ')
    .replaceAll(/<\/?[a-z][^<>]*>/gi, '')
    .replaceAll(/[\u{FEFF}\u{200B}]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
