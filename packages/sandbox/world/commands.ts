import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  type APIApplicationCommand,
} from 'discord-api-types/v10'
import { z } from 'zod'
import { DiscordError, invalidForm } from './errors.ts'
import type { Application, World } from './world.ts'

const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u
const name = z.string().min(1).max(32)
const description = z.string().min(1).max(100)
const chatName = name
  .regex(NAME, 'Command name is invalid')
  .refine((text) => text === text.toLowerCase(), 'Command name is invalid')
const localizations = z.record(z.string(), z.string()).nullish()

const Choice = z.looseObject({ name: z.string().min(1).max(100), value: z.union([z.string().max(100), z.number()]) })
const Option = z.looseObject({
  type: z.enum(ApplicationCommandOptionType),
  name: chatName,
  description,
  required: z.boolean().optional(),
  autocomplete: z.boolean().optional(),
  choices: z.array(Choice).max(25).optional(),
  get options() {
    return z.array(Option).max(25).optional()
  },
})
type OptionDraft = z.infer<typeof Option>

export const CommandDraft = z.looseObject({
  id: z.string().optional(),
  type: z.enum(ApplicationCommandType).default(ApplicationCommandType.ChatInput),
  name,
  name_localizations: localizations,
  description: z.string().max(100).nullish(),
  description_localizations: localizations,
  options: z.array(Option).max(25).nullish(),
  /** Text in the documentation, a number in Discord's OpenAPI document. */
  default_member_permissions: z.union([z.string(), z.int().min(0).transform(String)]).nullish(),
  dm_permission: z.boolean().nullish(),
  nsfw: z.boolean().nullish(),
  contexts: z.array(z.number().int()).nullish(),
  integration_types: z.array(z.number().int()).nullish(),
  /** Handler of an entry point: 1 for the bot, 2 for Discord. */
  handler: z.union([z.literal(1), z.literal(2)]).nullish(),
})
export type CommandDraft = z.infer<typeof CommandDraft>

/** The commands of one guild, or the global ones (`null`). */
export function commandsOf(application: Application, guildId: string | null): APIApplicationCommand[] {
  return [...application.commands.values()].filter((command) => (command.guild_id ?? null) === guildId)
}

export function getCommand(application: Application, guildId: string | null, commandId: string): APIApplicationCommand {
  const command = application.commands.get(commandId)
  if (!command || (command.guild_id ?? null) !== guildId) throw new DiscordError('unknownCommand')
  return command
}

/** The command that opens an Activity, of which an application has one at most. */
export function isEntryPoint({ type }: Pick<CommandDraft, 'type'>): boolean {
  return type === ApplicationCommandType.PrimaryEntryPoint
}

/** Returns the key by which a draft replaces a known command. */
function keyOf({ type, name: called }: Pick<CommandDraft, 'type' | 'name'>): string {
  return isEntryPoint({ type }) ? String(type) : `${type} ${called}`
}

/** Adds a command, or replaces the one of the same name and type. Says whether it is new. */
export function putCommand(
  world: World,
  application: Application,
  guildId: string | null,
  draft: CommandDraft,
): { command: APIApplicationCommand; isNew: boolean } {
  checkCommand(draft)
  const known = commandsOf(application, guildId).find((one) => keyOf(one) === keyOf(draft))
  const command = describe(draft, {
    id: known?.id ?? world.nextId(),
    application_id: application.id,
    version: world.nextId(),
    ...(guildId === null ? {} : { guild_id: guildId }),
  })
  application.commands.set(command.id, command)
  world.notices.emit('applications')
  return { command, isNew: !known }
}

export function editCommand(
  world: World,
  application: Application,
  before: APIApplicationCommand,
  change: Partial<CommandDraft>,
): APIApplicationCommand {
  const draft = CommandDraft.parse({ ...before, ...change, type: before.type })
  checkCommand(draft)
  const { id, application_id, guild_id } = before
  const place = guild_id === undefined ? {} : { guild_id }
  const command = describe(draft, { id, application_id, version: world.nextId(), ...place })
  application.commands.set(id, command)
  world.notices.emit('applications')
  return command
}

