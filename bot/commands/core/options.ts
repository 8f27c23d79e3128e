import { eachLanguage, pick, type Localised } from '../../../lib/texts/languages.ts'
import {
  ApplicationCommandOptionType as Type,
  type APIApplicationCommandBasicOption,
  type ChannelType,
  type ChatInputCommandInteraction,
} from 'discord.js'
import { z } from 'zod'
import type { Invocation, CommandContext } from './invocation.ts'
import { localisations, nameLocalisations } from '../i18n/localisations.ts'
import type { AutocompleteChoice } from './autocomplete.ts'

const AVATAR_SIZE = 512
/** Discord takes no longer texts. */
const LONGEST_TEXT = 6000

type Given = ChatInputCommandInteraction['options']

/** What could be meant by what a member has typed so far. Slow or failing ones offer nothing. */
export type Suggest = (
  typed: string,
  invocation: Invocation,
  context: CommandContext,
  filledIn: FilledIn,
) => Promise<readonly AutocompleteChoice<string | number>[]>

/** The value of another option during autocomplete; null if empty. */
type FilledIn = (option: string) => string | null

/** Something that a member fills in. */
export interface Option<V> {
  readonly isRequired: boolean
  /** Value of an empty option. */
  readonly byDefault: unknown
  readonly suggest: Suggest | null
  readonly describe: (name: string, labels: Localised<Label>) => APIApplicationCommandBasicOption
  readonly read: (given: Given, name: string) => V
}

export type Options = Readonly<Record<string, Option<unknown>>>

/** What was filled in, by the options' names. */
export type Values<O extends Options> = { readonly [Key in keyof O]: O[Key] extends Option<infer V> ? V : never }

/** The same option, which may be left out. */
export function optional<V>(option: Option<V>): Option<V | null> {
  return { ...option, isRequired: false }
}

/**
 * @param read Discord has seen to it that required options are there.
 * @param more what the definition has beside the labels and the type.
 */
function option<V>(
  type: APIApplicationCommandBasicOption['type'],
  read: (given: Given, name: string) => V | null | undefined,
  more: object | ((labels: Localised<Label>) => object) = {},
): Option<V> {
  return {
    isRequired: true,
    byDefault: null,
    suggest: null,
    describe(name, labels) {
      const own = typeof more === 'function' ? more(labels) : more
      return { ...localisations(name, labels), type, ...own } as APIApplicationCommandBasicOption
    },
    read: (given, name) => read(given, name) as V,
  }
}

export function text({ max, suggest }: { readonly max: number; readonly suggest?: Suggest }): Option<string> {
  const limits = { min_length: 1, max_length: max, ...(suggest && { autocomplete: true }) }
  return { ...option(Type.String, (given, name) => given.getString(name), limits), suggest: suggest ?? null }
}

/** An input of a route as an option: its length, its choices and its default are those of the schema. */
export function input<S extends z.ZodType<string | undefined>>(
  schema: S,
  { max = LONGEST_TEXT, suggest, names }: InputOptions<z.output<S>> = {},
): Option<z.output<S>> {
  const known = z.toJSONSchema(schema, { io: 'input' })
  const kind = known.enum
    ? choice(known.enum as (z.output<S> & string)[], names)
    : text({ max: Math.min(max, known.maxLength ?? LONGEST_TEXT), ...(suggest && { suggest }) })
  const isRequired = !schema.safeParse(undefined).success
  return { ...kind, isRequired, byDefault: known.default ?? null } as Option<z.output<S>>
}

interface InputOptions<V> {
  /** Shortens what the route takes. */
  readonly max?: number
  readonly suggest?: Suggest
  /** Names of choices that are the same in every language. */
  readonly names?: Readonly<Record<V & string, string>>
}

/** One of a few. Each is called as its label says, or as `names` does where a name is the same in every language. */
export function choice<const V extends string>(values: readonly V[], names?: Readonly<Record<V, string>>): Option<V> {
  const read = (given: Given, name: string) => given.getString(name) as V | null
  return option(Type.String, read, (labels) => ({
    choices: values.map((value) => {
      if (names) return { name: names[value], value }
      const inner = mapLabels(labels, value)
      return { name: inner.en.name, name_localizations: nameLocalisations(inner), value }
    }),
  }))
}

