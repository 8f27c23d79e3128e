import { z } from 'zod'
import { route } from '../../http/route.ts'
import { MuteResult } from '../../schemas/music.ts'
import { conductor, guild, guildExample } from './common.ts'

export const mute = route({
  ...guild,
  id: 'mute',
  method: 'POST',
  url: '/v1/music/guilds/{guildId}/mute',
  summary: 'Mute or unmute the player',
  description: 'Leaves `volume` as it is, either way. Safe to repeat.',
  body: z.strictObject({ muted: z.boolean().default(true) }),
  data: MuteResult,
  example: { path: guildExample, body: { muted: true }, data: { muted: true } },
  handle: ({ caller, path, body }, { music }) => music.mute(conductor(caller), path.guildId, body.muted),
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
  handle: ({ caller, path }, { music }) => music.unmute(conductor(caller), path.guildId),
})
