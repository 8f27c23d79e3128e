import { z } from 'zod'
import { SEGMENT_CATEGORIES } from '../../lib/music/segment-categories.ts'
import { FilterSchema } from '../../bot/player/audio-settings/filter-schema.ts'
import { Loop } from '../../bot/player/inputs.ts'
import { Snowflake } from '../../lib/validation/inputs.ts'

const trackFields = {
  title: z.string(),
  author: z.string(),
  lengthMs: z.number().describe('Milliseconds. 0 for a stream.'),
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
    encoded: z.string().describe('Track token, for all routes that take a track.'),
  })
  .meta({ id: 'EncodedTrack', examples: [encodedSongExample] })

export const FoundTrack = EncodedTrack.extend({
  source: z.string().describe('Source of the track, as in the parameter `source`.'),
}).meta({ id: 'FoundTrack', examples: [{ ...encodedSongExample, source: 'library' }] })

const chapterExample = { title: 'The Crossing', startMs: 61_000, endMs: 214_000 }

export const Chapter = z
  .object({
    title: z.string().describe('The number of the chapter if it has no title.'),
    startMs: z.number(),
    endMs: z.number().nullable().describe('Start of the next chapter, or end of the track.'),
  })
  .meta({ id: 'Chapter', examples: [chapterExample] })

const Sleep = z
  .object({
    endsAt: z.iso.datetime().nullable().describe('Null for the end of the current track.'),
  })
  .meta({ id: 'SleepTimer' })

export const Segment = z
  .object({
    category: z.enum(SEGMENT_CATEGORIES).describe('Category of the first segment, if several are merged.'),
    action: z.enum(['skip', 'mute']).describe('`mute` plays silence while the position advances.'),
    startMs: z.number(),
    endMs: z.number(),
  })
  .meta({ id: 'Segment', examples: [{ category: 'sponsor', action: 'skip', startMs: 12_000, endMs: 43_500 }] })

const queueLength = z
  .number()
  .describe(
    'Number of queued tracks. Responses to commands have only the first ones in `queue`; see their `queue` parameter.',
  )

const queueVersion = z
  .string()
  .describe('Changes with the current track, the queue and the loop. Send it in quotes as `If-Match` with a change.')

export const queueVersionExample = 'k7Qm0y7b1kDk'

const playerFields = {
  node: z.object({ id: z.string().describe("The player's audio node.") }).meta({ id: 'MusicNode' }),
  botId: z.string().describe("The player's bot."),
  channelId: z.string().describe("The player's voice channel."),
  paused: z.boolean(),
  positionMs: z.number(),
  volume: z.number().describe('Percent. 100 is the original volume.'),
  muted: z.boolean(),
  loop: Loop,
  current: EncodedTrack.nullable().describe('Current track.'),
  queue: z.array(EncodedTrack),
  queueLength,
  queueVersion,
  streamTitle: z.string().nullable().describe('Title that an internet radio station sends. Null if it sends none.'),
  privacyCode: z.string().nullable().describe('The 30 digits that members compare to verify end-to-end encryption.'),
  silenced: z
    .enum(['serverMute', 'suppressed', 'mayNotSpeak'])
    .nullable()
    .describe(
      "Why members can't hear the bot: `serverMute` by a moderator, `suppressed` in the audience of a stage, `mayNotSpeak` without the Speak permission. " +
        'The music stays paused until they can. New values may appear.',
    ),
  filters: FilterSchema.describe('Audio filters, with presets expanded. Empty without filters.'),
  sleep: Sleep.nullable().describe('Sleep timer. Null if none is set.'),
  crossfadeMs: z.number().describe('Overlap of consecutive tracks in milliseconds. 0 turns crossfade off.'),
  fadeMs: z.number().describe('Fade of skip, pause, seek and stop in milliseconds. 0 turns it off.'),
  autoplay: z.boolean().describe('Whether similar tracks play after the end of the queue.'),
  suggestion: EncodedTrack.nullable().describe('The next track of autoplay. Null until autoplay has chosen one.'),
  chapters: z
    .array(Chapter)
    .describe('Chapters of the current track in order, at most 250. Empty if it has none, or until they are loaded.'),
  sponsorBlock: z.array(z.enum(SEGMENT_CATEGORIES)).describe('SponsorBlock categories to skip in YouTube videos.'),
  segments: z.array(Segment).describe('Skipped segments of the current track, in order.'),
  recommendation: z
    .object({
      provider: z.string().describe('Origin of the recommendation: a service, a source, `library`, `history` …'),
      because: z.enum(['similar', 'artist', 'genre', 'history', 'favourite', 'library']),
      of: z
        .string()
        .nullable()
        .describe('The title, artist or genre it matches. Null for favourites of listeners and for random picks.'),
    })
    .nullable()
    .describe('Why autoplay chose the current track. Null for requested tracks.'),
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
  queueLength: 0,
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
    queueLength,
    loop: Loop,
    lengthMs: z.number().describe('Remaining milliseconds of the current track and the queue. Streams count as 0.'),
    queueVersion,
  })
  .meta({ id: 'QueueInfo' })

export const PlayResult = z
  .object({
    botId: z.string().describe('Bot that plays it. For a pool, the selected bot.'),
    track: Track,
    position: z.number().describe('Position in the queue: 0 plays now, 1 is next.'),
    added: z.number().describe('Number of added tracks. A playlist adds several.'),
    total: z
      .number()
      .nullable()
      .describe(
        'Number of tracks in the requested list. More than `added` if the site provides only a part of the list, or if ' +
          'tracks are unplayable, already queued or over the queue limit. Null for a single track.',
      ),
  })
  .meta({ id: 'PlayOutcome' })

export const SkipResult = z
  .object({ track: Track.nullable().describe('The track that plays now. Null at the end of the queue.') })
  .meta({ id: 'SkipOutcome' })

export const MuteResult = z
  .object({ muted: z.boolean().describe('Whether the player is muted now.') })
  .meta({ id: 'MuteOutcome' })

export const SleepResult = z.object({ sleep: Sleep.nullable() }).meta({ id: 'SleepOutcome' })
