import {
  MessageFlags,
  type AutocompleteInteraction,
  type ChatInputCommandInteraction,
  type Interaction,
  type MessageContextMenuCommandInteraction,
  type ModalSubmitInteraction,
} from 'discord.js'
import type { Logger } from '../../../lib/log.ts'
import { runForProject, runInContext } from '../../../lib/request-context.ts'
import type { PlayerScope } from '../../player-service.ts'
import { type Asked, type BotRouting, runRouted } from './bot-routing.ts'
import { parseInvocation } from './parse-interaction.ts'
import type { CommandContext, Invocation } from '../core/invocation.ts'
import type { Command } from '../core/command.ts'
import { splitId, type Component, type ComponentInput } from '../core/component.ts'
import { languageOf } from '../../../lib/texts/languages.ts'
import { readPicked, type MenuCommand } from '../core/menu-command.ts'
import { assertSwitchedOn, type Area } from '../help/areas.ts'
import { Refusal, replyPrivately, type Reply } from '../core/reply.ts'
import { explain } from '../core/error-message.ts'
import { respond, type RepliableInteraction, type Pressed } from './response.ts'
import { cut, MOST_CHOICES } from '../core/autocomplete.ts'
import { WORDS } from '../common-text.ts'
import { withTimeout } from '../../../lib/deadline.ts'

/** Discord shows choices for three seconds after each key. */
const SUGGEST_WITHIN_MS = 2000
const LONGEST_CHOICE = 100

interface DispatcherOptions {
  readonly commands: readonly Command[]
  readonly menuCommands: readonly MenuCommand[]
  readonly components: readonly Component[]
  readonly areaOf: (command: string) => Area | null
  readonly routing: BotRouting
  /** The scope for calls of the player service, with the current ceiling of the plan. */
  readonly scope: () => PlayerScope
  /** Whether it is a request channel, of whichever bot: only cards are for everyone there. */
  readonly isRequestChannel: (channelId: string) => Promise<boolean>
  readonly log: Logger
}

/** Brings what members do to the command or component that it means, and brings the answer back. Never throws. */
export function createDispatcher(options: DispatcherOptions): (interaction: Interaction) => Promise<void> {
  const state: DispatcherState = {
    ...options,
    byName: new Map(options.commands.map((it) => [it.name, it])),
    menuCommandByName: new Map(options.menuCommands.map((it) => [it.name, it])),
    componentByName: new Map(options.components.map((it) => [it.name, it])),
  }
  return (interaction) =>
    runInContext({ fields: { reference: interaction.id }, isOver: false }, async () => {
      try {
        await runForProject(options.scope().projectId, () => dispatch(state, interaction))
      } catch (err) {
        // The interaction expired or Discord is unavailable: the member cannot be notified.
        options.log.warn({ err, ...locate(state, interaction) }, 'interaction reply failed')
      }
    })
}

interface DispatcherState extends DispatcherOptions {
  readonly byName: ReadonlyMap<string, Command>
  readonly menuCommandByName: ReadonlyMap<string, MenuCommand>
  readonly componentByName: ReadonlyMap<string, Component>
}

function locate({ scope }: DispatcherState, { guildId }: Interaction) {
  return { botId: scope().botId, guildId }
}

async function dispatch(options: DispatcherState, interaction: Interaction): Promise<void> {
  if (interaction.isAutocomplete()) {
    await interaction.respond([...(await choicesFor(options, interaction))])
  } else if (interaction.isChatInputCommand()) {
    const isPrivate = (findSubcommand(options, interaction)?.isPrivate ?? true) || (await isQuiet(options, interaction))
    await respond(interaction, isPrivate, explained(options, interaction, run(options, interaction)))
  } else if (interaction.isMessageContextMenuCommand()) {
    const isPrivate = options.menuCommandByName.get(interaction.commandName)?.isPrivate ?? true
    await respond(interaction, isPrivate, explained(options, interaction, pickUp(options, interaction)))
  } else if (interaction.isMessageComponent() || interaction.isModalSubmit()) {
    await respond(interaction, true, explained(options, interaction, use(options, interaction)))
  }
}

async function run(options: DispatcherState, interaction: ChatInputCommandInteraction): Promise<Reply> {
  const asked = parseInvocation(interaction, options.scope())
  const subcommand = findSubcommand(options, interaction)
  // Discord may keep offering a command of an earlier version for a while.
  if (!subcommand) throw new Refusal(asked.words.refused.tooOld)
  const { rule } = subcommand
  return runCommand(options, interaction, { asked, rule, isNamed: rule !== 'anyone' }, (invocation, context) =>
    subcommand.run(interaction.options, invocation, context),
  )
}

