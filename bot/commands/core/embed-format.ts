import { escapeMarkdown, type APIEmbed, type APIEmbedField } from 'discord.js'
import { type AutocompleteChoice, cut, MOST_CHOICES } from './autocomplete.ts'

const LONGEST_TITLE = 256
const LONGEST_DESCRIPTION = 4096
const LONGEST_FIELD = 1024

/** Escapes and truncates a text from outside for the title of an embed. */
export function title(text: string): string {
  return cut(escapeMarkdown(text), LONGEST_TITLE)
}

export function description(text: string): string {
  return cut(text, LONGEST_DESCRIPTION)
}

/** A short field, three of which share a line; none if there is nothing to say. */
export function field(name: string, value: string | null): readonly APIEmbedField[] {
  return value === null || value === '' ? [] : [{ name, value: cut(value, LONGEST_FIELD), inline: true }]
}

export function thumbnail(url: string | null): Pick<APIEmbed, 'thumbnail'> {
  return url === null ? {} : { thumbnail: { url } }
}

/** Text of others, which must not look like ours: no marks, no links, no line breaks. */
export function plain(text: string, length: number): string {
  return escapeMarkdown(withoutLinks(cut(text.replaceAll(/\s+/gu, ' ').trim(), length)))
}

/**
 * Discord links and previews `https://…` anywhere in a text, and invites without it (`discord.gg/…`), the latter even where
 * previews are off. A zero-width space, which no one sees, makes neither of it an address.
 */
function withoutLinks(text: string): string {
  return text.replaceAll('://', ':\u200B//').replaceAll(/(\.[a-z]{2,63})\//giu, '$1\u200B/')
}

/** The day of an instant as Discord shows it to each reader: in their language and zone. */
export function day(iso: string): string {
  return `<t:${Math.floor(Date.parse(iso) / 1000)}:D>`
}

export function count(language: string, value: number): string {
  return new Intl.NumberFormat(language).format(value)
}

/** @param share between 0 and 1 */
export function percent(language: string, share: number): string {
  return new Intl.NumberFormat(language, { style: 'percent' }).format(share)
}

/** Those that begin with what was typed, then those that have it anywhere. */
export function matching(all: readonly AutocompleteChoice[], typed: string): readonly AutocompleteChoice[] {
  const wanted = fold(typed)
  const found = all.filter(({ name, value }) => fold(name).includes(wanted) || fold(value) === wanted)
  const begins = ({ name, value }: AutocompleteChoice) => fold(name).startsWith(wanted) || fold(value) === wanted
  return [...found.filter(begins), ...found.filter((one) => !begins(one))].slice(0, MOST_CHOICES)
}

/** The same of choices in the order of their names. */
export function matchingByName(
  all: readonly AutocompleteChoice[],
  { typed, language }: { readonly typed: string; readonly language: string },
): readonly AutocompleteChoice[] {
  return matching(
    all.toSorted((a, b) => a.name.localeCompare(b.name, language)),
    typed,
  )
}

function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim()
}

export function nameCountry(code: string, language: string): string {
  try {
    return new Intl.DisplayNames(language, { type: 'region' }).of(code.toUpperCase()) ?? code
  } catch {
    return code
  }
}

/** The flag of a country; nothing for what is none. */
export function flag(code: string): string {
  if (!/^[A-Za-z]{2}$/.test(code)) return ''
  return code.toUpperCase().replaceAll(/[A-Z]/g, (letter) => String.fromCodePoint(0x1_f1a5 + letter.charCodeAt(0)))
}

/** Names of languages and days are written small in many languages, but not at the beginning. */
export function capitalised(text: string, language: string): string {
  return text.replace(/^\p{Ll}/u, (letter) => letter.toLocaleUpperCase(language))
}
