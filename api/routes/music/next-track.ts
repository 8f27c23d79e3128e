import { z } from 'zod'
import { OPERATIONS } from '../../../bot/player/operations.ts'
import { route } from '../../http/route.ts'
import { EncodedTrack, encodedSongExample } from '../../schemas/music.ts'
import { guild, guildExample, perform } from './common.ts'

const NextTrack = z
  .object({
    track: EncodedTrack.nullable().meta({ description: 'What plays after the current track; null: the queue.' }),
  })
  .meta({ id: 'NextTrack' })

export const getNextTrack = route({
  ...guild,
  id: 'getNextTrack',
  method: 'GET',
  url: '/v1/music/guilds/{guildId}/next-track',
  summary: 'Read the next track',
  data: NextTrack,
  example: { path: guildExample, data: { track: encodedSongExample } },
  handle: perform('nextTrack'),
})

export const setNextTrack = route({
  ...guild,
  id: 'setNextTrack',
  method: 'PUT',
  url: '/v1/music/guilds/{guildId}/next-track',
  summary: 'Set the next track',
  description:
    'Plays after the current track, once, ahead of the queue and of any repetition. It is opened beforehand and joined ' +
    'without a gap, so that two halves of one recording sound like one. 409 when nothing is playing.',
  body: OPERATIONS.setNextTrack.input,
  data: NextTrack,
  example: {
    path: guildExample,
    body: { track: { encoded: encodedSongExample.encoded } },
    data: { track: encodedSongExample },
  },
  handle: perform('setNextTrack'),
})

export const clearNextTrack = route({
  ...guild,
  id: 'clearNextTrack',
  method: 'DELETE',
  url: '/v1/music/guilds/{guildId}/next-track',
  summary: 'Take the next track back',
  description: 'The queue follows again. Safe to repeat.',
  data: NextTrack,
  example: { path: guildExample, data: { track: null } },
  handle: perform('clearNextTrack'),
})
