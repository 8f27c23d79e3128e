import { hash } from 'node:crypto'
import { z } from 'zod'
import { OPERATIONS } from '../../../bot/player/operations.ts'
import { route } from '../../http/route.ts'
import { PlayerInfo, playerExample } from '../../schemas/music.ts'
import { guild, guildExample, perform, performBriefly, queueCommand } from './common.ts'

export const getPlayer = route('getPlayer', 'GET /v1/music/guilds/{guildId}/player', {
  ...guild,
  summary: 'Get the player',
  description: 'Every track includes its token, `encoded`, for playing it again.',
  data: PlayerInfo,
  // The version stands for the queue, which can be megabytes.
  etag: (info) => `${info.queueVersion}.${hash('sha1', JSON.stringify({ ...info, queue: null }), 'base64url')}`,
  example: { path: guildExample, data: playerExample },
  handle: perform('info'),
})

export const updatePlayer = route('updatePlayer', 'PATCH /v1/music/guilds/{guildId}/player', {
  ...queueCommand,
  idempotent: true,
  summary: 'Pause, seek, or change volume, filters, loop and autoplay',
  description: 'Changes only the fields in the body.',
  body: OPERATIONS.patch.input,
  data: PlayerInfo,
  example: { path: guildExample, body: { paused: false, volume: 80 }, data: { ...playerExample, volume: 80 } },
  handle: performBriefly('patch'),
  reread: performBriefly('info'),
})

export const closePlayer = route('closePlayer', 'DELETE /v1/music/guilds/{guildId}/player', {
  ...guild,
  summary: 'Close the player',
  description: 'Stops the music. The bot leaves the voice channel.',
  data: z.object({ closed: z.literal(true) }).meta({ id: 'CloseResult' }),
  example: { path: guildExample, data: { closed: true } },
  handle: perform('close'),
})
