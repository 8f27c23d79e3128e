import {
  ApplicationCommandType,
  type APIEmbed,
  type Message,
  type MessageContextMenuCommandInteraction,
  type RESTPostAPIContextMenuApplicationCommandsJSONBody,
} from 'discord.js'
import type { Invocation, CommandContext } from './invocation.ts'
import { WHERE_USED } from './command.ts'
import type { Localised } from '../../../lib/texts/languages.ts'
import type { Label } from './options.ts'
import { nameLocalisations } from '../i18n/localisations.ts'
import type { Reply } from './reply.ts'
import type { Rule } from '../permissions/rules.ts'

interface PickedMessage {
  /** All that can be read in it: its words, else those of its embeds; empty if there are none. */
  readonly text: string
  readonly author: string
  readonly url: string
}

interface MenuCommandSpec {
  readonly name: string
  /** Without descriptions: a menu shows names only. */
  readonly labels: Localised<Label>
  readonly rule: Rule
  readonly isPrivate: boolean
  readonly run: (invocation: Invocation<PickedMessage>, context: CommandContext) => Promise<Reply>
}

/** A command in the menu of a message, under "Apps". Discord shows five of a bot at most. */
export interface MenuCommand extends Omit<MenuCommandSpec, 'labels'> {
  readonly definition: RESTPostAPIContextMenuApplicationCommandsJSONBody
}

export function menuCommand({ labels, ...spec }: MenuCommandSpec): MenuCommand {
  const names = nameLocalisations(labels)
  const definition = { name: spec.name, name_localizations: names, type: ApplicationCommandType.Message as const }
  return { ...spec, definition: { ...definition, ...WHERE_USED } }
}

export function readPicked({ targetMessage }: MessageContextMenuCommandInteraction): PickedMessage {
  const { author, content, embeds, url } = targetMessage
  const text = content.trim() === '' ? embeds.map(({ data }) => textOf(data)).join('\n\n') : content
  return { text: text.trim(), author: nameOf(targetMessage) ?? author.displayName, url }
}

function nameOf({ member }: Message): string | undefined {
  return member?.displayName
}

function textOf({ title, description, fields = [] }: APIEmbed): string {
  const inFields = fields.map(({ name, value }) => `${name}\n${value}`)
  return [title, description, ...inFields].filter((part) => part !== undefined).join('\n')
}
