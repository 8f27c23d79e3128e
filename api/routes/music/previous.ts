import { route } from '../../http/route.ts'
import { SkipResult, songExample } from '../../schemas/music.ts'
import { guild, guildExample, perform } from './common.ts'

export const previous = route('previous', 'POST /v1/music/guilds/{guildId}/previous', {
  ...guild,
  summary: 'Go back to the previous track',
  description:
    'Plays the previous track from its start, and puts the current one at the start of the queue. Also works ' +
    'after the queue has ended. Returns 409 if there is no previous track.',
  data: SkipResult,
  example: { path: guildExample, data: { track: songExample } },
  handle: perform('previous'),
})
