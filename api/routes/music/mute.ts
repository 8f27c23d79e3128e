import { OPERATIONS } from '../../../bot/player/operations.ts'
import { route } from '../../http/route.ts'
import { MuteResult } from '../../schemas/music.ts'
import { guild, guildExample, perform } from './common.ts'

export const mute = route('mute', 'POST /v1/music/guilds/{guildId}/mute', {
  ...guild,
  idempotent: true,
  summary: 'Mute or unmute the player',
  description: "Doesn't change `volume`. Safe to repeat.",
  body: OPERATIONS.mute.input,
  data: MuteResult,
  example: { path: guildExample, body: { muted: true }, data: { muted: true } },
  handle: perform('mute'),
})

export const unmute = route('unmute', 'DELETE /v1/music/guilds/{guildId}/mute', {
  ...guild,
  summary: 'Unmute the player and restore its volume',
  description: 'Restores the volume from before the mute, and discards later changes. Safe to repeat.',
  data: MuteResult,
  example: { path: guildExample, data: { muted: false } },
  handle: perform('unmute'),
})
