/** A name, a description, and the labels of what is inside: options, subcommands or choices. */
export type Label = readonly [name: string, description: string, inner?: Readonly<Record<string, Label>>]
