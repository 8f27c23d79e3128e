import { OPERATIONS } from '../../../bot/player/operations.ts'
import { route } from '../../http/route.ts'
import { SkipResult, songExample } from '../../schemas/music.ts'
import { guild, guildExample, perform } from './common.ts'

export const skipTo = route('skipTo', 'POST /v1/music/guilds/{guildId}/queue/skip-to', {
  ...guild,
  summary: 'Skip to a track in the queue',
  description:
    'Skips the tracks before it, including a set next track. With `loop: queue`, the skipped tracks of the ' +
    'queue move to its end. Returns the current track.',
  body: OPERATIONS.skipTo.input,
  data: SkipResult,
  example: { path: guildExample, body: { position: 1 }, data: { track: songExample } },
  handle: perform('skipTo'),
})
