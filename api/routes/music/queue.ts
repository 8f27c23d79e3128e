import { route } from '../../route.ts'
import { QueueInfo, songExample } from '../../schemas/music.ts'
import { conductor, guild, guildExample } from './common.ts'

export const getQueue = route({
  ...guild,
  id: 'getQueue',
  method: 'GET',
  url: '/v1/music/guilds/{guildId}/queue',
  summary: 'Read the queue',
  description: 'Tracks come without tokens; the player has them with tokens.',
  data: QueueInfo,
  etag: true,
  example: { path: guildExample, data: { current: songExample, queue: [], loop: 'off', lengthMs: 152_500 } },
  handle: ({ caller, path }, { music }) => music.queue(conductor(caller), path.guildId),
})
