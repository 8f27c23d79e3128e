import { LANGUAGES, type Localised } from './languages.ts'

/** A text in each language, in the order of `LANGUAGES`. `{city}` is a gap. */
type Row = readonly [en: string, de: string, fr: string, es: string, pt: string, ja: string]

type Table = Row | readonly Table[] | { readonly [key: string]: Table }

const GAP = /\{(\w+)\}/g

type Gap<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Gap<Rest> : never
type Sentence<Text> = [Gap<Text>] extends [never] ? string : (gaps: Readonly<Record<Gap<Text>, string>>) => string
type Texts<T> = T extends Row ? Sentence<T[0]> : { readonly [Key in keyof T]: Texts<T[Key]> }

/**
 * Texts that stand beside each other by what they say. A row without one of the languages does not compile.
 * @throws {Error} when a language has other gaps than English.
 */
export function inEachLanguage<const T extends Table>(table: T): Localised<Texts<T>> {
  const entries = LANGUAGES.map((language, column) => [language, pickColumn(table, column)])
  return Object.fromEntries(entries) as Localised<Texts<T>>
}

function pickColumn(table: Table, column: number): unknown {
  if (isRow(table)) return sentence(table, column)
  if (Array.isArray(table)) return table.map((part: Table) => pickColumn(part, column))
  return Object.fromEntries(Object.entries(table).map(([key, part]) => [key, pickColumn(part, column)]))
}

function isRow(table: Table): table is Row {
  return Array.isArray(table) && typeof table[0] === 'string'
}

function sentence(row: Row, column: number): string | ((gaps: Readonly<Record<string, string>>) => string) {
  const text = row[column] ?? ''
  if (gapsOf(text) !== gapsOf(row[0])) throw new Error(`"${row[0]}" has other gaps in ${LANGUAGES[column]}.`)
  if (!text.includes('{')) return text
  return (gaps) => text.replaceAll(GAP, (gap, name: string) => gaps[name] ?? gap)
}

function gapsOf(text: string): string {
  return (text.match(GAP) ?? []).toSorted().join()
}
