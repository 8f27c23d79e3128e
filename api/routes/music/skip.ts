import { route } from '../../http/route.ts'
import { SkipResult, songExample } from '../../schemas/music.ts'
import { guild, guildExample, perform } from './common.ts'

export const skip = route({
  ...guild,
  id: 'skip',
  method: 'POST',
  url: '/v1/music/guilds/{guildId}/skip',
  summary: 'Skip the current track',
  description:
    'Answers the track that plays next, or null when the queue ran out. With `loop: track` it leaves the current ' +
    'track; with `loop: queue` the skipped track goes to the back.',
  data: SkipResult,
  example: { path: guildExample, data: { track: songExample } },
  handle: perform('skip'),
})
