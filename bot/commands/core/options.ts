import {
  ApplicationCommandOptionType as Type,
  type APIApplicationCommandBasicOption,
  type ChannelType,
  type ChatInputCommandInteraction,
} from 'discord.js'
import type { Call } from './invocation.ts'
import type { Localised } from '../i18n/languages.ts'
import type { Label } from '../labels/label.ts'
import { localisations } from '../i18n/localisations.ts'
import type { CommandContext } from './command-context.ts'

const AVATAR_SIZE = 512

type Given = ChatInputCommandInteraction['options']

export interface Choice {
  /** At most 100 characters; longer ones are cut. */
  readonly name: string
  /** At most 100 characters. */
  readonly value: string
}

/** What could be meant by what a member has typed so far. Slow or failing ones offer nothing. */
export type Suggest = (
  typed: string,
  call: Call,
  tools: CommandContext,
  filledIn: FilledIn,
) => Promise<readonly Choice[]>

/** What stands in the command's other options while one is typed; null where nothing does. */
export type FilledIn = (option: string) => string | null

/** Something that a member fills in. */
export interface Option<V> {
  readonly isRequired: boolean
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

export function text({ max, suggest }: { readonly max: number; readonly suggest?: Suggest }): Option<string> {
  const limits = { min_length: 1, max_length: max }
  return {
    isRequired: true,
    suggest: suggest ?? null,
    describe: (name, labels) => {
      const base = { ...localisations(name, labels), ...limits, type: Type.String as const }
      return suggest ? { ...base, autocomplete: true } : base
    },
    // Discord has seen to it that required options are there.
    read: (given, name) => given.getString(name) as string,
  }
}

/** One of a few. Each is called as its label says, or as `names` does where a name is the same in every language. */
export function choice<const V extends string>(values: readonly V[], names?: Readonly<Record<V, string>>): Option<V> {
  return {
    isRequired: true,
    suggest: null,
    describe: (name, labels) => ({
      ...localisations(name, labels),
      type: Type.String,
      choices: values.map((value) => {
        if (names) return { name: names[value], value }
        const inner = mapLabels(labels, value)
        return { name: inner.en[0], name_localizations: localisations(value, inner).name_localizations, value }
      }),
    }),
    read: (given, name) => given.getString(name) as V,
  }
}

export function whole({ min, max }: { readonly min: number; readonly max: number }): Option<number> {
  return {
    isRequired: true,
    suggest: null,
    describe: (name, labels) => ({
      ...localisations(name, labels),
      type: Type.Integer,
      min_value: min,
      max_value: max,
    }),
    read: (given, name) => given.getInteger(name) as number,
  }
}

export function flag(): Option<boolean> {
  return {
    isRequired: true,
    suggest: null,
    describe: (name, labels) => ({ ...localisations(name, labels), type: Type.Boolean }),
    read: (given, name) => given.getBoolean(name) as boolean,
  }
}

/** The id of a role. */
export function role(): Option<string> {
  return {
    isRequired: true,
    suggest: null,
    describe: (name, labels) => ({ ...localisations(name, labels), type: Type.Role }),
    read: (given, name) => given.getRole(name)?.id as string,
  }
}

/** Somebody who was chosen. */
export interface Person {
  readonly id: string
  readonly name: string
  readonly avatarUrl: string
}

/** Somebody of the server. */
export function person(): Option<Person> {
  return {
    isRequired: true,
    suggest: null,
    describe: (name, labels) => ({ ...localisations(name, labels), type: Type.User }),
    read(given, name) {
      const user = given.getUser(name)
      return (user && {
        id: user.id,
        name: user.displayName,
        avatarUrl: user.displayAvatarURL({ size: AVATAR_SIZE }),
      }) as Person
    },
  }
}

/** Somebody, as the address of their avatar. */
export function avatar(): Option<string> {
  return {
    isRequired: true,
    suggest: null,
    describe: (name, labels) => ({ ...localisations(name, labels), type: Type.User }),
    read: (given, name) => given.getUser(name)?.displayAvatarURL({ size: AVATAR_SIZE }) as string,
  }
}

/** A file that is sent along, as its address. */
export function attachment(): Option<string> {
  return {
    isRequired: true,
    suggest: null,
    describe: (name, labels) => ({ ...localisations(name, labels), type: Type.Attachment }),
    read: (given, name) => given.getAttachment(name)?.url as string,
  }
}

/** The id of a channel. */
export function channel(types: readonly (ChannelType.GuildText | ChannelType.GuildVoice)[]): Option<string> {
  return {
    isRequired: true,
    suggest: null,
    describe: (name, labels) => ({
      ...localisations(name, labels),
      type: Type.Channel,
      channel_types: [...types],
    }),
    read: (given, name) => given.getChannel(name)?.id as string,
  }
}

/** What Discord is told of all options; required ones come first, as it demands. */
export function describeOptions(options: Options, labels: Localised<Label>): APIApplicationCommandBasicOption[] {
  return Object.entries(options)
    .toSorted(([, a], [, b]) => Number(b.isRequired) - Number(a.isRequired))
    .map(([name, option]) => {
      const described = option.describe(name, mapLabels(labels, name))
      return Object.assign(described, { required: option.isRequired })
    })
}

export function readOptions<O extends Options>(options: O, given: Given): Values<O> {
  const values = Object.entries(options).map(([name, option]) => [name, option.read(given, name) ?? null])
  return Object.fromEntries(values) as Values<O>
}

/** The labels of something inside. @throws {Error} when a language has none: the sets of labels are typed, but by hand. */
export function mapLabels(labels: Localised<Label>, name: string): Localised<Label> {
  const entries = Object.entries(labels).map(([language, label]) => {
    const inner = label[2]?.[name]
    if (!inner) throw new Error(`"${label[0]}" has no label for "${name}" in ${language}.`)
    return [language, inner]
  })
  return Object.fromEntries(entries) as Localised<Label>
}
