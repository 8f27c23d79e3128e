import { z } from 'zod'
import { route } from '../../http/route.ts'
import { wholeNumber } from '../../schemas/common.ts'
import { LONGEST_QUEUE, QueueInfo, songExample } from '../../schemas/music.ts'
import { conductor, guild, guildExample } from './common.ts'

const queueExample = { current: songExample, queue: [songExample], loop: 'off', lengthMs: 366_500 } as const

export const getQueue = route({
  ...guild,
  id: 'getQueue',
  method: 'GET',
  url: '/v1/music/guilds/{guildId}/queue',
  summary: 'Read the queue',
  description: 'Tracks come without tokens; the player has them with tokens.',
  data: QueueInfo,
  etag: true,
  example: { path: guildExample, data: queueExample },
  handle: ({ caller, path }, { music }) => music.queue(conductor(caller), path.guildId),
})

export const shuffleQueue = route({
  ...guild,
  id: 'shuffleQueue',
  method: 'POST',
  url: '/v1/music/guilds/{guildId}/queue/shuffle',
  summary: 'Shuffle the queue',
  description: 'What plays goes on.',
  data: QueueInfo,
  example: { path: guildExample, data: queueExample },
  handle: ({ caller, path }, { music }) => music.editQueue(conductor(caller), path.guildId, { type: 'shuffle' }),
})

export const clearQueue = route({
  ...guild,
  id: 'clearQueue',
  method: 'DELETE',
  url: '/v1/music/guilds/{guildId}/queue',
  summary: 'Clear the queue',
  description: 'What plays goes on. Safe to repeat.',
  data: QueueInfo,
  example: { path: guildExample, data: { ...queueExample, queue: [] } },
  handle: ({ caller, path }, { music }) => music.editQueue(conductor(caller), path.guildId, { type: 'clear' }),
})

export const removeFromQueue = route({
  ...guild,
  id: 'removeFromQueue',
  method: 'DELETE',
  url: '/v1/music/guilds/{guildId}/queue/{position}',
  summary: 'Remove a track from the queue',
  path: guild.path.extend({
    position: wholeNumber(1, LONGEST_QUEUE).meta({ description: 'Its place in the queue; 1 is the next one up.' }),
  }),
  data: QueueInfo,
  example: { path: { ...guildExample, position: '1' }, data: { ...queueExample, queue: [] } },
  handle: ({ caller, path: { guildId, position } }, { music }) =>
    music.editQueue(conductor(caller), guildId, { type: 'remove', position }),
})

const Position = z.int().min(1, 'The least is 1.').max(LONGEST_QUEUE, `The most is ${LONGEST_QUEUE}.`)

export const moveInQueue = route({
  ...guild,
  id: 'moveInQueue',
  method: 'POST',
  url: '/v1/music/guilds/{guildId}/queue/move',
  summary: 'Move a track within the queue',
  body: z.strictObject({
    from: Position.meta({ description: 'Where it is; 1 is the next one up.' }),
    to: Position.meta({ description: 'Where it shall be.' }),
  }),
  data: QueueInfo,
  example: { path: guildExample, body: { from: 1, to: 1 }, data: queueExample },
  handle: ({ caller, path, body }, { music }) =>
    music.editQueue(conductor(caller), path.guildId, { type: 'move', ...body }),
})
