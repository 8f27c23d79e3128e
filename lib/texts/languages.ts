import { existsSync, readdirSync } from 'node:fs'
import type { Language, PageLanguage } from '../../locales/english.d.ts'
import { assetFile } from '../installation.ts'

export type { Language, PageLanguage }

/** Something in every language. */
export type Localised<T> = Readonly<Record<Language, T>>

/** Languages with a folder, by Discord's names for them. English is first. */
export const LANGUAGES: readonly Language[] = readdirSync(assetFile('locales'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name as Language)
  .toSorted((a, b) => Number(b === 'en') - Number(a === 'en') || a.localeCompare(b, 'en'))

/** Languages of the dashboard and the reference, which have texts of their own. */
export const PAGE_LANGUAGES = LANGUAGES.filter((language): language is PageLanguage =>
  existsSync(assetFile('locales', language, 'dashboard-common.json')),
)

const MAX_PARTS = 20

export function isLanguage(text: string | null | undefined): text is Language {
  return LANGUAGES.some((language) => language === text)
}

export function isPageLanguage(text: string | null | undefined): text is PageLanguage {
  return PAGE_LANGUAGES.some((language) => language === text)
}

/** The language that speakers of a locale understand best: its own, or that of another region. */
export function languageOf(locale: string | null | undefined): Language {
  return match(locale ?? '', LANGUAGES) ?? 'en'
}

/** The first language of `Accept-Language` that there is; weights are in its order in practice. */
export function preferredOf<L extends Language>(accepted: string | undefined, languages: readonly L[]): L | 'en' {
  for (const part of (accepted ?? '').slice(0, 500).split(',', MAX_PARTS)) {
    const language = match(part.split(';', 1)[0]?.trim() ?? '', languages)
    if (language) return language
  }
  return 'en'
}

function match<L extends Language>(locale: string, languages: readonly L[]): L | undefined {
  const wanted = locale.toLowerCase()
  return (
    languages.find((language) => language.toLowerCase() === wanted) ??
    languages.find((language) => baseOf(language) === baseOf(wanted))
  )
}

function baseOf(locale: string): string {
  return locale.split('-', 1)[0] ?? ''
}

/** What speakers call their language, with the region where another one shares its name. */
export function nameOf(language: Language): string {
  const base = baseOf(language)
  const isAlone = LANGUAGES.filter((one) => baseOf(one) === base).length === 1
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(isAlone ? base : language) ?? language
  return name.slice(0, 1).toLocaleUpperCase(language) + name.slice(1)
}

/** Makes something for each language. */
export function eachLanguage<T>(make: (language: Language) => T): Localised<T> {
  return Object.fromEntries(LANGUAGES.map((language) => [language, make(language)])) as Localised<T>
}

/** Makes something for each language of the pages. */
export function eachPageLanguage<T>(make: (language: PageLanguage) => T): Readonly<Record<PageLanguage, T>> {
  return Object.fromEntries(PAGE_LANGUAGES.map((language) => [language, make(language)])) as Record<PageLanguage, T>
}

/** Picks one thing out of what is there in every language. */
export function pick<T, U>(all: Localised<T>, choose: (one: T) => U): Localised<U> {
  return eachLanguage((language) => choose(all[language]))
}
