import { languageName } from './language-names.ts'
import type { TranslationLanguage } from './schemas.ts'

/** A language as our answers write it: ISO 639-1 in lower case, `pt-BR`, `zh-CN`, `zh-TW`. */
export type LanguageCode = string

const CODES = [
  'af am ar az be bg bn bs ca ceb co cs cy da de el en eo es et eu fa fi fr fy ga gd gl gu ha haw he hi hmn hr ht hu',
  'hy id ig is it ja jv ka kk km kn ko ku ky la lb lo lt lv mg mi mk ml mn mr ms mt my ne nl no ny or pa pl ps pt',
  'pt-BR ro ru rw sd si sk sl sm sn so sq sr st su sv sw ta te tg th tk tl tr tt ug uk ur uz vi xh yi yo zh zh-CN',
  'zh-TW zu',
].flatMap((line) => line.split(' '))

/** Other ways to write them, in lower case. */
const ALIASES: ReadonlyMap<string, LanguageCode> = new Map([
  ['en-us', 'en'],
  ['en-gb', 'en'],
  ['es-419', 'es'],
  ['pt-pt', 'pt'],
  ['pb', 'pt-BR'],
  ['zh-hans', 'zh-CN'],
  ['zh-sg', 'zh-CN'],
  ['zh-hant', 'zh-TW'],
  ['zh-hk', 'zh-TW'],
  ['zt', 'zh-TW'],
  ['iw', 'he'],
  ['jw', 'jv'],
  ['in', 'id'],
  ['ji', 'yi'],
  ['nb', 'no'],
  ['nn', 'no'],
  ['fil', 'tl'],
  ['sr-latn', 'sr'],
])

const BY_FOLDED: ReadonlyMap<string, LanguageCode> = new Map([
  ...CODES.map((code) => [code.toLowerCase(), code] as const),
  ...ALIASES,
])

/** Our code for a language that is written in any of the customary ways: `zh_Hans`, `EN-us`, `iw`. */
export function findLanguage(code: string): LanguageCode | null {
  return BY_FOLDED.get(code.trim().toLowerCase().replaceAll('_', '-')) ?? null
}

/** The language alone, without a region or script: the detected source language of an answer. */
export function baseOf(code: string): LanguageCode {
  const language = findLanguage(code) ?? code.toLowerCase()
  return language.split('-')[0] ?? language
}

/** A provider's list in our codes: each once, by name. */
export function toLanguageList(given: Iterable<TranslationLanguage>): readonly TranslationLanguage[] {
  const byCode = new Map<string, TranslationLanguage>()
  for (const { code, name } of given) {
    const known = findLanguage(code) ?? code
    if (known !== 'auto' && !byCode.has(known)) byCode.set(known, { code: known, name })
  }
  return [...byCode.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}

/** Served where no provider is configured, or it cannot be asked. */
export const BUILT_IN_LANGUAGES: readonly TranslationLanguage[] = toLanguageList(
  CODES.map((code) => ({ code, name: languageName(code) })),
)
