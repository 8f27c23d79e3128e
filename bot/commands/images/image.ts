import { escapeMarkdown } from 'discord.js'
import { Fault } from '../../../lib/errors.ts'
import type { PictureEffect, PictureOptions } from './image-service.ts'
import type { Invocation, CommandContext } from '../core/invocation.ts'
import { commandGroup, subcommand } from '../core/command.ts'
import { attachment, avatar, optional, text, type Suggest, labelOf } from '../core/options.ts'
import type { AutocompleteChoice } from '../core/autocomplete.ts'
import { Refusal, say, type Reply } from '../core/reply.ts'
import type { Words } from '../common-text.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const imageText = textOf('images', 'image')

/** What members can choose from a list; Discord shows no more. */
const MOST_SUGGESTED = 25

export const image = commandGroup({
  name: 'image',
  labels: labelOf(imageText),
  subcommands: {
    filter: subcommand({
      rule: 'anyone',
      options: optionsFor('filter'),
      run: (invocation, context) => apply('filter', invocation, context),
    }),
    overlay: subcommand({
      rule: 'anyone',
      options: { ...optionsFor('overlay'), with: optional(avatar()) },
      run: (invocation, context) => apply('overlay', invocation, context, invocation.options.with),
    }),
  },
})

function optionsFor(kind: PictureOptions['kind']) {
  return {
    effect: text({ max: 50, suggest: suggestEffects(kind) }),
    member: optional(avatar()),
    picture: optional(attachment()),
    settings: optional(text({ max: 500 })),
  }
}

interface Chosen {
  readonly effect: string
  readonly member: string | null
  readonly picture: string | null
  readonly settings: string | null
}

/** The picture that was sent along, else the avatar of whom was chosen, else the member's own. */
async function apply(
  kind: PictureOptions['kind'],
  { options, member, scope, words }: Invocation<Chosen>,
  { pictures }: CommandContext,
  second: string | null = null,
): Promise<Reply> {
  const { effect: name } = options
  const effect = pictures.effects[kind].find((known) => known.name === name)
  const first = options.picture ?? options.member ?? member.avatarUrl
  const urls = effect?.inputs === 2 ? [first, second ?? member.avatarUrl] : [first]
  const settings = effect ? readSettings(effect, options.settings ?? '') : {}
  const input = { kind, effect: name, settings, urls, projectId: scope.projectId }
  const { format, data } = await pictures.apply(input).catch(inWords(name, effect, words.picture))
  return say({ files: [{ name: `${name}.${format}`, data }] })
}

/** What is wrong with the picture itself has its words already: see `explain`. */
function inWords(name: string, effect: PictureEffect | undefined, words: Words['picture']): (error: unknown) => never {
  return (error) => {
    const reason = error instanceof Fault ? error.reason : undefined
    if (reason === 'unknown_effect') throw new Refusal(words.unknownEffect({ name: escapeMarkdown(name) }))
    if (reason !== 'invalid_setting') throw error
    const known = effect?.settings.map((setting) => `\`${setting.name}=${setting.preset}\``).join(', ') ?? ''
    throw new Refusal(known === '' ? words.noSettings : words.badSettings({ known }))
  }
}

/** `radius=10; colour=58f`; one text alone is the first setting. */
function readSettings({ settings }: PictureEffect, typed: string): Record<string, string> {
  const given = typed
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const entries = given.map((part, at) => {
    const equals = part.indexOf('=')
    return equals < 0
      ? [settings[at]?.name ?? part, part]
      : [part.slice(0, equals).trim(), part.slice(equals + 1).trim()]
  })
  return Object.fromEntries(entries) as Record<string, string>
}

function suggestEffects(kind: PictureOptions['kind']): Suggest {
  return async (typed, _call, { pictures }) => {
    const wanted = typed.trim().toLowerCase()
    const effects = pictures.effects[kind]
    const starting = effects.filter(({ name }) => name.startsWith(wanted))
    const holding = effects.filter(
      ({ name, summary }) =>
        !name.startsWith(wanted) && (name.includes(wanted) || summary.toLowerCase().includes(wanted)),
    )
    return [...starting, ...holding].slice(0, MOST_SUGGESTED).map(toChoice)
  }
}

function toChoice({ name, summary, settings }: PictureEffect): AutocompleteChoice {
  const shown = settings.map((setting) => `${setting.name}=${setting.preset}`).join('; ')
  return { name: `${name}: ${summary}${shown === '' ? '' : ` (${shown})`}`, value: name }
}