interface WholeOptions {
  readonly min: number
  readonly max: number
  /** Values of its choices are numbers. */
  readonly suggest?: Suggest
}

export function whole({ min, max, suggest }: WholeOptions): Option<number> {
  const limits = { min_value: min, max_value: max, ...(suggest && { autocomplete: true }) }
  return { ...option(Type.Integer, (given, name) => given.getInteger(name), limits), suggest: suggest ?? null }
}

export function flag(): Option<boolean> {
  return option(Type.Boolean, (given, name) => given.getBoolean(name))
}

/** The id of a role. */
export function role(): Option<string> {
  return option(Type.Role, (given, name) => given.getRole(name)?.id)
}

export interface Person {
  readonly id: string
  readonly name: string
  readonly avatarUrl: string
}

export function person(): Option<Person> {
  return option(Type.User, (given, name) => {
    const user = given.getUser(name)
    return user && { id: user.id, name: user.displayName, avatarUrl: user.displayAvatarURL({ size: AVATAR_SIZE }) }
  })
}

/** A user, as the URL of their avatar. */
export function avatar(): Option<string> {
  return option(Type.User, (given, name) => given.getUser(name)?.displayAvatarURL({ size: AVATAR_SIZE }))
}

/** A file that is sent along, as its address. */
export function attachment(): Option<string> {
  return option(Type.Attachment, (given, name) => given.getAttachment(name)?.url)
}

/** A file that is sent along, with what Discord says of it. */
export interface SentFile {
  /** Discord lets it expire after about a day. */
  readonly url: string
  readonly name: string
  readonly bytes: number
  /** As its name suggests; null if that says nothing. */
  readonly mediaType: string | null
}

export function file(): Option<SentFile> {
  return option(Type.Attachment, (given, name) => {
    const sent = given.getAttachment(name)
    return sent && { url: sent.url, name: sent.name, bytes: sent.size, mediaType: sent.contentType }
  })
}

/** The id of a channel. */
export function channel(types: readonly (ChannelType.GuildText | ChannelType.GuildVoice)[]): Option<string> {
  return option(Type.Channel, (given, name) => given.getChannel(name)?.id, { channel_types: [...types] })
}

/** The options' definitions for Discord; required ones come first, as it demands. */
export function describeOptions(options: Options, labels: Localised<Label>): APIApplicationCommandBasicOption[] {
  return Object.entries(options)
    .toSorted(([, a], [, b]) => Number(b.isRequired) - Number(a.isRequired))
    .map(([name, option]) => {
      const described = option.describe(name, mapLabels(labels, name))
      return Object.assign(described, { required: option.isRequired })
    })
}

export function readOptions<O extends Options>(options: O, given: Given): Values<O> {
  const values = Object.entries(options).map(([name, option]) => [name, option.read(given, name) ?? option.byDefault])
  return Object.fromEntries(values) as Values<O>
}

/** Values that do not come from Discord, checked already; an option without one has its default. */
export function fillOptions<O extends Options>(options: O, values: Readonly<Record<string, unknown>>): Values<O> {
  const filled = Object.entries(options).map(([name, { byDefault }]) => [name, values[name] ?? byDefault])
  return Object.fromEntries(filled) as Values<O>
}

/** The labels of something inside. @throws {Error} when a language has none: the sets of labels are typed, but by hand. */
export function mapLabels(labels: Localised<Label>, name: string): Localised<Label> {
  const entries = Object.entries(labels).map(([language, label]) => {
    const inner = label.options?.[name]
    if (!inner) throw new Error(`"${label.name}" has no label for "${name}" in ${language}.`)
    return [language, typeof inner === 'string' ? { name: inner, description: '' } : inner]
  })
  return Object.fromEntries(entries) as Localised<Label>
}

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
