import { escapeMarkdown } from 'discord.js'
import { Fault } from '../../../lib/errors.ts'
import type { PictureEffect, PictureOptions } from '../image-service.ts'
import type { Call } from '../core/invocation.ts'
import { commandGroup, deed } from '../core/command.ts'
import { labelsOf } from '../labels/index.ts'
import { attachment, avatar, optional, text, type Choice, type Suggest } from '../core/options.ts'
import { Refusal } from '../core/error-message.ts'
import { say, type Answer } from '../core/reply.ts'
import type { CommandContext } from '../core/command-context.ts'
import type { Words } from '../words/words.ts'

/** What members can choose from a list; Discord shows no more. */
const MOST_SUGGESTED = 25

export const image = commandGroup({
  name: 'image',
  labels: labelsOf('image'),
  subcommands: {
    filter: deed({ rule: 'anyone', options: optionsFor('filter'), run: (call, tools) => apply('filter', call, tools) }),
    overlay: deed({
      rule: 'anyone',
      options: { ...optionsFor('overlay'), with: optional(avatar()) },
      run: (call, tools) => apply('overlay', call, tools, call.options.with),
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
  { options, member, who, words }: Call<Chosen>,
  { pictures }: CommandContext,
  second: string | null = null,
): Promise<Answer> {
  const { effect: name } = options
  const effect = pictures.effects[kind].find((known) => known.name === name)
  const first = options.picture ?? options.member ?? member.avatarUrl
  const urls = effect?.inputs === 2 ? [first, second ?? member.avatarUrl] : [first]
  const settings = effect ? readSettings(effect, options.settings ?? '') : {}
  const wish = { kind, effect: name, settings, urls, projectId: who.projectId }
  const { format, data } = await pictures.apply(wish).catch(inWords(name, effect, words.picture))
  return say({ files: [{ name: `${name}.${format}`, data }] })
}

/** What is wrong with the picture itself has its words already: see `explain`. */
function inWords(name: string, effect: PictureEffect | undefined, words: Words['picture']): (error: unknown) => never {
  return (error) => {
    const field = error instanceof Fault ? error.details?.[0]?.field : undefined
    if (field === 'effect') throw new Refusal(words.unknownEffect(escapeMarkdown(name)))
    if (field !== 'settings') throw error
    const known = effect?.settings.map((setting) => `\`${setting.name}=${setting.preset}\``).join(', ') ?? ''
    throw new Refusal(known === '' ? words.noSettings : words.badSettings(known))
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

function toChoice({ name, summary, settings }: PictureEffect): Choice {
  const shown = settings.map((setting) => `${setting.name}=${setting.preset}`).join('; ')
  return { name: `${name}: ${summary}${shown === '' ? '' : ` (${shown})`}`, value: name }
}
