import { OPERATIONS } from '../../../bot/player/operations.ts'
import { route } from '../../http/route.ts'
import { MuteResult } from '../../schemas/music.ts'
import { guild, guildExample, perform } from './common.ts'

export const mute = route({
  ...guild,
  id: 'mute',
  method: 'POST',
  url: '/v1/music/guilds/{guildId}/mute',
  idempotent: true,
  summary: 'Mute or unmute the player',
  description: 'Leaves `volume` as it is, either way. Safe to repeat.',
  body: OPERATIONS.mute.input,
  data: MuteResult,
  example: { path: guildExample, body: { muted: true }, data: { muted: true } },
  handle: perform('mute'),
})

export const unmute = route({
  ...guild,
  id: 'unmute',
  method: 'DELETE',
  url: '/v1/music/guilds/{guildId}/mute',
  summary: 'Unmute the player and restore its volume',
  description: 'Volume returns to what it was when the mute began, also if it was changed meanwhile. Safe to repeat.',
  data: MuteResult,
  example: { path: guildExample, data: { muted: false } },
  handle: perform('unmute'),
})
