import { z } from 'zod'
import { EVENT_TYPES } from '../../lib/event-types.ts'
import { Chapter, Segment, Track } from './music.ts'

const botId = z.string()
const guildId = z.string()

/** Events that a socket may receive; `ready` and `ping` are always sent. */
export const EVENT_NAMES = ['ready', ...EVENT_TYPES, 'ping'] as const

const ready = z
  .object({
    type: z.literal('ready'),
    botId: botId.nullable().describe("The key's bot. Null for a key without a bot."),
    botIds: z.array(botId).exactOptional().describe("A pool's bots when the socket opens, if the key is of a pool."),
    events: z.array(z.enum(EVENT_TYPES)).describe('Event types on this socket, besides `ready` and `ping`.'),
  })
  .meta({ id: 'ReadyEvent', description: 'Sent once, when the socket opens.' })

const trackStarted = z
  .object({ type: z.literal('trackStarted'), botId, guildId, track: Track })
  .meta({ id: 'TrackStartedEvent', description: 'A track starts.' })

const trackEnded = z
  .object({
    type: z.literal('trackEnded'),
    botId,
    guildId,
    reason: z.enum(['finished', 'loadFailed', 'stopped', 'replaced', 'cleanup']),
  })
  .meta({ id: 'TrackEndedEvent', description: 'A track ends, for any reason.' })

const chapterStarted = z
  .object({
    type: z.literal('chapterStarted'),
    botId,
    guildId,
    number: z.number().describe('Starts at 1.'),
    chapter: Chapter,
  })
  .meta({
    id: 'ChapterStartedEvent',
    description: 'A chapter of the current track starts, during playback or after a seek.',
  })

const segmentSkipped = z
  .object({ type: z.literal('segmentSkipped'), botId, guildId, segment: Segment })
  .meta({ id: 'SegmentSkippedEvent', description: 'The player skips a segment of the current track.' })

const queueEmptied = z
  .object({ type: z.literal('queueEmptied'), botId, guildId })
  .meta({ id: 'QueueEmptiedEvent', description: 'The queue ends.' })

const playerClosed = z
  .object({ type: z.literal('playerClosed'), botId, guildId, reason: z.enum(['idle', 'disconnected']) })
  .meta({ id: 'PlayerClosedEvent', description: 'A player closes.' })

const botStopped = z
  .object({
    type: z.literal('botStopped'),
    botId,
    reason: z.enum(['shutdown', 'disconnected', 'unauthorized', 'removed']),
  })
  .meta({ id: 'BotStoppedEvent', description: 'A bot goes offline.' })

const sourceChanged = z
  .object({
    type: z.literal('sourceChanged'),
    botId,
    source: z.string().describe('Name of the source, such as `soundcloud`.'),
    state: z
      .enum(['ready', 'refused', 'unreachable', 'changed'])
      .describe("`changed`: its responses are unreadable. Searches skip all sources that aren't `ready`."),
  })
  .meta({ id: 'SourceChangedEvent', description: 'A music source fails or recovers.' })

const ping = z.object({ type: z.literal('ping') }).meta({ id: 'PingEvent', description: 'Sent every 30 seconds.' })

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
