import { OPERATIONS } from '../../../bot/player/operations.ts'
import { route } from '../../http/route.ts'
import { SkipResult, songExample } from '../../schemas/music.ts'
import { guild, guildExample, perform } from './common.ts'

export const skipTo = route({
  ...guild,
  id: 'skipTo',
  method: 'POST',
  url: '/v1/music/guilds/{guildId}/queue/skip-to',
  summary: 'Skip to a track that waits',
  description:
    'The tracks before it, and one that was set as the next track, are skipped; with `loop: queue` those of the ' +
    'queue go to the back. Answers the track that plays now.',
  body: OPERATIONS.skipTo.input,
  data: SkipResult,
  example: { path: guildExample, body: { position: 1 }, data: { track: songExample } },
  handle: perform('skipTo'),
})
