import { z } from 'zod'
import { filtersSchema, type LavalinkFilters } from './filters.ts'
import { encodedSchema, identifierSchema, userDataSchema, type TrackObject } from './track.ts'

/** Values of a voice connection that a bot receives from Discord and forwards. */
export interface VoiceState {
  readonly token: string
  readonly endpoint: string
  readonly sessionId: string
  readonly channelId: string | null
}

export interface LavalinkPlayerState {
  /** Wall clock in milliseconds since 1970. */
  readonly time: number
  readonly position: number
  readonly connected: boolean
  /** Latency of the voice gateway in milliseconds; -1 where it is not known. */
  readonly ping: number
}

/** A player as it goes over the wire. */
export interface PlayerObject {
  readonly guildId: string
  readonly track: TrackObject | null
  /** Percent, 0 to 1000. */
  readonly volume: number
  readonly paused: boolean
  readonly state: LavalinkPlayerState
  readonly voice: VoiceState
  readonly filters: LavalinkFilters
}

const milliseconds = z.int().max(Number.MAX_SAFE_INTEGER)
/** All four are needed; which of them is missing is told in Lavalink's words. */
const voiceText = z.string().max(2048).nullish()

/** All of a `track`: nothing changes what is left out; `encoded: null` stops. */
const trackUpdateSchema = z.object({
  encoded: encodedSchema.nullish(),
  identifier: identifierSchema.optional(),
  userData: userDataSchema.optional(),
})

const voiceSchema = z.object({
  token: voiceText,
  endpoint: voiceText,
  sessionId: voiceText,
  channelId: voiceText,
})

/** The body of `PATCH …/players/{guildId}`. Fields that are not known are ignored. */
export const playerUpdateSchema = z.object({
  track: trackUpdateSchema.optional(),
  /** Older than `track`. */
  encodedTrack: encodedSchema.nullish(),
  identifier: identifierSchema.optional(),
  position: milliseconds.optional(),
  endTime: milliseconds.nullish(),
  /** Percent; what is below 0 or above 1000 counts as that. */
  volume: z.int().optional(),
  paused: z.boolean().optional(),
  filters: filtersSchema.optional(),
  voice: voiceSchema.optional(),
})

export type PlayerUpdate = z.infer<typeof playerUpdateSchema>
