import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  type ChatInputCommandInteraction,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord.js'
import type { Invocation, CommandContext } from './invocation.ts'
import type { Localised } from '../../../lib/texts/languages.ts'
import {
  type Label,
  describeOptions,
  fillOptions,
  mapLabels,
  readOptions,
  type Options,
  type Values,
} from './options.ts'
import { localisations } from '../i18n/localisations.ts'
import type { Reply } from './reply.ts'
import type { Rule } from '../permissions/rules.ts'

/** What one slash command, or one subcommand of it, does. */
export interface HandlerSpec<O extends Options> {
  /** Who may use it; checked before it runs. */
  readonly rule: Rule
  /** Whether the member alone sees the answer. */
  readonly isPrivate?: boolean
  readonly options: O
  readonly run: (invocation: Invocation<Values<O>>, context: CommandContext) => Promise<Reply>
}

/** A subcommand whose options are sealed in, so that all of them fit one list. */
export interface CommandAction {
  readonly rule: Rule
  readonly isPrivate: boolean
  readonly options: Options
  readonly run: (
    given: ChatInputCommandInteraction['options'],
    invocation: Invocation,
    context: CommandContext,
  ) => Promise<Reply>
  /** The same where the values do not come from an interaction; missing options are empty. */
  readonly runWith: (
    values: Readonly<Record<string, unknown>>,
    invocation: Invocation,
    context: CommandContext,
  ) => Promise<Reply>
}

export interface Command {
  readonly name: string
  readonly definition: RESTPostAPIChatInputApplicationCommandsJSONBody
  readonly find: (subcommand: string | null) => CommandAction | undefined
}

/** Commands are for servers: a bot in a private chat has neither players nor members. */
export const WHERE_USED = {
  contexts: [InteractionContextType.Guild],
  integration_types: [ApplicationIntegrationType.GuildInstall],
}

export function subcommand<O extends Options>({
  isPrivate = false,
  options,
  rule,
  run,
}: HandlerSpec<O>): CommandAction {
  return {
    rule,
    isPrivate,
    options,
    run: (given, invocation, context) => run({ ...invocation, options: readOptions(options, given) }, context),
    runWith: (values, invocation, context) => run({ ...invocation, options: fillOptions(options, values) }, context),
  }
}

interface Named {
  readonly name: string
  readonly labels: Localised<Label>
}

export function command<O extends Options>(spec: Named & HandlerSpec<O>): Command {
  const { name, labels } = spec
  const only = subcommand(spec)
  return {
    name,
    definition: { ...describe(name, labels), options: describeOptions(spec.options, labels) },
    find: (subcommand) => (subcommand === null ? only : undefined),
  }
}

/** A slash command that is only the head of its subcommands. */
export function commandGroup(spec: Named & { readonly subcommands: Readonly<Record<string, CommandAction>> }): Command {
  const { name, labels, subcommands } = spec
  return {
    name,
    definition: {
      ...describe(name, labels),
      options: Object.entries(subcommands).map(([subcommand, { options }]) =>
        describeSubcommand(subcommand, options, mapLabels(labels, subcommand)),
      ),
    },
    find: (subcommand) => subcommands[subcommand ?? ''],
  }
}

function describeSubcommand(name: string, options: Options, labels: Localised<Label>) {
  const type = ApplicationCommandOptionType.Subcommand as const
  return { ...localisations(name, labels), type, options: describeOptions(options, labels) }
}

function describe(name: string, labels: Localised<Label>) {
  return {
    ...localisations(name, labels),
    type: ApplicationCommandType.ChatInput as const,
    ...WHERE_USED,
  }
}