/** The whole list again. Commands whose name and type stay keep their id. */
export function setCommands(
  world: World,
  application: Application,
  guildId: string | null,
  drafts: readonly CommandDraft[],
): APIApplicationCommand[] {
  for (const [i, draft] of drafts.entries()) checkCommand(draft, `${i}.`)
  const keys = drafts.map(keyOf)
  if (new Set(keys).size < keys.length) {
    throw invalidForm('_', 'APPLICATION_COMMANDS_DUPLICATE_NAME', 'Application command names must be unique')
  }
  if (guildId === null && commandsOf(application, null).some(isEntryPoint) && !drafts.some(isEntryPoint)) {
    throw new DiscordError('entryPointRemoved')
  }
  for (const old of commandsOf(application, guildId)) {
    if (!keys.includes(keyOf(old))) application.commands.delete(old.id)
  }
  const set = drafts.map((draft) => putCommand(world, application, guildId, draft).command)
  world.notices.emit('applications')
  return set
}

export function deleteCommand(world: World, application: Application, command: APIApplicationCommand): void {
  application.commands.delete(command.id)
  world.notices.emit('applications')
}

type Identity = Pick<APIApplicationCommand, 'id' | 'application_id' | 'version' | 'guild_id'>

function describe(draft: CommandDraft, identity: Identity): APIApplicationCommand {
  const isGlobal = identity.guild_id === undefined
  const command = {
    ...identity,
    type: draft.type,
    name: draft.name,
    name_localizations: draft.name_localizations ?? null,
    description: draft.type === ApplicationCommandType.ChatInput ? (draft.description ?? '') : '',
    description_localizations: draft.description_localizations ?? null,
    default_member_permissions: draft.default_member_permissions ?? null,
    nsfw: draft.nsfw ?? false,
    ...(draft.handler ? { handler: draft.handler } : {}),
    ...(draft.options ? { options: draft.options } : {}),
    ...(isGlobal
      ? {
          dm_permission: draft.dm_permission ?? true,
          contexts: draft.contexts ?? null,
          integration_types: draft.integration_types ?? [ApplicationIntegrationType.GuildInstall],
        }
      : {}),
  }
  // The schema above has seen to the shape of the options, which the library's types spell out kind by kind.
  return command as APIApplicationCommand
}

/** `at` is where the command stands in the body, for the tree of errors. */
function checkCommand({ type, name: called, description: told, options }: CommandDraft, at = ''): void {
  if (type !== ApplicationCommandType.ChatInput) return
  if (!chatName.safeParse(called).success) {
    throw invalidForm(`${at}name`, 'APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid')
  }
  if (!told) throw invalidForm(`${at}description`, 'BASE_TYPE_REQUIRED', 'This field is required')
  checkOptions(options ?? [], `${at}options`)
}

function checkOptions(options: readonly OptionDraft[], path: string): void {
  let optionalSeen = false
  const names = new Set<string>()
  for (const [i, option] of options.entries()) {
    if (option.required && optionalSeen) {
      const say = 'Required options must be placed before non-required options'
      throw invalidForm(`${path}.${i}`, 'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID', say)
    }
    if (names.has(option.name)) {
      throw invalidForm(
        `${path}.${i}.name`,
        'APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS',
        'Option name already exists',
      )
    }
    if (option.autocomplete && option.choices?.length) {
      throw invalidForm(`${path}.${i}.choices`, 'BASE_TYPE_BAD_LENGTH', 'Choices and autocomplete exclude each other')
    }
    names.add(option.name)
    optionalSeen ||= !option.required
    checkOptions(option.options ?? [], `${path}.${i}.options`)
  }
}
