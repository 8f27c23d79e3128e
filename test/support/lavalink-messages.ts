import { z } from 'zod'

// Every shape of Lavalink 4.2's documentation, field by field: what is missing or too much fails.
// https://lavalink.dev/api/websocket and https://lavalink.dev/api/rest

const milliseconds = z.int().min(0)

const Track = z.strictObject({
  encoded: z.base64(),
  info: z.strictObject({
    identifier: z.string(),
    isSeekable: z.boolean(),
    author: z.string(),
    length: z.number().min(0),
    isStream: z.boolean(),
    position: milliseconds,
    title: z.string(),
    uri: z.string().nullable(),
    sourceName: z.string(),
    artworkUrl: z.string().nullable(),
    isrc: z.string().nullable(),
  }),
  pluginInfo: z.record(z.string(), z.unknown()),
  userData: z.record(z.string(), z.unknown()),
})

const State = z.strictObject({
  time: z.int().min(1e12),
  position: milliseconds,
  connected: z.boolean(),
  ping: z.int().min(-1),
})

const event = { op: z.literal('event'), guildId: z.string().regex(/^\d+$/) }

const Stats = z.strictObject({
  op: z.literal('stats'),
  players: z.int().min(0),
  playingPlayers: z.int().min(0),
  uptime: z.int().min(0),
  memory: z.strictObject({ free: z.int(), used: z.int(), allocated: z.int(), reservable: z.int() }),
  cpu: z.strictObject({
    cores: z.int().min(1),
    systemLoad: z.number().min(0).max(1),
    lavalinkLoad: z.number().min(0).max(1),
  }),
  frameStats: z.strictObject({ sent: z.int(), nulled: z.int(), deficit: z.int() }).nullable(),
})

const Exception = z.strictObject({
  message: z.string().nullable(),
  severity: z.enum(['common', 'suspicious', 'fault']),
  cause: z.string(),
  causeStackTrace: z.string(),
})

const REASONS = ['finished', 'loadFailed', 'stopped', 'replaced', 'cleanup'] as const

const Segment = z.strictObject({ category: z.string(), start: milliseconds, end: milliseconds })
const Chapter = z.strictObject({ name: z.string(), start: milliseconds, end: milliseconds, duration: milliseconds })
const Line = z.strictObject({
  timestamp: milliseconds,
  duration: milliseconds.nullable(),
  line: z.string(),
  plugin: z.strictObject({}),
})
const Lyrics = z.strictObject({
  sourceName: z.string(),
  provider: z.string(),
  text: z.string().nullable(),
  lines: z.array(Line),
  plugin: z.strictObject({}),
})

/** All that a client may be sent over the socket. */
export const LavalinkMessage = z.union([
  z.strictObject({ op: z.literal('ready'), resumed: z.boolean(), sessionId: z.string().min(1) }),
  z.strictObject({ op: z.literal('playerUpdate'), guildId: event.guildId, state: State }),
  Stats,
  z.strictObject({ ...event, type: z.literal('TrackStartEvent'), track: Track }),
  z.strictObject({ ...event, type: z.literal('TrackEndEvent'), track: Track, reason: z.enum(REASONS) }),
  z.strictObject({ ...event, type: z.literal('TrackExceptionEvent'), track: Track, exception: Exception }),
  z.strictObject({ ...event, type: z.literal('TrackStuckEvent'), track: Track, thresholdMs: milliseconds }),
  z.strictObject({
    ...event,
    type: z.literal('WebSocketClosedEvent'),
    code: z.int().min(1000).max(4999),
    reason: z.string(),
    byRemote: z.boolean(),
  }),
  // Events of the plug-ins SponsorBlock and LavaLyrics.
  z.strictObject({ ...event, type: z.literal('SegmentsLoaded'), segments: z.array(Segment) }),
  z.strictObject({ ...event, type: z.literal('SegmentSkipped'), segment: Segment }),
  z.strictObject({ ...event, type: z.literal('ChaptersLoaded'), chapters: z.array(Chapter) }),
  z.strictObject({ ...event, type: z.literal('ChapterStarted'), chapter: Chapter }),
  z.strictObject({ ...event, type: z.literal('LyricsFoundEvent'), lyrics: Lyrics }),
  z.strictObject({ ...event, type: z.literal('LyricsNotFoundEvent') }),
  z.strictObject({
    ...event,
    type: z.literal('LyricsLineEvent'),
    lineIndex: z.int().min(0),
    line: Line,
    skipped: z.boolean(),
  }),
])

export const LavalinkPlayer = z.strictObject({
  guildId: event.guildId,
  track: Track.nullable(),
  volume: z.int().min(0).max(1000),
  paused: z.boolean(),
  state: State,
  voice: z.strictObject({
    token: z.string(),
    endpoint: z.string(),
    sessionId: z.string(),
    channelId: z.string().nullable(),
  }),
  filters: z.record(z.string(), z.unknown()),
})

export const LavalinkError = z.strictObject({
  timestamp: z.int().min(1e12),
  status: z.int(),
  error: z.string().min(1),
  message: z.string().min(1),
  path: z.string().startsWith('/'),
  trace: z.string().optional(),
})
