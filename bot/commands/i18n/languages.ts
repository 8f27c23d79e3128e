/** Languages that the bot speaks, by Discord's names for them. */
export const LANGUAGES = ['en', 'de', 'fr', 'es-ES', 'pt-BR', 'ja'] as const
export type Language = (typeof LANGUAGES)[number]

/** Something in every language. A missing one is a compile error. */
export type Localised<T> = Readonly<Record<Language, T>>

/** Discord's locales, each with the language that its speakers understand best. */
const BY_LOCALE: Readonly<Record<string, Language>> = {
  de: 'de',
  fr: 'fr',
  'es-ES': 'es-ES',
  'es-419': 'es-ES',
  'pt-BR': 'pt-BR',
  ja: 'ja',
}

/** Discord's locales of a language. English is the default, which needs none. */
export const DISCORD_LOCALES: readonly (readonly [locale: string, language: Language])[] = Object.entries(BY_LOCALE)

export function languageOf(locale: string | null | undefined): Language {
  return BY_LOCALE[locale ?? ''] ?? 'en'
}

export function isLanguage(text: string | null): text is Language {
  return LANGUAGES.some((language) => language === text)
}

/** The type that other languages have to fill: every text any text, every sentence with the same gaps. */
export type Widened<T> = T extends string
  ? string
  : T extends (...gaps: infer Gaps) => string
    ? (...gaps: Gaps) => string
    : { readonly [Key in keyof T]: Widened<T[Key]> }

/** Picks one thing out of what is there in every language. */
export function pick<T, U>(all: Localised<T>, choose: (one: T) => U): Localised<U> {
  return {
    en: choose(all.en),
    de: choose(all.de),
    fr: choose(all.fr),
    'es-ES': choose(all['es-ES']),
    'pt-BR': choose(all['pt-BR']),
    ja: choose(all.ja),
  }
}
