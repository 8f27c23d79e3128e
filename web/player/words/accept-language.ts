import type { Language } from '../../../lib/texts/languages.ts'

const BY_PREFIX: Readonly<Record<string, Language>> = {
  en: 'en',
  de: 'de',
  fr: 'fr',
  es: 'es-ES',
  pt: 'pt-BR',
  ja: 'ja',
}
const MAX_PARTS = 20

/** The first language of `Accept-Language` that members are spoken to in; weights are in its order in practice. */
export function localeOf(accepted: string): Language {
  for (const part of accepted.slice(0, 500).toLowerCase().split(',', MAX_PARTS)) {
    const language = BY_PREFIX[part.trim().slice(0, 2)]
    if (language) return language
  }
  return 'en'
}
