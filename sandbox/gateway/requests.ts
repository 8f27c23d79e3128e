import { GatewayOpcodes as Op } from 'discord-api-types/v10'
import { z } from 'zod'

const id = z.string().regex(/^\d{1,20}$/)
const ids = z.union([id.transform((one) => [one]), z.array(id).max(100)])

const Presence = z.looseObject({
  status: z.string().default('online'),
  afk: z.boolean().default(false),
  since: z.number().nullish(),
  activities: z.array(z.looseObject({ name: z.string(), type: z.number() })).default([]),
})

/** What a client may send, by opcode. Anything else closes its connection. */
export const ClientPayload = z.discriminatedUnion('op', [
  z.object({ op: z.literal(Op.Heartbeat), d: z.number().int().nullish() }),
  z.object({
    op: z.literal(Op.Identify),
    d: z.object({
      token: z.string(),
      intents: z.number().int(),
      properties: z.looseObject({}).optional(),
      compress: z.boolean().optional(),
      large_threshold: z.number().optional(),
      shard: z.tuple([z.number().int().min(0), z.number().int().min(1)]).optional(),
      presence: Presence.optional(),
    }),
  }),
  z.object({ op: z.literal(Op.PresenceUpdate), d: Presence }),
  z.object({
    op: z.literal(Op.VoiceStateUpdate),
    d: z.object({
      guild_id: id,
      channel_id: id.nullable(),
      self_mute: z.boolean().default(false),
      self_deaf: z.boolean().default(false),
    }),
  }),
  z.object({
    op: z.literal(Op.Resume),
    d: z.object({ token: z.string(), session_id: z.string(), seq: z.number().int() }),
  }),
  z.object({
    op: z.literal(Op.RequestGuildMembers),
    d: z.object({
      guild_id: id,
      query: z.string().optional(),
      limit: z.number().int().min(0).default(0),
      presences: z.boolean().optional(),
      user_ids: ids.optional(),
      nonce: z.string().max(32).optional(),
    }),
  }),
  z.object({ op: z.literal(Op.RequestSoundboardSounds), d: z.looseObject({}) }),
  z.object({
    op: z.literal(Op.RequestChannelInfo),
    d: z.object({ guild_id: id, fields: z.array(z.string()).default([]) }),
  }),
])
export type ClientPayload = z.infer<typeof ClientPayload>
export type Identify = Extract<ClientPayload, { op: Op.Identify }>['d']
export type Resume = Extract<ClientPayload, { op: Op.Resume }>['d']

export const KNOWN_OPCODES: ReadonlySet<number> = new Set(ClientPayload.options.map(({ shape }) => shape.op.value))
