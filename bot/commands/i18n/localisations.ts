import { Locale, type LocalizationMap } from 'discord.js'
import { languageOf, type Language, type Localised } from '../../../lib/texts/languages.ts'

interface Described {
  readonly name: string
  readonly description: string
}

/** Discord's locales with their languages. English is the default, which needs none. */
const LOCALES = Object.values(Locale)
  .map((locale) => [locale, languageOf(locale)] as const)
  .filter(([, language]) => language !== 'en')

/** A name and a description for Discord, in every language that it knows. */
export function localisations(name: string, labels: Localised<Described>) {
  return {
    name,
    name_localizations: nameLocalisations(labels),
    description: labels.en.description,
    description_localizations: byLocale(labels, ({ description }) => description),
  }
}

export function nameLocalisations(labels: Localised<Described>): LocalizationMap {
  return byLocale(labels, ({ name }) => name)
}

function byLocale(labels: Localised<Described>, choose: (label: Described) => string): LocalizationMap {
  const entries = LOCALES.map(([locale, language]) => [locale, choose(labels[language])])
  return Object.fromEntries(entries) as LocalizationMap
}

type Localisations = Readonly<Partial<Record<Language, string | null | undefined>>> | null | undefined

interface Named {
  readonly name: string
  readonly name_localizations?: Localisations
}

/** The name of a command, an option or a choice. */
export function nameIn({ name, name_localizations }: Named, language: Language): string {
  return (language === 'en' ? null : name_localizations?.[language]) ?? name
}

/** Menu commands have none; slash commands always do. */
export function descriptionIn(
  named: Named & {
    readonly description?: string
    readonly description_localizations?: Localisations
  },
  language: Language,
): string {
  return (language === 'en' ? null : named.description_localizations?.[language]) ?? named.description ?? ''
}
