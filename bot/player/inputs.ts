import { z } from 'zod'
import { SEGMENT_CATEGORIES } from '../../lib/music/segment-categories.ts'
import { FilterSchema } from './audio-settings/filter-schema.ts'

/** More than any playlist worth hearing; bounds what one player keeps in memory and on disk. */
export const LONGEST_QUEUE = 5000

export const Loop = z.enum(['off', 'track', 'queue']).meta({
  id: 'Loop',
  description:
    '`track` repeats the current track; `queue` cycles the whole rotation, even when the queue holds one track.',
})
export type Loop = z.output<typeof Loop>

export const Token = z
  .string()
  .min(1, 'Give a track token.')
  .max(16_384, 'A track token has at most 16,384 characters.')

export const TrackRef = z
  .strictObject({
    encoded: Token.meta({ description: 'A token taken from an EncodedTrack (a Lavalink v4 track token).' }),
  })
  .meta({ id: 'TrackRef' })
export type TrackRef = z.output<typeof TrackRef>

/** Where added tracks go: behind all others, ahead of what waits, or at once instead of what plays. */
export const When = z.enum(['last', 'next', 'now'])
export type When = z.output<typeof When>

export const QueuePosition = z
  .int()
  .min(1, 'Must be at least 1.')
  .max(LONGEST_QUEUE, `Must be at most ${LONGEST_QUEUE}.`)

export const QueuePositions = z
  .array(QueuePosition)
  .min(1, 'Give at least one position.')
  .max(LONGEST_QUEUE, `Must be at most ${LONGEST_QUEUE}.`)

const LONGEST_SLEEP_MINUTES = 720

export const SleepMinutes = z
  .int()
  .min(0, 'Must be at least 0.')
  .max(LONGEST_SLEEP_MINUTES, `Must be at most ${LONGEST_SLEEP_MINUTES}.`)
  .nullable()
  .meta({
    description: 'In how many minutes the music ends; 0 ends the timer, null: at the end of the track that plays.',
  })

export const LayerVolume = z
  .number()
  .min(0, 'Must be at least 0.')
  .max(1, 'Must be at most 1.')
  .meta({ description: 'A factor; 1 is as loud as it is in its file. The volume of the player comes on top.' })

export const PlayerPatch = z.strictObject({
  paused: z.boolean().exactOptional(),
  volume: z
    .number()
    .min(0, 'Must be at least 0.')
    .max(200, 'Must be at most 200.')
    .exactOptional()
    .meta({ description: 'Percent; 100 is unchanged.' }),
  loop: Loop.exactOptional(),
  filters: FilterSchema.exactOptional().meta({
    description: 'Filters of the sound, instead of all there were; an empty object ends them.',
  }),
  autoplay: z
    .boolean()
    .exactOptional()
    .meta({ description: 'Whether similar tracks follow when the queue runs out. Kept for the guild.' }),
  sponsorBlock: z.array(z.enum(SEGMENT_CATEGORIES)).max(SEGMENT_CATEGORIES.length).exactOptional().meta({
    description:
      "Parts of YouTube's videos that are skipped, by SponsorBlock's categories; an empty list: none, and it is not asked. Kept for the guild.",
  }),
  crossfadeMs: z.int().min(0, 'Must be at least 0.').max(12_000, 'Must be at most 12000.').exactOptional().meta({
    description: 'How long two tracks sound together where one follows the other; 0: not at all. Kept for the guild.',
  }),
  fadeMs: z
    .int()
    .min(0, 'Must be at least 0.')
    .max(1000, 'Must be at most 1000.')
    .exactOptional()
    .meta({ description: 'How long skip, pause, seek and stop fade; 0: not at all. Kept for the guild.' }),
  positionMs: z
    .number()
    .min(0, 'Must be at least 0.')
    .exactOptional()
    .meta({ description: 'Where to continue, in milliseconds from the start of the track.' }),
})
export type PlayerPatch = z.output<typeof PlayerPatch>
