import { z } from 'zod'

/** Lavalink's documentation of every field; fields that a server adds are left alone. */
const whole = z.number().refine(Number.isInteger, 'must be a whole number')
const count = whole.refine((value) => value >= 0, 'must not be negative')
const json = z.record(z.string(), z.unknown())

const TrackInfo = z.looseObject({
  identifier: z.string(),
  isSeekable: z.boolean(),
  author: z.string(),
  length: count,
  isStream: z.boolean(),
  position: count,
  title: z.string(),
  uri: z.string().nullable(),
  artworkUrl: z.string().nullable(),
  isrc: z.string().nullable(),
  sourceName: z.string(),
})

export const Track = z.looseObject({
  encoded: z.base64().min(1),
  info: TrackInfo,
  pluginInfo: json,
  userData: json,
})

export const Exception = z.looseObject({
  message: z.string().nullable(),
  severity: z.enum(['common', 'suspicious', 'fault']),
  cause: z.string(),
  causeStackTrace: z.string(),
})

export const Playlist = z.looseObject({
  info: z.looseObject({ name: z.string(), selectedTrack: whole.refine((value) => value >= -1) }),
  pluginInfo: json,
  tracks: z.array(Track),
})

export const LoadResult = z.discriminatedUnion('loadType', [
  z.looseObject({ loadType: z.literal('track'), data: Track }),
  z.looseObject({ loadType: z.literal('playlist'), data: Playlist }),
  z.looseObject({ loadType: z.literal('search'), data: z.array(Track) }),
  // The documentation says an empty object; Lavalink itself sends null.
  z.looseObject({ loadType: z.literal('empty'), data: z.union([z.strictObject({}), z.null()]) }),
  z.looseObject({ loadType: z.literal('error'), data: Exception }),
])

const VoiceState = z.looseObject({
  token: z.string(),
  endpoint: z.string(),
  sessionId: z.string(),
  channelId: z.string().nullable(),
})

const PlayerState = z.looseObject({
  time: count,
  position: count,
  connected: z.boolean(),
  ping: whole.refine((value) => value >= -1, 'must be -1 or more'),
})

export const Player = z.looseObject({
  guildId: z.string(),
  track: Track.nullable(),
  volume: whole.refine((value) => value >= 0 && value <= 1000, 'must be 0 to 1000'),
  paused: z.boolean(),
  state: PlayerState,
  voice: VoiceState,
  filters: json,
})

export const SessionState = z.looseObject({ resuming: z.boolean(), timeout: count })

const FrameStats = z.looseObject({ sent: whole, nulled: whole, deficit: whole })

export const Stats = z.looseObject({
  players: count,
  playingPlayers: count,
  uptime: count,
  memory: z.looseObject({ free: count, used: count, allocated: count, reservable: count }),
  cpu: z.looseObject({ cores: count, systemLoad: z.number(), lavalinkLoad: z.number() }),
  frameStats: FrameStats.nullish(),
})

export const Info = z.looseObject({
  version: z.looseObject({
    semver: z.string(),
    major: count,
    minor: count,
    patch: count,
    preRelease: z.string().nullish(),
    build: z.string().nullish(),
  }),
  buildTime: whole,
  git: z.looseObject({ branch: z.string(), commit: z.string(), commitTime: whole }),
  jvm: z.string(),
  lavaplayer: z.string(),
  sourceManagers: z.array(z.string()),
  filters: z.array(z.string()),
  plugins: z.array(z.looseObject({ name: z.string(), version: z.string() })),
})

export type Info = z.infer<typeof Info>

export const ErrorBody = z.looseObject({
  timestamp: count,
  status: z.int().min(400).max(599),
  error: z.string().min(1),
  trace: z.string().optional(),
  message: z.string(),
  path: z.string(),
})

const END_REASONS = ['finished', 'loadFailed', 'stopped', 'replaced', 'cleanup'] as const
const event = { op: z.literal('event'), guildId: z.string() }

const Event = z.discriminatedUnion('type', [
  z.looseObject({ ...event, type: z.literal('TrackStartEvent'), track: Track }),
  z.looseObject({ ...event, type: z.literal('TrackEndEvent'), track: Track, reason: z.enum(END_REASONS) }),
  z.looseObject({ ...event, type: z.literal('TrackExceptionEvent'), track: Track, exception: Exception }),
  z.looseObject({ ...event, type: z.literal('TrackStuckEvent'), track: Track, thresholdMs: count }),
  z.looseObject({
    ...event,
    type: z.literal('WebSocketClosedEvent'),
    code: whole,
    reason: z.string(),
    byRemote: z.boolean(),
  }),
])

/** All that a server may send over its socket; events of plug-ins have types of their own. */
export const Message = z.discriminatedUnion('op', [
  z.looseObject({ op: z.literal('ready'), resumed: z.boolean(), sessionId: z.string().min(1) }),
  z.looseObject({ op: z.literal('playerUpdate'), guildId: z.string(), state: PlayerState }),
  Stats.extend({ op: z.literal('stats') }),
  Event,
])

/** The message as it came; `op` and `type` name its kind. */
export const Named = z.looseObject({ op: z.string(), type: z.string().optional(), guildId: z.string().optional() })

/** Types of events that the documentation knows. */
export const EVENT_TYPES: ReadonlySet<string> = new Set(Event.options.map(({ shape }) => shape.type.value))

const planner = { ipBlock: z.looseObject({ type: z.enum(['Inet4Address', 'Inet6Address']), size: z.string() }) }
const failing = z.looseObject({ failingAddress: z.string(), failingTimestamp: count, failingTime: z.string() })

export const RoutePlanner = z.looseObject({
  class: z.string().nullable(),
  details: z.looseObject({ ...planner, failingAddresses: z.array(failing) }).nullable(),
})
