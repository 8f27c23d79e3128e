import { z } from 'zod'
import { route } from '../../http/route.ts'
import { Filters } from '../../schemas/filters.ts'
import { Loop, PlayerInfo, playerExample } from '../../schemas/music.ts'
import { conductor, guild, guildExample } from './common.ts'

export const getPlayer = route({
  ...guild,
  id: 'getPlayer',
  method: 'GET',
  url: '/v1/music/guilds/{guildId}/player',
  summary: 'Read the player',
  description: 'Every track in it carries `encoded`, so it can be played again.',
  data: PlayerInfo,
  example: { path: guildExample, data: playerExample },
  handle: ({ caller, path }, { music }) => music.info(conductor(caller), path.guildId),
})

export const updatePlayer = route({
  ...guild,
  id: 'updatePlayer',
  method: 'PATCH',
  url: '/v1/music/guilds/{guildId}/player',
  summary: 'Pause, seek, or change volume, filters and loop',
  description: 'Give any of the fields; what is left out stays as it is.',
  body: z.strictObject({
    paused: z.boolean().exactOptional(),
    volume: z
      .number()
      .min(0, 'The least is 0.')
      .max(200, 'The most is 200.')
      .exactOptional()
      .meta({ description: 'Percent; 100 is unchanged.' }),
    loop: Loop.exactOptional(),
    filters: Filters.exactOptional().meta({
      description: 'Filters of the sound, instead of all there were; an empty object ends them.',
    }),
    positionMs: z
      .number()
      .min(0, 'The least is 0.')
      .exactOptional()
      .meta({ description: 'Where to go on playing, in milliseconds from the start of the track.' }),
  }),
  data: PlayerInfo,
  example: { path: guildExample, body: { paused: false, volume: 80 }, data: { ...playerExample, volume: 80 } },
  handle: ({ caller, path, body }, { music }) => music.patch(conductor(caller), path.guildId, body),
})

export const closePlayer = route({
  ...guild,
  id: 'closePlayer',
  method: 'DELETE',
  url: '/v1/music/guilds/{guildId}/player',
  summary: 'Close the player',
  description: 'The music ends and the bot leaves the voice channel.',
  data: z.object({ closed: z.literal(true) }).meta({ id: 'CloseResult' }),
  example: { path: guildExample, data: { closed: true } },
  handle: ({ caller, path }, { music }) => music.close(conductor(caller), path.guildId),
})