async function pickUp(options: DispatcherState, interaction: MessageContextMenuCommandInteraction): Promise<Reply> {
  const asked = parseInvocation(interaction, options.scope())
  const command = options.menuCommandByName.get(interaction.commandName)
  if (!command) throw new Refusal(asked.words.refused.tooOld)
  return runCommand(options, interaction, { asked, rule: command.rule, isNamed: false }, (invocation, context) =>
    command.run({ ...invocation, options: readPicked(interaction) }, context),
  )
}

/** Runs a command where its area is switched on. */
function runCommand(
  { routing, areaOf }: DispatcherState,
  { commandName }: { readonly commandName: string },
  asked: Omit<Asked, 'isOwnMessage'>,
  act: (invocation: Invocation, context: CommandContext) => Promise<Reply>,
): Promise<Reply> {
  return runRouted(routing, { ...asked, isOwnMessage: true }, async ({ invocation, context }) => {
    await assertSwitchedOn(areaOf(commandName), invocation, context)
    return act(invocation, context)
  })
}

async function use(options: DispatcherState, interaction: Pressed | ModalSubmitInteraction): Promise<Reply> {
  const asked = parseInvocation(interaction, options.scope())
  const { name, parts } = splitId(interaction.customId)
  const component = options.componentByName.get(name)
  const act = component?.bind(parts)
  if (!component || !act) throw new Refusal(asked.words.refused.tooOld)
  // What the member alone sees was an answer to the member; any other message is about the bot that posted it.
  const isOwnMessage = interaction.message?.flags.has(MessageFlags.Ephemeral) ?? false
  return runRouted(
    options.routing,
    { asked, rule: component.rule, isNamed: true, isOwnMessage },
    ({ invocation, context }) => act(invocation, context, inputOf(interaction)),
  )
}

async function explained(options: DispatcherState, interaction: RepliableInteraction, work: Promise<Reply>) {
  try {
    const reply = await work
    return (await isQuiet(options, interaction)) ? quiet(reply) : reply
  } catch (err) {
    const words = WORDS[languageOf(interaction.locale)]
    const known = explain(err, words, lookupName(options, interaction))
    if (known !== null) return replyPrivately(known)
    options.log.error({ err, ...locate(options, interaction) }, 'command failed')
    return replyPrivately(words.failed.bug({ reference: interaction.id }))
  }
}

/** The name of a command that has nothing to do with music, as the member sees it. */
function lookupName(options: DispatcherState, interaction: RepliableInteraction): string | undefined {
  if (!interaction.isChatInputCommand() || findSubcommand(options, interaction)?.rule !== 'anyone') return undefined
  const { commandName, locale } = interaction
  return options.byName.get(commandName)?.definition.name_localizations?.[locale] ?? commandName
}

async function isQuiet({ isRequestChannel }: DispatcherState, { channelId }: Interaction): Promise<boolean> {
  return channelId !== null && isRequestChannel(channelId)
}

/** In a request channel, answers are ephemeral, so only the card is visible. */
function quiet(reply: Reply): Reply {
  return reply.as === 'message' && !reply.onSent ? { ...reply, isPrivate: true } : reply
}

async function choicesFor(options: DispatcherState, interaction: AutocompleteInteraction) {
  const { name: option, value: typed } = interaction.options.getFocused(true)
  const suggest = findSubcommand(options, interaction)?.options[option]?.suggest
  if (!suggest) return []
  try {
    const { invocation, context } = options.routing.look(parseInvocation(interaction, options.scope()))
    const choices = await withTimeout(
      SUGGEST_WITHIN_MS,
      suggest(typed, invocation, context, (name) => filledIn(interaction, name)),
      () => [],
    )
    return choices.slice(0, MOST_CHOICES).map(({ name, value }) => ({ name: cut(name, LONGEST_CHOICE), value }))
  } catch (err) {
    options.log.debug({ err, ...locate(options, interaction) }, 'autocomplete failed')
    return []
  }
}

function filledIn({ options }: AutocompleteInteraction, name: string): string | null {
  const value = options.get(name)?.value
  return value === undefined || value === '' ? null : String(value)
}

function findSubcommand(
  { byName }: DispatcherState,
  interaction: ChatInputCommandInteraction | AutocompleteInteraction,
) {
  return byName.get(interaction.commandName)?.find(interaction.options.getSubcommand(false))
}

function inputOf(interaction: RepliableInteraction): ComponentInput {
  const values = interaction.isAnySelectMenu() ? interaction.values : []
  const fields = interaction.isModalSubmit()
    ? interaction.fields.fields.map(
        ({ customId }) => [customId, interaction.fields.getTextInputValue(customId)] as const,
      )
    : []
  return { values, fields: new Map(fields) }
}
