import { pick, type Localised } from './languages.ts'

/** A name, a description, and the labels of what is inside: options, subcommands, or choices, which have only a name. */
export type Label = readonly [name: string, description: string, inner?: Readonly<Record<string, Label | string>>]

/** The labels of commands, by their names. */
export type Labels = Readonly<Record<string, Label>>

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
