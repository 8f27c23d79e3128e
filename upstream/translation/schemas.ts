import { z } from 'zod'
import { text } from '../../lib/validation/inputs.ts'

const code = z.string().min(1, 'Must be a language code.').max(35, 'Must be a language code, which is shorter.')

export const TranslationQuery = z.object({
  text: text(1, 5000).describe('Text to translate.'),
  to: code.describe('Code of the target language.'),
  from: code.default('auto').describe('Code of the source language. `auto` detects it.'),
})
export type TranslationQuery = z.output<typeof TranslationQuery>

export const TranslationResult = z
  .object({
    originalText: z.string(),
    translatedText: z.string(),
    sourceLanguage: z.string().describe('The detected language if `from` is `auto`. `und` if unknown.'),
    targetLanguage: z.string(),
  })
  .meta({ id: 'Translation' })
export type TranslationResult = z.output<typeof TranslationResult>

export const TranslationLanguage = z
  .object({ code: z.string(), name: z.string().describe('In English.') })
  .meta({ id: 'Language' })
export type TranslationLanguage = z.output<typeof TranslationLanguage>

const confidence = z.number().min(0).max(1).describe('Confidence from 0 to 1.')
const language = z.string().describe('ISO 639-1 code. `und` if the text has no words, or no candidate is likely.')

export const DetectionQuery = z.object({ text: text(1, 5000).describe('Text to analyze.') })

export const Detected = z
  .object({
    language,
    name: z.string().describe('In English.'),
    confidence: confidence.describe('Confidence of the best candidate, from 0 to 1.'),
    candidates: z.array(z.object({ language, confidence })).describe('Up to five candidates, the best first.'),
  })
  .meta({ id: 'DetectedLanguage' })
export type Detected = z.output<typeof Detected>
