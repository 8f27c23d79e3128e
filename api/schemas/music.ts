import { z } from 'zod'
import { SEGMENT_CATEGORIES } from '../../lib/music/segment-categories.ts'
import { FilterSchema } from '../../bot/player/audio-settings/filter-schema.ts'
import { Loop } from '../../bot/player/inputs.ts'
import { Snowflake } from './common.ts'

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

export const chapterExample = { title: 'The Crossing', startMs: 61_000, endMs: 214_000 }

export const Chapter = z
  .object({
    title: z.string().meta({ description: 'Its number where it has no title.' }),
    startMs: z.number(),
    endMs: z.number().nullable().meta({ description: 'Where the next one begins, or the track ends.' }),
  })
  .meta({ id: 'Chapter', examples: [chapterExample] })

const Sleep = z
  .object({
    endsAt: z.iso.datetime().nullable().meta({ description: 'Null: at the end of the track that plays.' }),
  })
  .meta({ id: 'Sleep' })

export const Segment = z
  .object({
    category: z.enum(SEGMENT_CATEGORIES).meta({ description: 'Of the first one, where several are one.' }),
    action: z.enum(['skip', 'mute']).meta({ description: '`mute`: it is silent while the position runs on.' }),
    startMs: z.number(),
    endMs: z.number(),
  })
  .meta({ id: 'Segment', examples: [{ category: 'sponsor', action: 'skip', startMs: 12_000, endMs: 43_500 }] })

const queueVersion = z.string().meta({
  description:
    'Another one after each change of what plays, what waits or the loop: send it in quotes as `If-Match` with a change.',
})

export const queueVersionExample = 'k7Qm0y7b1kDk'

const playerFields = {
  node: z
    .object({ id: z.string().meta({ description: 'The audio node that runs the player.' }) })
    .meta({ id: 'MusicNode' }),
  botId: z.string().meta({ description: 'The bot that plays.' }),
  channelId: z.string().meta({ description: 'Voice channel of the player.' }),
  paused: z.boolean(),
  positionMs: z.number(),
  volume: z.number().meta({ description: 'Percent; 100 is unchanged.' }),
  muted: z.boolean(),
  loop: Loop,
  current: EncodedTrack.nullable().meta({ description: 'The track now playing.' }),
  queue: z.array(EncodedTrack),
  queueVersion,
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
      'Why the bot cannot be heard although it is in the channel: a moderator muted it (`serverMute`), or it may not speak there, as in the audience of a stage (`suppressed`). The music waits meanwhile.',
  }),
  filters: FilterSchema.meta({
    description: 'Filters of the sound, a preset spelled out; empty where there are none.',
  }),
  sleep: Sleep.nullable().meta({ description: 'When the music ends by itself; null while no timer runs.' }),
  crossfadeMs: z
    .number()
    .meta({ description: 'How long two tracks sound together where one follows the other; 0: not at all.' }),
  fadeMs: z.number().meta({ description: 'How long skip, pause, seek and stop fade; 0: not at all.' }),
  autoplay: z.boolean().meta({ description: 'Whether similar tracks follow when the queue runs out.' }),
  suggestion: EncodedTrack.nullable().meta({
    description: 'What autoplay has chosen to play when the queue runs out; null while it has not.',
  }),
  chapters: z.array(Chapter).meta({
    description: 'Of the current track, in order, at most 250; empty where it has none, and while they are being read.',
  }),
  sponsorBlock: z
    .array(z.enum(SEGMENT_CATEGORIES))
    .meta({ description: "Categories of SponsorBlock that are skipped in YouTube's videos." }),
  segments: z.array(Segment).meta({ description: 'What of the current track is not heard, in order.' }),
  recommendation: z
    .object({
      provider: z.string().meta({ description: 'Who recommended it: a service, a source, `library`, `history` …' }),
      because: z.enum(['similar', 'artist', 'genre', 'history', 'favourite', 'library']),
      of: z.string().nullable().meta({
        description:
          'The title, artist or genre that it goes with; null for a favourite of a listener and for what is just there.',
      }),
    })
    .nullable()
    .meta({ description: 'Why autoplay chose the current track; null where it was asked for.' }),
}

export const playerExample = {
  node: { id: 'audio-1' },
  botId: '81384788765712386',
  channelId: '81384788765712385',
  paused: false,
  positionMs: 61_500,
  volume: 100,
  muted: false,
  loop: 'off',
  current: encodedSongExample,
  queue: [],
  queueVersion: queueVersionExample,
  streamTitle: null,
  privacyCode: '129387465012938746501293874650',
  silenced: null,
  filters: {},
  sleep: null,
  crossfadeMs: 0,
  fadeMs: 150,
  autoplay: false,
  suggestion: null,
  chapters: [{ title: 'Casting Off', startMs: 0, endMs: 61_000 }, chapterExample],
  sponsorBlock: [],
  segments: [],
  recommendation: null,
} as const

export const PlayerInfo = z.object(playerFields).meta({ id: 'PlayerInfo', examples: [playerExample] })

export const GuildPlayer = z.object({ guildId: Snowflake, ...playerFields }).meta({ id: 'GuildPlayer' })

export const QueueInfo = z
  .object({
    current: Track.nullable(),
    queue: z.array(Track),
    loop: Loop,
    lengthMs: z
      .number()
      .meta({ description: 'Milliseconds left of the current track and all of the queue; streams count as 0.' }),
    queueVersion,
  })
  .meta({ id: 'QueueInfo' })

export const PlayResult = z
  .object({
    botId: z.string().meta({ description: 'The bot that plays it: of a pool, the one that was free.' }),
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

export const SleepResult = z.object({ sleep: Sleep.nullable() }).meta({ id: 'SleepResult' })
