import { state } from './store.js'

/** By Discord's numbers, as commands and menus name the channels that they take. */
const CHANNEL_TYPES = { text: 0, voice: 2, stage: 13 }

// What a member can choose in the guild, for options of commands, menus and forms.

export const userChoices = () => state.guild.members.map(({ id, name }) => ({ label: `@${name}`, value: id }))

export const roleChoices = () => state.guild.roles.map(({ id, name }) => ({ label: `@${name}`, value: id }))

/** @param types the only kinds that are taken. Defaults to all. */
export function channelChoices(types) {
  return state.guild.channels
    .filter((channel) => !types || types.includes(CHANNEL_TYPES[channel.type]))
    .map(({ id, name }) => ({ label: `#${name}`, value: id }))
}
