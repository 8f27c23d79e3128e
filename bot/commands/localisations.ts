import type { LocalizationMap } from 'discord.js'
import { DISCORD_LOCALES, type Localised } from './languages.ts'
import type { Label } from './labels/label.ts'

/** A name and a description for Discord, in every language that it knows. */
export function localisations(name: string, labels: Localised<Label>) {
  const names: Record<string, string> = {}
  const descriptions: Record<string, string> = {}
  for (const [locale, language] of DISCORD_LOCALES) {
    names[locale] = labels[language][0]
    descriptions[locale] = labels[language][1]
  }
  return {
    name,
    name_localizations: names as LocalizationMap,
    description: labels.en[1],
    description_localizations: descriptions as LocalizationMap,
  }
}
