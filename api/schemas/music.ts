import { z } from 'zod'
import { Snowflake } from './common.ts'
import { Filters } from './filters.ts'

const trackFields = {
  title: z.string(),
  author: z.string(),
  lengthMs: z.number().meta({ description: 'Milliseconds; 0 for a stream.' }),
  uri: z.string().nullable(),
  artworkUrl: z.string().nullable(),
  isStream: z.boolean(),
}

export const songExample = {
  title: 'Night Ferry',
  author: 'The Harbour Lights',
  lengthMs: 214_000,
  uri: 'https://music.example/night-ferry.flac',
  artworkUrl: null,
  isStream: false,
}

export const encodedSongExample = { ...songExample, encoded: 'QAAAjQMAC05pZ2h0IEZlcnJ5ABJUaGUgSGFyYm91ciBMaWdodHM=' }

export const Track = z.object(trackFields).meta({ id: 'Track', examples: [songExample] })

export const EncodedTrack = z
  .object({
    ...trackFields,
    encoded: z.string().meta({ description: 'The track token, accepted wherever a track is referenced.' }),
  })
  .meta({ id: 'EncodedTrack', examples: [encodedSongExample] })

export const FoundTrack = EncodedTrack.extend({
  source: z.string().meta({ description: 'The source that found it, as the parameter `source` takes it.' }),
}).meta({ id: 'FoundTrack', examples: [{ ...encodedSongExample, source: 'library' }] })

export const Token = z
  .string()
  .min(1, 'Give a track token.')
  .max(16_384, 'A track token has at most 16,384 characters.')

export const TrackRef = z
  .strictObject({
    encoded: Token.meta({ description: 'A token taken from an EncodedTrack (a Lavalink v4 track token).' }),
  })
  .meta({ id: 'TrackRef' })

export const Loop = z.enum(['off', 'track', 'queue']).meta({
  id: 'Loop',
  description:
    '`track` repeats the current track; `queue` cycles the whole rotation, even when the queue holds one track.',
})

const playerFields = {
  node: z
    .object({ id: z.string().meta({ description: 'The audio node that runs the player.' }) })
    .meta({ id: 'MusicNode' }),
  channelId: z.string().meta({ description: 'Voice channel of the player.' }),
  paused: z.boolean(),
  positionMs: z.number(),
  volume: z.number().meta({ description: 'Percent; 100 is unchanged.' }),
  muted: z.boolean(),
  loop: Loop,
  current: EncodedTrack.nullable().meta({ description: 'The track now playing.' }),
  queue: z.array(EncodedTrack),
  streamTitle: z
    .string()
    .nullable()
    .meta({ description: 'What an internet radio last said it plays; null where nothing is said.' }),
  privacyCode: z
    .string()
    .nullable()
    .meta({ description: "The 30 digits by which members verify the call's end-to-end encryption." }),
  silenced: z.enum(['serverMute', 'suppressed']).nullable().meta({
    description:
      'Why nobody hears the bot although it is in the channel: a moderator muted it (`serverMute`), or it may not speak there, as in the audience of a stage (`suppressed`). The music waits meanwhile.',
  }),
  filters: Filters.meta({ description: 'Filters of the sound, a preset spelled out; empty where there are none.' }),
}

export const playerExample = {
  node: { id: 'audio-1' },
  channelId: '81384788765712385',
  paused: false,
  positionMs: 61_500,
  volume: 100,
  muted: false,
  loop: 'off',
  current: encodedSongExample,
  queue: [],
  streamTitle: null,
  privacyCode: '129387465012938746501293874650',
  silenced: null,
  filters: {},
} as const

export const PlayerInfo = z.object(playerFields).meta({ id: 'PlayerInfo', examples: [playerExample] })

export const GuildPlayer = z.object({ guildId: Snowflake, ...playerFields }).meta({ id: 'GuildPlayer' })

/** No queue is longer, so no position is higher. */
export const LONGEST_QUEUE = 5000

export const QueueInfo = z
  .object({
    current: Track.nullable(),
    queue: z.array(Track),
    loop: Loop,
    lengthMs: z
      .number()
      .meta({ description: 'Milliseconds left of the current track and all of the queue; streams count as 0.' }),
  })
  .meta({ id: 'QueueInfo' })

export const PlayResult = z
  .object({
    track: Track,
    position: z
      .number()
      .meta({ description: '0 when the track started playing, otherwise its place in the queue; 1 is next.' }),
    added: z.number().meta({ description: 'Tracks added; a playlist adds several.' }),
  })
  .meta({ id: 'PlayResult' })

export const SkipResult = z
  .object({ track: Track.nullable().meta({ description: 'The track that plays next; null when the queue ran out.' }) })
  .meta({ id: 'SkipResult' })

export const MuteResult = z
  .object({ muted: z.boolean().meta({ description: 'The mute state after the change.' }) })
  .meta({ id: 'MuteResult' })
