import { eachLanguage, pick, type Localised } from '../../../lib/texts/languages.ts'

/** The labels of a command or an option, and those of its options, subcommands or choices; a choice has only a name. */
export interface Label {
  readonly name: string
  readonly description: string
  readonly options?: Readonly<Record<string, Label | string>>
}

/** The label of the one command of a file in every language. */
export function labelOf(text: Localised<{ readonly label: Label }>): Localised<Label> {
  return pick(text, ({ label }) => label)
}

/** The label of one of several commands in every language. */
export function labelsOf<Command extends string>(
  text: Localised<{ readonly labels: Readonly<Record<Command, Label>> }>,
  command: Command,
): Localised<Label> {
  return pick(text, ({ labels }): Label => labels[command])
}

type Inner = Readonly<Record<string, Label | string>>

/** The same label with these, too, inside of it or of what `path` leads to. */
export function withOptions(all: Localised<Label>, added: Localised<Inner>, path: readonly string[] = []) {
  return eachLanguage((language) => addOptions(all[language], added[language], path))
}

function addOptions(label: Label, added: Inner, [name, ...rest]: readonly string[]): Label {
  if (name === undefined) return { ...label, options: { ...label.options, ...added } }
  const inner = label.options?.[name]
  if (typeof inner !== 'object') throw new Error(`"${label.name}" has no label for "${name}".`)
  return { ...label, options: { ...label.options, [name]: addOptions(inner, added, rest) } }
}
