import { z } from 'zod'
import type { BotEvent, ProjectEvent } from '../../../bot/events.ts'
import { SEGMENT_CATEGORIES } from '../../../lib/music/segment-categories.ts'
import { SNOWFLAKE } from '../../../lib/validation/snowflake.ts'

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

/** Null if this version does not know it. */
export function parseEvent(value: unknown): ProjectEvent | null {
  if (!BotEventOf.safeParse(value).success) return null
  // Returned as received, not as parsed, so it reads the same here as at the sender.
  const { projectId: of, event } = value as z.output<typeof BotEventOf>
  return { projectId: of, event, isFromPeer: true }
}
