import { z } from 'zod'
import { languageName } from '../../translation/language-names.ts'
import { bookByNumber, bookByUsfm } from '../books.ts'
import { buildBook, unreadable, type ParsedBook, type ParsedScripture } from './parsed.ts'

const GetBible = z.object({
  translation: z.string(),
  abbreviation: z.string(),
  lang: z.string(),
  language: z.string().nullish(),
  description: z.string().nullish(),
  distribution_license: z.string().nullish(),
  books: z.array(
    z.object({
      nr: z.int(),
      name: z.string(),
      chapters: z.array(
        z.object({ chapter: z.int(), verses: z.array(z.object({ verse: z.int(), text: z.string() })) }),
      ),
    }),
  ),
})

const Piece = z.union([z.string(), z.looseObject({ text: z.string().optional() })])
const HelloAo = z.object({
  translation: z.object({
    id: z.string(),
    name: z.string(),
    englishName: z.string().nullish(),
    language: z.string(),
    languageEnglishName: z.string().nullish(),
    licenseNotes: z.string().nullish(),
    licenseUrl: z.string().nullish(),
  }),
  books: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      commonName: z.string().nullish(),
      chapters: z.array(
        z.object({
          chapter: z.object({
            number: z.int(),
            content: z.array(
              z.looseObject({
                type: z.string(),
                number: z.int().optional(),
                text: z.string().optional(),
                content: z.array(Piece).optional().catch(undefined),
              }),
            ),
          }),
        }),
      ),
    }),
  ),
})

/** A whole translation as getBible or helloao give it (`complete.json` or `complete.simple.json`). */
export function parseJson(text: string): ParsedScripture {
  const value = fromJson(text)
  const getBible = GetBible.safeParse(value)
  if (getBible.success) return fromGetBible(getBible.data)
  const helloAo = HelloAo.safeParse(value)
  if (helloAo.success) return fromHelloAo(helloAo.data)
  throw unreadable("This JSON isn't a whole translation of getBible or helloao.", getBible.error)
}

function fromGetBible(given: z.output<typeof GetBible>): ParsedScripture {
  return {
    code: given.abbreviation,
    lang: given.lang,
    language: given.language || languageName(given.lang),
    name: given.translation,
    description: given.description || undefined,
    license: given.distribution_license || undefined,
    books: given.books.flatMap(({ nr, name, chapters }): ParsedBook[] => {
      const known = bookByNumber(nr, name)
      // A book that we have no code for keeps its own name, and is found by it.
      const book = buildBook({ osis: known?.osis ?? `X${nr}`, name })
      for (const { chapter, verses } of chapters) for (const { verse, text } of verses) book.add(chapter, verse, text)
      return [book.build()]
    }),
  }
}

function fromHelloAo({ translation, books }: z.output<typeof HelloAo>): ParsedScripture {
  const name = translation.englishName || translation.name
  return {
    code: translation.id,
    lang: shortTag(translation.language),
    language: translation.languageEnglishName || languageName(translation.language),
    name,
    license: translation.licenseNotes || translation.licenseUrl || undefined,
    books: books.map((given) => {
      const osis = bookByUsfm(given.id)?.osis ?? `X${given.id}`
      const book = buildBook({ osis, name: given.commonName || given.name })
      for (const { chapter } of given.chapters) {
        for (const part of chapter.content) {
          if (part.type === 'verse' && part.number !== undefined) book.add(chapter.number, part.number, textOf(part))
        }
      }
      return book.build()
    }),
  }
}

function textOf({
  text,
  content,
}: {
  text?: string | undefined
  content?: z.output<typeof Piece>[] | undefined
}): string {
  if (text !== undefined) return text
  return (content ?? []).map((piece) => (typeof piece === 'string' ? piece : (piece.text ?? ' '))).join(' ')
}

/** `eng` is `en` in BCP 47. */
function shortTag(tag: string): string {
  try {
    return new Intl.Locale(tag).toString()
  } catch {
    return tag
  }
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw unreadable('This JSON is truncated.', error)
  }
}
