import { z } from 'zod'
import { OPERATIONS } from '../../../bot/player/operations.ts'
import { route } from '../../http/route.ts'
import { EncodedTrack, encodedSongExample } from '../../schemas/music.ts'
import { guild, guildExample, perform } from './common.ts'

const NextTrack = z
  .object({
    track: EncodedTrack.nullable().describe('Plays after the current track. Null if the queue continues.'),
  })
  .meta({ id: 'NextTrack' })

export const getNextTrack = route('getNextTrack', 'GET /v1/music/guilds/{guildId}/next-track', {
  ...guild,
  summary: 'Get the next track',
  data: NextTrack,
  example: { path: guildExample, data: { track: encodedSongExample } },
  handle: perform('nextTrack'),
})

export const setNextTrack = route('setNextTrack', 'PUT /v1/music/guilds/{guildId}/next-track', {
  ...guild,
  summary: 'Set the next track',
  description:
    'Plays once after the current track, before the queue and any loop. The player opens it early and joins it ' +
    'without a gap, so two halves of a recording sound like one. Returns 409 if nothing plays.',
  body: OPERATIONS.setNextTrack.input,
  data: NextTrack,
  example: {
    path: guildExample,
    body: { track: { encoded: encodedSongExample.encoded } },
    data: { track: encodedSongExample },
  },
  handle: perform('setNextTrack'),
})

export const clearNextTrack = route('clearNextTrack', 'DELETE /v1/music/guilds/{guildId}/next-track', {
  ...guild,
  summary: 'Unset the next track',
  description: 'The queue continues after the current track. Safe to repeat.',
  data: NextTrack,
  example: { path: guildExample, data: { track: null } },
  handle: perform('clearNextTrack'),
})
