import { z } from 'zod'
import type { BotEvent, ProjectEvent } from '../bot/events.ts'
import { SEGMENT_CATEGORIES } from '../lib/music/segment-categories.ts'
import { SNOWFLAKE } from '../lib/validation/snowflake.ts'

/** Our messages are never longer. */
export const MAX_MESSAGE_LENGTH = 4 * 1024 * 1024

const projectId = z.string().regex(/^prj_[0-9a-f]{20}$/)
const botId = z.string().regex(SNOWFLAKE)
const guild = { botId, guildId: z.string() }

const track = z.looseObject({
  title: z.string(),
  author: z.string(),
  lengthMs: z.number(),
  uri: z.string().nullable(),
  artworkUrl: z.string().nullable(),
  isStream: z.boolean(),
})

// Loose: newer services can add fields to an event, which listeners here still get. Every service reports job ends itself.
const botEvent = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('trackStarted'), ...guild, track }),
  z.looseObject({
    type: z.literal('trackEnded'),
    ...guild,
    reason: z.enum(['finished', 'loadFailed', 'stopped', 'replaced', 'cleanup']),
  }),
  z.looseObject({
    type: z.literal('chapterStarted'),
    ...guild,
    number: z.number(),
    chapter: z.looseObject({ title: z.string(), startMs: z.number(), endMs: z.number().nullable() }),
  }),
  z.looseObject({
    type: z.literal('segmentSkipped'),
    ...guild,
    segment: z.looseObject({
      category: z.enum(SEGMENT_CATEGORIES),
      action: z.enum(['skip', 'mute']),
      startMs: z.number(),
      endMs: z.number(),
    }),
  }),
  z.looseObject({ type: z.literal('queueEmptied'), ...guild }),
  z.looseObject({ type: z.literal('playerClosed'), ...guild, reason: z.enum(['idle', 'disconnected']) }),
  z.looseObject({
    type: z.literal('botStopped'),
    botId,
    reason: z.enum(['shutdown', 'disconnected', 'unauthorized', 'removed']),
  }),
  z.looseObject({
    type: z.literal('sourceChanged'),
    botId,
    source: z.string(),
    state: z.enum(['ready', 'refused', 'unreachable', 'changed']),
  }),
]) satisfies z.ZodType<BotEvent>

const BotEventOf = z.object({ projectId, event: botEvent })

/** What a service says of itself, over and over. */
export interface Facts {
  /** Where its callers reach it. */
  readonly baseUrl: string
  /** The bots that it runs. */
  readonly bots: readonly string[]
  /** The same by their projects. */
  readonly botsByProject: Readonly<Record<string, readonly string[]>>
  /** Players per project on that service, for projects with any. */
  readonly players: Readonly<Record<string, number>>
}

const head = { from: z.uuid(), seq: z.int().min(1) }

const Message = z.discriminatedUnion('type', [
  z.object({
    ...head,
    type: z.literal('here'),
    baseUrl: z.string().max(2048),
    bots: z.array(botId),
    /** Absent in earlier versions. */
    botsByProject: z.record(projectId, z.array(botId)).default({}),
    players: z.record(projectId, z.int().min(0)),
  }),
  /** A service that has just joined asks the others to announce themselves. */
  z.object({ ...head, type: z.literal('who') }),
  z.object({ ...head, type: z.literal('gone') }),
])

export type Message = z.output<typeof Message>
export type Here = Extract<Message, { type: 'here' }>

/** Null if this version does not know it. */
export function parseMessage(text: string): Message | null {
  return parse(Message, text)
}

/** Null if this version does not know it. */
export function parseEvent(value: unknown): ProjectEvent | null {
  if (!BotEventOf.safeParse(value).success) return null
  // As it came, not as the look at it made it: so it reads here as it does at the sender.
  const { projectId: of, event } = value as z.output<typeof BotEventOf>
  return { projectId: of, event, isFromPeer: true }
}

function parse<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return null
  }
}
