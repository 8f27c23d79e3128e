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

/** Makes something for each language. */
export function eachLanguage<T>(make: (language: Language) => T): Localised<T> {
  return Object.fromEntries(LANGUAGES.map((language) => [language, make(language)])) as Localised<T>
}

/** Picks one thing out of what is there in every language. */
export function pick<T, U>(all: Localised<T>, choose: (one: T) => U): Localised<U> {
  return eachLanguage((language) => choose(all[language]))
}
