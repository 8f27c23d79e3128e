import {
  ApplicationCommandOptionType as T,
  ApplicationCommandType,
  type APIApplicationCommand,
  type APIApplicationCommandOption,
  type APIAttachment,
  type APIInteractionDataResolved,
} from 'discord-api-types/v10'
import { may, permissionsOf, Permission } from './permissions.ts'
import type { Application, Channel, Guild } from './world.ts'

/** Why Discord's own app would not let someone do what they ask for. The message says what to change. */
export class InvocationError extends Error {
  override readonly name = 'InvocationError'
}

type OptionValue = string | number | boolean

/** A file for an option that takes one. */
export interface GivenFile {
  readonly name: string
  readonly type: string
  readonly base64: string
}

interface GivenOption {
  readonly name: string
  readonly type: T
  readonly value?: OptionValue
  readonly focused?: boolean
  readonly options?: readonly GivenOption[]
}

export interface Invocation {
  readonly command: APIApplicationCommand
  readonly options: readonly GivenOption[]
  readonly resolved: APIInteractionDataResolved
}

export interface Asked {
  readonly guild: Guild
  readonly application: Application
  readonly channel: Channel
  readonly userId: string
  /** `play`, or with its subcommand: `queue move`. */
  readonly command: string
  readonly options: Readonly<Record<string, OptionValue | GivenFile>>
  /** Keeps a file where the bot can fetch it. */
  readonly attach: (file: GivenFile) => APIAttachment
  /** The option being typed: only an autocomplete has one. */
  readonly focused?: string
}

/** Data that the app sends for a completed slash command, checked as the app checks it. */
export function fillIn(asked: Asked): Invocation {
  const [name = '', ...sub] = asked.command.trim().split(/\s+/)
  const command = findCommand(asked, name, ApplicationCommandType.ChatInput)
  const resolved: APIInteractionDataResolved = {}
  return { command, options: descend(asked, command.options ?? [], sub, resolved), resolved }
}

/** A command someone sees: of the guild before the global ones, and only with the permissions it asks for. */
export function findCommand(
  { guild, application, channel, userId }: Pick<Asked, 'guild' | 'application' | 'channel' | 'userId'>,
  name: string,
  type: ApplicationCommandType,
): APIApplicationCommand {
  const fits = [...application.commands.values()].filter((one) => one.type === type && one.name === name)
  const command = fits.find((one) => one.guild_id === guild.id) ?? fits.find((one) => one.guild_id === undefined)
  if (!command) {
    const known = [...application.commands.values()].filter((one) => one.type === type).map((one) => one.name)
    throw new InvocationError(`Unknown command "${name}". Commands of this type: ${known.join(', ') || 'none'}.`)
  }
  if (!may(guild, userId, Permission.UseApplicationCommands, channel)) {
    throw new InvocationError("The member can't use commands in this channel.")
  }
  const needed = command.default_member_permissions
  if (needed !== null && (permissionsOf(guild, userId, channel) & BigInt(needed)) !== BigInt(needed)) {
    throw new InvocationError(`The member doesn't see "${name}", which needs permissions that they lack.`)
  }
  return command
}

type Definition = APIApplicationCommandOption

function descend(
  asked: Asked,
  defined: readonly Definition[],
  sub: readonly string[],
  resolved: APIInteractionDataResolved,
): GivenOption[] {
  const branches = defined.filter(({ type }) => type === T.Subcommand || type === T.SubcommandGroup)
  const [next, ...rest] = sub
  if (branches.length === 0 && next === undefined) return fillOptions(asked, defined, resolved)
  const branch = branches.find(({ name }) => name === next)
  if (!branch) throw new InvocationError(`Send a subcommand: ${branches.map(({ name }) => name).join(', ') || 'none'}.`)
  const inner = 'options' in branch ? (branch.options ?? []) : []
  return [{ name: branch.name, type: branch.type, options: descend(asked, inner, rest, resolved) }]
}

