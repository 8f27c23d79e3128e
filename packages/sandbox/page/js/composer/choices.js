import { call, guildPath } from '../core/api.js'
import { localeOf } from '../core/preferences.js'
import { me, state } from '../core/store.js'
import { channelChoices, roleChoices, userChoices } from '../core/targets.js'
import { words } from '../core/words.js'

export const TYPE = { text: 3, whole: 4, yes: 5, user: 6, channel: 7, role: 8, mention: 9, number: 10, file: 11 }

const LISTED_MAX = 25

/** Whether a value of this option is one of a list and nothing else. */
export const isChosen = ({ type, choices }) =>
  [TYPE.yes, TYPE.user, TYPE.channel, TYPE.role, TYPE.mention].includes(type) || (choices?.length ?? 0) > 0

/** Choices for an option that are known without asking the bot. */
function localChoices({ type, choices, channel_types: types }) {
  if (choices?.length > 0) return choices.map(named)
  if (type === TYPE.yes) {
    return [
      { label: words().yes, value: true },
      { label: words().no, value: false },
    ]
  }
  if (type === TYPE.user) return userChoices()
  if (type === TYPE.role) return roleChoices()
  if (type === TYPE.mention) return [...userChoices(), ...roleChoices()]
  return type === TYPE.channel ? channelChoices(types) : []
}

/** A choice of the bot, in the member's language where it has that. */
function named({ name, name_localizations: names, value }) {
  return { label: names?.[localeOf(me()?.id)] ?? name, value }
}

const fold = (text) => text.toLowerCase().replace(/^[@#]/, '')

export function findChoices(option, text) {
  const wanted = fold(text)
  return localChoices(option)
    .filter(({ label }) => fold(label).includes(wanted))
    .slice(0, LISTED_MAX)
}

/** The choice that a text means: by its words, or by its value. */
export function choiceMeant(option, text) {
  const wanted = fold(text)
  return localChoices(option).find(({ label, value }) => fold(label) === wanted || String(value) === text)
}

/** Asks the bot what it offers for what stands there. */
export async function askBot(command, options, focused) {
  const { id } = me()
  const { applicationId, path } = command
  const body = {
    userId: id,
    channelId: state.channelId,
    applicationId,
    locale: localeOf(id),
    command: path,
    options,
    focused,
  }
  const { choices } = await call('POST', guildPath('/interactions/autocomplete'), body)
  return (choices ?? []).map(named)
}
