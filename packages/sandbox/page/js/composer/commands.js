import { localeOf } from '../core/preferences.js'
import { applicationOf, me, state } from '../core/store.js'

const CHAT = 1
const SUBCOMMAND = 1
const GROUP = 2

/** A command as a member's app shows it: the name and description in their language where the bot has them. */
function shownAs(of) {
  const locale = localeOf(me()?.id)
  const names = of.nameLocalizations ?? of.name_localizations ?? {}
  const descriptions = of.descriptionLocalizations ?? of.description_localizations ?? {}
  return { name: of.name, shown: names[locale] ?? of.name, description: descriptions[locale] ?? of.description ?? '' }
}

/** Every slash command, and of those that have subcommands each of them. */
export function slashCommands() {
  return state.commands.filter(({ type }) => type === CHAT).flatMap((command) => spread(command, command, []))
}

function spread(command, part, before) {
  const path = [...before, shownAs(part)]
  const branches = (part.options ?? []).filter(({ type }) => type === SUBCOMMAND || type === GROUP)
  if (branches.length > 0) return branches.flatMap((branch) => spread(command, branch, path))
  const { applicationId } = command
  return [
    {
      applicationId,
      application: applicationOf(applicationId)?.name ?? '',
      path: path.map(({ name }) => name).join(' '),
      shown: path.map(({ shown }) => shown).join(' '),
      description: path.at(-1).description,
      options: (part.options ?? []).map((option) => Object.assign(shownAs(option), without(option))),
    },
  ]
}

const without = ({ name: _name, description: _description, ...rest }) => rest

const LISTED_MAX = 50

/** Finds commands: first those that begin with the text, then those that contain it, in the order of their bot. */
export function findCommands(text) {
  const wanted = text.toLowerCase()
  const ranked = slashCommands()
    .map((command) => ({ command, rank: rankOf(command, wanted) }))
    .filter(({ rank }) => rank < 3)
    .toSorted((a, b) => a.rank - b.rank)
  return ranked.slice(0, LISTED_MAX).map(({ command }) => command)
}

function rankOf({ shown, path, description }, wanted) {
  if (shown.toLowerCase().startsWith(wanted) || path.startsWith(wanted)) return 0
  if (shown.toLowerCase().includes(wanted) || path.includes(wanted)) return 1
  return wanted.length > 2 && description.toLowerCase().includes(wanted) ? 2 : 3
}

export const commandNamed = (path) => slashCommands().find((one) => one.path === path)

/**
 * A line that was typed or pasted whole: `/play query: paper lanterns`, or `/play paper lanterns` for the first option.
 * @returns null if it begins with no command.
 */
export function parseLine(line) {
  if (!line.startsWith('/')) return null
  const text = line.slice(1)
  const lower = text.toLowerCase()
  const fits = slashCommands().flatMap((command) =>
    [command.shown, command.path]
      .filter((name) => lower === name.toLowerCase() || lower.startsWith(`${name.toLowerCase()} `))
      .map((name) => ({ command, length: name.length })),
  )
  const best = fits.toSorted((a, b) => b.length - a.length)[0]
  if (!best) return null
  return { command: best.command, values: readOptions(best.command, text.slice(best.length).trim()) }
}

function readOptions({ options }, text) {
  const values = {}
  let last = options[0]?.name
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const [key, ...rest] = word.split(':')
    const option = rest.length > 0 && options.find(({ name, shown }) => name === key || shown === key)
    if (option) last = option.name
    const piece = option ? rest.join(':') : word
    if (last !== undefined && piece !== '')
      values[last] = values[last] === undefined ? piece : `${values[last]} ${piece}`
  }
  return values
}
