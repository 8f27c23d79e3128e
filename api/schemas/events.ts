import { z } from 'zod'
import { EVENT_TYPES } from '../../lib/event-types.ts'
import { Chapter, Segment, Track } from './music.ts'

const botId = z.string()
const guildId = z.string()

/** What a socket may get; `ready` and `ping` come in any case. */
export const EVENT_NAMES = ['ready', ...EVENT_TYPES, 'ping'] as const

const ready = z
  .object({
    type: z.literal('ready'),
    botId: botId.nullable().meta({ description: 'The bot of the key; null for a key with no bot.' }),
    botIds: z.array(botId).exactOptional().meta({
      description: 'With a key of a pool: the bots of the pool when the socket opens.',
    }),
    events: z
      .array(z.enum(EVENT_TYPES))
      .meta({ description: 'The types this socket will get besides `ready` and `ping`.' }),
  })
  .meta({ id: 'ReadyEvent', description: 'Once, immediately after the socket opens.' })

const trackStarted = z
  .object({ type: z.literal('trackStarted'), botId, guildId, track: Track })
  .meta({ id: 'TrackStartedEvent', description: 'A track begins playing.' })

const trackEnded = z
  .object({
    type: z.literal('trackEnded'),
    botId,
    guildId,
    reason: z.enum(['finished', 'loadFailed', 'stopped', 'replaced', 'cleanup']),
  })
  .meta({ id: 'TrackEndedEvent', description: 'A track stops, for any reason.' })

const chapterStarted = z
  .object({
    type: z.literal('chapterStarted'),
    botId,
    guildId,
    number: z.number().meta({ description: '1 is the first.' }),
    chapter: Chapter,
  })
  .meta({
    id: 'ChapterStartedEvent',
    description: 'A chapter of the current track begins to sound, by itself or since the player moved there.',
  })

const segmentSkipped = z
  .object({ type: z.literal('segmentSkipped'), botId, guildId, segment: Segment })
  .meta({ id: 'SegmentSkippedEvent', description: 'A part of the current track is skipped.' })

const queueEmptied = z
  .object({ type: z.literal('queueEmptied'), botId, guildId })
  .meta({ id: 'QueueEmptiedEvent', description: 'The queue runs dry.' })

const playerClosed = z
  .object({ type: z.literal('playerClosed'), botId, guildId, reason: z.enum(['idle', 'disconnected']) })
  .meta({ id: 'PlayerClosedEvent', description: 'The player shuts down.' })

const botStopped = z
  .object({
    type: z.literal('botStopped'),
    botId,
    reason: z.enum(['shutdown', 'disconnected', 'unauthorized', 'removed']),
  })
  .meta({ id: 'BotStoppedEvent', description: 'The bot goes offline.' })

const sourceChanged = z
  .object({
    type: z.literal('sourceChanged'),
    botId,
    source: z.string().meta({ description: 'As in searches: `soundcloud`.' }),
    state: z.enum(['ready', 'refused', 'unreachable', 'changed']).meta({
      description: '`changed`: it answers in a form that cannot be read. All but `ready` are skipped by searches.',
    }),
  })
  .meta({ id: 'SourceChangedEvent', description: 'A music source fails, or answers again.' })

const ping = z.object({ type: z.literal('ping') }).meta({ id: 'PingEvent', description: 'Every 30 seconds.' })

/** Every message by the name of its schema. */
export const SOCKET_EVENTS = {
  ReadyEvent: ready,
  TrackStartedEvent: trackStarted,
  TrackEndedEvent: trackEnded,
  ChapterStartedEvent: chapterStarted,
  SegmentSkippedEvent: segmentSkipped,
  QueueEmptiedEvent: queueEmptied,
  PlayerClosedEvent: playerClosed,
  BotStoppedEvent: botStopped,
  SourceChangedEvent: sourceChanged,
  PingEvent: ping,
} as const

/** Everything that a socket may receive. */
export const SocketEvent = z
  .discriminatedUnion('type', [
    ready,
    trackStarted,
    trackEnded,
    chapterStarted,
    segmentSkipped,
    queueEmptied,
    playerClosed,
    botStopped,
    sourceChanged,
    ping,
  ])
  .meta({ id: 'SocketEvent' })
