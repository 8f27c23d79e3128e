import { z } from 'zod'
import { languageTag, text } from '../../lib/validation/inputs.ts'

export const TranslationPath = z.object({
  translation: text(1, 100).describe('Code of a translation, with or without its language: `kjv`, `en_kjv`.'),
})

export const SearchQuery = z.object({ q: text(1, 200).describe('Search text.') })

export const VersesQuery = z.object({
  refs: text(1, 5000).describe('References, separated by commas or semicolons.'),
  lang: languageTag
    .optional()
    .describe(
      'Second language for book names. `Johannes 3,16` means verse 16 if this language, or else the ' +
        'translation, writes references that way.',
    ),
})

export const TranslationItem = z
  .object({
    code: z.string(),
    language: z.string().describe('In English.'),
    name: z.string(),
    description: z.string(),
  })
  .meta({ id: 'ScriptureTranslation' })
export type TranslationItem = z.output<typeof TranslationItem>

export const SearchHit = z
  .object({ book: z.string(), chapter: z.number().int(), verse: z.number().int(), text: z.string() })
  .meta({ id: 'ScriptureSearchResult' })
export type SearchHit = z.output<typeof SearchHit>

export const VerseResult = z
  .object({
    reference: z.string().describe('Uses the book name of the translation.'),
    text: z.string(),
  })
  .meta({ id: 'ScriptureVerse' })
export type VerseResult = z.output<typeof VerseResult>
