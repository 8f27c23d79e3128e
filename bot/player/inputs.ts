import { z } from 'zod'
import { SEGMENT_CATEGORIES } from '../../lib/music/segment-categories.ts'
import { between, FilterSchema } from './audio-settings/filter-schema.ts'

/** More than any playlist worth hearing; bounds what one player keeps in memory and on disk. */
export const LONGEST_QUEUE = 5000

/** Most seconds by which one command goes forward or back. */
export const LONGEST_STEP_S = 3600

export const Loop = z.enum(['off', 'track', 'queue']).meta({
  id: 'Loop',
  description: '`track` repeats the current track. `queue` repeats the current track and the queue.',
})
export type Loop = z.output<typeof Loop>

export const Token = z.string().min(1, 'Must be a track token.').max(16_384, 'Must have at most 16,384 characters.')

export const TrackRef = z
  .strictObject({
    encoded: Token.meta({ description: 'Token from an EncodedTrack (a Lavalink v4 track token).' }),
  })
  .meta({ id: 'TrackRef' })
export type TrackRef = z.output<typeof TrackRef>

/** The place of added tracks: at the end of the queue, at its front, or in place of the current track. */
export const When = z.enum(['last', 'next', 'now'])
export type When = z.output<typeof When>

export const QueuePosition = between(z.int(), 1, LONGEST_QUEUE)

export const QueuePositions = z
  .array(QueuePosition)
  .min(1, 'Must have at least one position.')
  .max(LONGEST_QUEUE, `Must be at most ${LONGEST_QUEUE}.`)

const LONGEST_SLEEP_MINUTES = 720

export const SleepMinutes = between(z.int(), 0, LONGEST_SLEEP_MINUTES).nullable().meta({
  description: 'Minutes until the music ends. 0 cancels the timer, null selects the end of the current track.',
})

export const LayerVolume = between(z.number(), 0, 1).meta({
  description: 'Factor. 1 is the volume of the file. The volume of the player also applies.',
})

export const PlayerPatch = z.strictObject({
  paused: z.boolean().exactOptional(),
  volume: between(z.number(), 0, 200).exactOptional().meta({ description: 'Percent. 100 is the original volume.' }),
  loop: Loop.exactOptional(),
  filters: FilterSchema.exactOptional().meta({
    description: 'Replaces all audio filters. An empty object removes them.',
  }),
  autoplay: z
    .boolean()
    .exactOptional()
    .meta({ description: 'Whether similar tracks play after the end of the queue. The guild keeps this setting.' }),
  sponsorBlock: z.array(z.enum(SEGMENT_CATEGORIES)).max(SEGMENT_CATEGORIES.length).exactOptional().meta({
    description:
      'SponsorBlock categories to skip in YouTube videos. An empty list turns SponsorBlock off. The guild keeps this setting.',
  }),
  crossfadeMs: between(z.int(), 0, 12_000).exactOptional().meta({
    description: 'Overlap of consecutive tracks in milliseconds. 0 turns crossfade off. The guild keeps this setting.',
  }),
  fadeMs: between(z.int(), 0, 1000).exactOptional().meta({
    description: 'Fade of skip, pause, seek and stop in milliseconds. 0 turns it off. The guild keeps this setting.',
  }),
  positionMs: z
    .number()
    .min(0, 'Must be at least 0.')
    .exactOptional()
    .meta({ description: 'Position to continue at, in milliseconds from the start of the track.' }),
})
export type PlayerPatch = z.output<typeof PlayerPatch>
