import { route } from '../../http/route.ts'
import { SkipResult, songExample } from '../../schemas/music.ts'
import { guild, guildExample, perform } from './common.ts'

export const skip = route('skip', 'POST /v1/music/guilds/{guildId}/skip', {
  ...guild,
  summary: 'Skip the current track',
  description:
    'Returns the track that plays now, or null at the end of the queue. Also leaves a track with `loop: track`. ' +
    'With `loop: queue`, the skipped track moves to the end of the queue.',
  data: SkipResult,
  example: { path: guildExample, data: { track: songExample } },
  handle: perform('skip'),
})
