import { state } from './store.js'

/** Discord's numbers of the channel types, as commands and menus name them. */
const CHANNEL_TYPES = { text: 0, voice: 2, stage: 13 }

// Members, roles and channels that can be chosen in options of commands, menus and forms.

export const userChoices = () => state.guild.members.map(({ id, name }) => ({ label: `@${name}`, value: id }))

export const roleChoices = () => state.guild.roles.map(({ id, name }) => ({ label: `@${name}`, value: id }))

/** @param types the only kinds that are taken. Defaults to all. */
export function channelChoices(types) {
  return state.guild.channels
    .filter((channel) => !types || types.includes(CHANNEL_TYPES[channel.type]))
    .map(({ id, name }) => ({ label: `#${name}`, value: id }))
}
