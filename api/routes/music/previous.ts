import { route } from '../../http/route.ts'
import { SkipResult, songExample } from '../../schemas/music.ts'
import { guild, guildExample, perform } from './common.ts'

export const previous = route({
  ...guild,
  id: 'previous',
  method: 'POST',
  url: '/v1/music/guilds/{guildId}/previous',
  summary: 'Go back to the track before',
  description:
    'Plays the track that was played before the current one from its start; the current one is next up then. Also ' +
    'after the queue ran out. 409 when nothing was played before.',
  data: SkipResult,
  example: { path: guildExample, data: { track: songExample } },
  handle: perform('previous'),
})
