import type { LocalizationMap } from 'discord.js'
import { DISCORD_LOCALES, type Localised } from '../../../lib/texts/languages.ts'
import type { Label } from './labels.ts'

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
  const entries = DISCORD_LOCALES.map(([locale, language]) => [locale, choose(labels[language])])
  return Object.fromEntries(entries) as LocalizationMap
}
