import { z } from 'zod'

/**
 * Fields of an answer that checks of behaviour read: each for itself, so that a server that gets one wrong is still
 * checked for the others. Checks of their own test the whole shape.
 */
const text = z.string().catch('')
const number = z.number().catch(Number.NaN)
const boolean = z.boolean().nullable().catch(null)
const json = z.record(z.string(), z.unknown()).catch({})

/** What is no object counts as one without fields. */
function lenient<S extends z.ZodRawShape>(shape: S) {
  const fields = z.looseObject(shape)
  return fields.catch(() => fields.parse({}))
}

const InfoView = lenient({
  identifier: text,
  uri: z.string().nullable().catch(null),
  sourceName: text,
  isSeekable: boolean,
  isStream: boolean,
  length: number,
  position: number,
})

export const TrackView = z.looseObject({
  encoded: z.string(),
  info: InfoView,
  userData: z.unknown().optional(),
  pluginInfo: z.unknown().optional(),
})
export type TrackView = z.infer<typeof TrackView>

const track = TrackView.nullable().catch(null)

export const StateView = lenient({ time: number, position: number, connected: boolean, ping: number })
export type StateView = z.infer<typeof StateView>

export const PlayerView = z.looseObject({
  guildId: text,
  track,
  volume: number,
  paused: boolean,
  state: StateView,
  voice: json,
  filters: json,
})
export type PlayerView = z.infer<typeof PlayerView>

export const LoadView = z.looseObject({ loadType: z.string(), data: z.unknown().optional() })
export type LoadView = z.infer<typeof LoadView>

export const MessageView = z.looseObject({ op: z.string() })

export const ReadyView = z.looseObject({ sessionId: z.string().min(1), resumed: boolean })

export const UpdateView = z.looseObject({ op: z.literal('playerUpdate'), guildId: z.string(), state: StateView })

export const ExceptionView = lenient({
  message: z.string().nullable().catch(null),
  severity: text,
  cause: text,
  causeStackTrace: text,
})

export const EventView = z.looseObject({
  op: z.literal('event'),
  type: z.string(),
  guildId: z.string(),
  track,
  reason: text,
  exception: ExceptionView,
  thresholdMs: number,
  code: number,
  byRemote: boolean,
})
export type EventView = z.infer<typeof EventView>

export const StatsView = z.looseObject({
  players: number,
  playingPlayers: number,
  uptime: number,
  memory: lenient({ used: number, allocated: number }),
  cpu: lenient({ cores: number, systemLoad: number, lavalinkLoad: number }),
  frameStats: z.looseObject({ sent: number, nulled: number, deficit: number }).nullish().catch(null),
})
export type StatsView = z.infer<typeof StatsView>

export const ErrorView = z.looseObject({
  timestamp: number,
  status: number,
  error: text,
  message: text,
  path: text,
  trace: z.unknown().optional(),
})

const texts = z.array(z.string()).catch([])

export const ServerView = z.looseObject({
  version: lenient({
    semver: text,
    major: number,
    minor: number,
    patch: number,
    preRelease: z.string().nullish().catch(undefined),
    build: z.string().nullish().catch(undefined),
  }),
  git: lenient({ branch: text, commit: text, commitTime: number }),
  sourceManagers: texts,
  filters: texts,
  plugins: z.array(z.looseObject({ name: text, version: text })).catch([]),
})
export type ServerView = z.infer<typeof ServerView>
