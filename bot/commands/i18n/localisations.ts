import { Locale, type LocalizationMap } from 'discord.js'
import { languageOf, type Localised } from '../../../lib/texts/languages.ts'
import type { Label } from './labels.ts'

/** Discord's locales with their languages. English is the default, which needs none. */
const LOCALES = Object.values(Locale)
  .map((locale) => [locale, languageOf(locale)] as const)
  .filter(([, language]) => language !== 'en')

/** A name and a description for Discord, in every language that it knows. */
export function localisations(name: string, labels: Localised<Label>) {
  return {
    name,
    name_localizations: nameLocalisations(labels),
    description: labels.en.description,
    description_localizations: byLocale(labels, ({ description }) => description),
  }
}

export function nameLocalisations(labels: Localised<Label>): LocalizationMap {
  return byLocale(labels, ({ name }) => name)
}

function byLocale(labels: Localised<Label>, choose: (label: Label) => string): LocalizationMap {
  const entries = LOCALES.map(([locale, language]) => [locale, choose(labels[language])])
  return Object.fromEntries(entries) as LocalizationMap
}