function fillOptions(
  asked: Asked,
  defined: readonly Definition[],
  resolved: APIInteractionDataResolved,
): GivenOption[] {
  const known = new Set(defined.map(({ name }) => name))
  for (const name of Object.keys(asked.options)) {
    if (!known.has(name))
      throw new InvocationError(`Unknown option "${name}". Options: ${[...known].join(', ') || 'none'}.`)
  }
  return defined.flatMap((definition) => {
    const value = asked.options[definition.name]
    const focused = asked.focused === definition.name
    if (value === undefined && !focused) {
      if (definition.required && asked.focused === undefined)
        throw new InvocationError(`Option "${definition.name}" is required.`)
      return []
    }
    // An option being typed is sent unchecked.
    if (focused)
      return [
        {
          name: definition.name,
          type: definition.type,
          value: typeof value === 'object' ? '' : String(value ?? ''),
          focused,
        },
      ]
    const given = toValue(asked, definition, value ?? '', resolved)
    checkValue(definition, given)
    resolve(asked, definition, given, resolved)
    return [{ name: definition.name, type: definition.type, value: given }]
  })
}

/** Files are sent along and meant by their ids. */
function toValue(
  { attach }: Asked,
  { name, type }: Definition,
  given: OptionValue | GivenFile,
  resolved: APIInteractionDataResolved,
): OptionValue {
  const isFile = typeof given === 'object'
  if (isFile !== (type === T.Attachment)) {
    throw new InvocationError(
      `Option "${name}" ${isFile ? "doesn't accept a file" : 'must be a file: {name, type, base64}'}.`,
    )
  }
  if (!isFile) return given
  const kept = attach(given)
  resolved.attachments = { ...resolved.attachments, [kept.id]: kept }
  return kept.id
}

const WANTED: Partial<Record<T, 'string' | 'number' | 'boolean'>> = {
  [T.Boolean]: 'boolean',
  [T.Integer]: 'number',
  [T.Number]: 'number',
}

function checkValue(definition: Definition, value: OptionValue): void {
  const { name, type } = definition
  const wanted = WANTED[type] ?? 'string'
  if (typeof value !== wanted) throw new InvocationError(`Option "${name}" must be a ${wanted}.`)
  if (type === T.Integer && !Number.isInteger(value))
    throw new InvocationError(`Option "${name}" must be a whole number.`)
  if (
    'choices' in definition &&
    definition.choices?.length &&
    !definition.choices.some((choice) => choice.value === value)
  ) {
    const values = definition.choices.map((choice) => choice.value)
    throw new InvocationError(`Option "${name}" must be one of ${values.join(', ')}.`)
  }
  const size = typeof value === 'string' ? value.length : Number(value)
  const least =
    'min_value' in definition ? definition.min_value : 'min_length' in definition ? definition.min_length : undefined
  const most =
    'max_value' in definition ? definition.max_value : 'max_length' in definition ? definition.max_length : undefined
  if ((least !== undefined && size < least) || (most !== undefined && size > most)) {
    throw new InvocationError(`Option "${name}" must be between ${least ?? 'anything'} and ${most ?? 'anything'}.`)
  }
}

/** Adds the thing that an id means to what the bot is told. */
function resolve(
  { guild }: Asked,
  { name, type }: Definition,
  value: OptionValue,
  resolved: APIInteractionDataResolved,
): void {
  const id = String(value)
  if (type === T.Attachment) return
  const isUser = type === T.User || (type === T.Mentionable && guild.members.has(id))
  if (isUser) return addUser(guild, id, resolved)
  if (type === T.Channel) {
    const channel = guild.channels.get(id)
    if (!channel) throw new InvocationError(`Option "${name}": the guild has no channel ${id}.`)
    const permissions = String(permissionsOf(guild, guild.ownerId, channel))
    resolved.channels = { ...resolved.channels, [id]: { id, type: channel.type, name: channel.name, permissions } }
  }
  if (type === T.Role || type === T.Mentionable) {
    const role = guild.roles.get(id)
    if (!role) throw new InvocationError(`Option "${name}": the guild has no role ${id}.`)
    resolved.roles = { ...resolved.roles, [id]: role }
  }
}

export function addUser(guild: Guild, id: string, resolved: APIInteractionDataResolved): void {
  const member = guild.members.get(id)
  if (!member) throw new InvocationError(`The guild has no member ${id}.`)
  resolved.users = { ...resolved.users, [id]: member.user }
  const { user: _user, mute: _mute, deaf: _deaf, ...rest } = member
  resolved.members = { ...resolved.members, [id]: { ...rest, permissions: String(permissionsOf(guild, id)) } }
}
