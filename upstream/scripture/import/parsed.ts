import { Fault } from '../../../lib/errors.ts'
import type { Book } from '../books.ts'
import { cleanText } from '../source.ts'

interface ParsedVerse {
  readonly chapter: number
  readonly verse: number
  /** Empty for a verse whose text stands with an earlier one. */
  readonly text: string
}

export interface ParsedBook {
  readonly osis: string
  readonly name: string
  readonly verses: readonly ParsedVerse[]
}

/** A translation as a file has it; what the file does not say is left out. */
export interface ParsedScripture {
  readonly code?: string | undefined
  readonly lang?: string | undefined
  readonly language?: string | undefined
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly license?: string | undefined
  readonly books: readonly ParsedBook[]
}

/** Gathers the text of verses as a parser comes across it. */
export type BookBuilder = ReturnType<typeof buildBook>

export function buildBook({ osis, name }: Pick<Book, 'osis' | 'name'>) {
  const texts = new Map<string, { chapter: number; verse: number; text: string }>()
  return {
    name,
    /** Text for a verse; more of it is appended. */
    add(chapter: number, verse: number, text: string) {
      const key = `${chapter}:${verse}`
      const known = texts.get(key)
      if (known) known.text += text
      else texts.set(key, { chapter, verse, text })
    },
    build(): ParsedBook {
      const verses = [...texts.values()]
        .map(({ chapter, verse, text }) => ({ chapter, verse, text: cleanText(text) }))
        .toSorted((a, b) => a.chapter - b.chapter || a.verse - b.verse)
      return { osis, name: cleanText(this.name) || name, verses }
    },
  }
}

export function unreadable(message: string, cause?: unknown): Fault {
  return new Fault('validation_error', message, { cause })
}
