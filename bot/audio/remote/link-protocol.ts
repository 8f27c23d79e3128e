import { z } from 'zod'
import { SEGMENT_CATEGORIES } from '../../../lib/music/segment-categories.ts'
import { FilterSchema } from '../../player/audio-settings/filter-schema.ts'
import type { AudioEvent } from '../node/protocol.ts'
import type { PackedFault } from '../node/rpc.ts'

/**
 * Protocol for running players on another machine: a plug-in of the Lavalink node there, with its own socket beside
 * Lavalink's. JSON messages call the methods of `PlayerMethods` by their names, and events come back as `AudioEvent`s.
 */
export const AUDIO_PLUGIN = { name: 'bandstand-audio', version: '1.0.0' } as const

export const AUDIO_PATH = '/v4/bandstand/audio'

/** Each side sends a beat so often, and gives the other up after so many without a message. */
export const BEAT_MS = 400
export const MAX_MISSED_BEATS = 4

/** More than the longest call needs: an address of 32 KiB and all segments of a track. */
export const MAX_LINK_MESSAGE_BYTES = 1024 * 1024

const id = z.string().min(1).max(64)
const address = z.string().max(32_768)
const ms = z.number().min(0).max(Number.MAX_SAFE_INTEGER)
const playId = z.int().min(0)
const text = z.string().max(1024)

const ref = z.object({ botId: id, guildId: id })

const album = z.object({ album: text, disc: z.number(), track: z.number() })
const common = { album: album.exactOptional(), identity: z.string().max(4096).exactOptional() }

/** A file of another machine is none here: the service hands it out by HTTP. */
const playable = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('http'),
    url: address,
    codec: z.enum(['ogg-opus', 'webm-opus', 'other']),
    isStream: z.boolean(),
    operatorHost: text.exactOptional(),
    offsetParameter: text.exactOptional(),
    ...common,
  }),
  z.object({
    kind: z.literal('hls'),
    url: address,
    variables: z.record(z.string(), z.string()).exactOptional(),
    codec: z.literal('other'),
    isStream: z.boolean(),
    ...common,
  }),
])

const sound = {
  volume: z.number().min(0).max(1642),
  muted: z.boolean(),
  paused: z.boolean(),
  filters: FilterSchema.exactOptional(),
  isLevelled: z.boolean().exactOptional(),
  fadeMs: ms.exactOptional(),
}

const segment = z.object({
  category: z.enum(SEGMENT_CATEGORIES),
  action: z.enum(['skip', 'mute']),
  startMs: ms,
  // JSON has no Infinity, which is the end of the track.
  endMs: ms.nullable().transform((end) => end ?? Infinity),
})

const next = z.object({ playId, playable, isSeamless: z.boolean(), overlapMs: ms.exactOptional() })
const layer = z.object({ id: text, playable, volume: z.number().min(0).max(1) })

/** Methods of a player, and what they take behind it. */
export const PLAYER_CALLS = {
  join: z.tuple([ref.extend({ channelId: id, projectId: id.exactOptional() })]),
  leave: z.tuple([ref]),
  play: z.tuple([ref.extend({ ...sound, playId, playable, positionMs: ms, endMs: ms.exactOptional() })]),
  prepare: z.tuple([ref, next.nullable()]),
  setSegments: z.tuple([ref, playId, z.array(segment).max(1000)]),
  addLayer: z.tuple([ref, layer]),
  setLayer: z.tuple([ref, text, z.number().min(0).max(1)]),
  removeLayer: z.tuple([ref, text]),
  layers: z.tuple([ref]),
  setEnd: z.tuple([ref, playId, ms.nullable()]),
  stop: z.tuple([ref]),
  setSound: z.tuple([ref, z.object(sound)]),
  seek: z.tuple([ref, ms]),
  position: z.tuple([ref]),
  snapshot: z.tuple([ref]),
  trace: z.tuple([ref]),
  tee: z.tuple([ref, z.boolean()]),
  voiceStateUpdate: z.tuple([ref, z.unknown()]),
  voiceServerUpdate: z.tuple([ref, z.unknown()]),
  joinHeld: z.tuple([ref, z.boolean()]),
} as const

export type PlayerCallName = keyof typeof PLAYER_CALLS

/** Methods of the whole link. */
export const LINK_CALLS = {
  dropBot: z.tuple([id]),
  snapshots: z.tuple([id]),
  stats: z.tuple([]),
} as const

export type LinkCallName = keyof typeof LINK_CALLS

export const FromService = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('beat') }),
  /** Without an id nothing is answered. */
  z.object({ kind: z.literal('call'), id: z.int().nullable(), name: z.string(), args: z.array(z.unknown()).max(4) }),
])

/** A value of which that shape is checked: as far as all that hear of it rely on it. */
function trusted<T>(shape: z.ZodRawShape): z.ZodType<T> {
  return z.looseObject(shape) as unknown as z.ZodType<T>
}

/** Messages from a node. The service knows its password and trusts its messages. */
export const FromNode = z.discriminatedUnion('kind', [
  /** `players`: all that the node runs, for whom ever. */
  z.object({ kind: z.literal('beat'), players: z.int().min(0) }),
  /** JSON leaves a value out that is undefined. */
  z.object({ kind: z.literal('answer'), id: z.int(), value: z.unknown().optional() }),
  z.object({
    kind: z.literal('refusal'),
    id: z.int(),
    fault: trusted<PackedFault>({ code: z.string(), message: z.string() }),
  }),
  z.object({
    kind: z.literal('event'),
    event: trusted<AudioEvent>({ type: z.string(), botId: z.string(), guildId: z.string() }),
  }),
  /** Frames of a player, as base64; null: no more come. */
  z.object({ kind: z.literal('sound'), player: ref, frames: z.array(z.string()).nullable() }),
  /** The thread of these players died and another took its place: they must join and play again. */
  z.object({ kind: z.literal('lost'), players: z.array(ref) }),
  /** The node stops soon: its players should move. */
  z.object({ kind: z.literal('draining') }),
])
export type FromNode = z.output<typeof FromNode>
