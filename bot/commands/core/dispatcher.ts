import type {
  AutocompleteInteraction,
  ChatInputCommandInteraction,
  Interaction,
  MessageContextMenuCommandInteraction,
  ModalSubmitInteraction,
} from 'discord.js'
import type { Logger } from '../../../lib/log.ts'
import { runForProject, runInContext } from '../../../lib/request-context.ts'
import type { PlayerScope } from '../../music.ts'
import { toCall } from './parse-interaction.ts'
import type { Command } from './command.ts'
import { splitId, type Component, type Input } from './component.ts'
import { languageOf } from '../i18n/languages.ts'
import { readPicked, type MenuCommand } from './menu-command.ts'
import type { Choice } from './options.ts'
import { explain, Refusal } from './error-message.ts'
import { whisper, type Answer } from './reply.ts'
import { respond, type Asking, type Pressed } from './response.ts'
import { assertAllowed } from '../permissions/rules.ts'
import { cut } from './autocomplete.ts'
import type { CommandContext } from './command-context.ts'
import { WORDS } from '../words/index.ts'

/** Discord shows choices for three seconds after each key. */
const SUGGEST_WITHIN_MS = 2000
const MOST_CHOICES = 25
const LONGEST_CHOICE = 100

export interface DispatcherOptions {
  readonly commands: readonly Command[]
  readonly menuCommands: readonly MenuCommand[]
  readonly components: readonly Component[]
  readonly tools: CommandContext
  /** As whom the music is asked, with what the project's plan allows now. */
  readonly who: () => PlayerScope
  readonly log: Logger
}

/** Brings what members do to the command or component that it means, and brings the answer back. Never throws. */
export function createDispatcher(options: DispatcherOptions): (interaction: Interaction) => Promise<void> {
  const desk: Desk = {
    ...options,
    byName: new Map(options.commands.map((it) => [it.name, it])),
    menuCommandByName: new Map(options.menuCommands.map((it) => [it.name, it])),
    componentByName: new Map(options.components.map((it) => [it.name, it])),
  }
  return (interaction) =>
    runInContext({ fields: { reference: interaction.id }, isOver: false }, async () => {
      try {
        await runForProject(options.who().projectId, () => dispatch(desk, interaction))
      } catch (err) {
        // The member has gone on, or Discord is away: there is nobody to tell.
        options.log.warn({ err, ...placeOf(desk, interaction) }, 'interaction not answered')
      }
    })
}

interface Desk extends DispatcherOptions {
  readonly byName: ReadonlyMap<string, Command>
  readonly menuCommandByName: ReadonlyMap<string, MenuCommand>
  readonly componentByName: ReadonlyMap<string, Component>
}

function placeOf({ who }: Desk, { guildId }: Interaction) {
  return { botId: who().botId, guildId }
}

async function dispatch(desk: Desk, interaction: Interaction): Promise<void> {
  if (interaction.isAutocomplete()) {
    await interaction.respond([...(await choicesFor(desk, interaction))])
  } else if (interaction.isChatInputCommand()) {
    const isPrivate = findDeed(desk, interaction)?.isPrivate ?? true
    await respond(interaction, isPrivate, explained(desk, interaction, run(desk, interaction)))
  } else if (interaction.isMessageContextMenuCommand()) {
    const isPrivate = desk.menuCommandByName.get(interaction.commandName)?.isPrivate ?? true
    await respond(interaction, isPrivate, explained(desk, interaction, pickUp(desk, interaction)))
  } else if (interaction.isMessageComponent() || interaction.isModalSubmit()) {
    await respond(interaction, true, explained(desk, interaction, use(desk, interaction)))
  }
}

async function run(desk: Desk, interaction: ChatInputCommandInteraction): Promise<Answer> {
  const call = toCall(interaction, desk.who())
  const deed = findDeed(desk, interaction)
  // Discord may go on offering a command of an earlier version for a while.
  if (!deed) throw new Refusal(call.words.refused.tooOld)
  await assertAllowed(deed.rule, call, desk.tools)
  return deed.run(interaction.options, call, desk.tools)
}

async function pickUp(desk: Desk, interaction: MessageContextMenuCommandInteraction): Promise<Answer> {
  const call = toCall(interaction, desk.who())
  const command = desk.menuCommandByName.get(interaction.commandName)
  if (!command) throw new Refusal(call.words.refused.tooOld)
  await assertAllowed(command.rule, call, desk.tools)
  return command.run({ ...call, options: readPicked(interaction) }, desk.tools)
}

async function use(desk: Desk, interaction: Pressed | ModalSubmitInteraction): Promise<Answer> {
  const call = toCall(interaction, desk.who())
  const { name, parts } = splitId(interaction.customId)
  const component = desk.componentByName.get(name)
  const act = component?.bind(parts)
  if (!component || !act) throw new Refusal(call.words.refused.tooOld)
  await assertAllowed(component.rule, call, desk.tools)
  return act(call, desk.tools, inputOf(interaction))
}

async function explained(desk: Desk, interaction: Asking, work: Promise<Answer>): Promise<Answer> {
  try {
    return await work
  } catch (err) {
    const words = WORDS[languageOf(interaction.locale)]
    const known = explain(err, words)
    if (known !== null) return whisper(known)
    desk.log.error({ err, ...placeOf(desk, interaction) }, 'command failed')
    return whisper(words.failed.bug(interaction.id))
  }
}

async function choicesFor(desk: Desk, interaction: AutocompleteInteraction): Promise<readonly Choice[]> {
  const { name: option, value: typed } = interaction.options.getFocused(true)
  const suggest = findDeed(desk, interaction)?.options[option]?.suggest
  if (!suggest) return []
  try {
    const call = toCall(interaction, desk.who())
    const choices = await inTime(suggest(typed, call, desk.tools, (name) => filledIn(interaction, name)))
    return choices.slice(0, MOST_CHOICES).map(({ name, value }) => ({ name: cut(name, LONGEST_CHOICE), value }))
  } catch (err) {
    desk.log.debug({ err, ...placeOf(desk, interaction) }, 'nothing suggested')
    return []
  }
}

function filledIn({ options }: AutocompleteInteraction, name: string): string | null {
  const value = options.get(name)?.value
  return value === undefined || value === '' ? null : String(value)
}

function findDeed({ byName }: Desk, interaction: ChatInputCommandInteraction | AutocompleteInteraction) {
  return byName.get(interaction.commandName)?.find(interaction.options.getSubcommand(false))
}

function inputOf(interaction: Asking): Input {
  const values = interaction.isStringSelectMenu() ? interaction.values : []
  const fields = interaction.isModalSubmit()
    ? interaction.fields.fields.map(
        ({ customId }) => [customId, interaction.fields.getTextInputValue(customId)] as const,
      )
    : []
  return { values, fields: new Map(fields) }
}

async function inTime<T>(task: Promise<readonly T[]>): Promise<readonly T[]> {
  const late = Promise.withResolvers<readonly T[]>()
  const timer = setTimeout(() => late.resolve([]), SUGGEST_WITHIN_MS)
  try {
    return await Promise.race([task, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
