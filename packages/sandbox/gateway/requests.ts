import { GatewayOpcodes as Op } from 'discord-api-types/v10'
import { z } from 'zod'
import { Snowflake } from '../world/snowflake.ts'

/** Some clients write 0 and 1. */
const flag = z.union([z.boolean(), z.literal([0, 1]).transform(Boolean)])
const ids = z.union([Snowflake.transform((one) => [one]), z.array(Snowflake).max(100)])

/** Clients send null for what they leave out; Discord takes both. */
function optional<S extends z.ZodType>(schema: S) {
  return schema.nullish().transform((value) => value ?? undefined)
}

const Presence = z.looseObject({
  status: optional(z.string()),
  afk: optional(flag),
  since: z.number().nullish(),
  activities: optional(z.array(z.looseObject({ name: z.string(), type: z.number() }))),
})

/** Payloads that a client may send, by opcode. Anything else closes its connection. */
export const ClientPayload = z.discriminatedUnion('op', [
  z.object({ op: z.literal(Op.Heartbeat), d: z.number().int().nullish() }),
  z.object({
    op: z.literal(Op.Identify),
    d: z.object({
      token: z.string(),
      // Versions 6 and 7 of the gateway know bots without.
      intents: optional(z.number().int()),
      properties: optional(z.looseObject({})),
      // Payload compression: a Boolean as documented, and the name of a transport in some released clients.
      compress: z.unknown().optional(),
      large_threshold: optional(z.number()),
      shard: optional(z.tuple([z.number().int(), z.number().int()])),
      presence: optional(Presence),
    }),
  }),
  z.object({ op: z.literal(Op.PresenceUpdate), d: Presence }),
  z.object({
    op: z.literal(Op.VoiceStateUpdate),
    d: z.object({
      guild_id: Snowflake,
      channel_id: Snowflake.nullable(),
      self_mute: optional(flag),
      self_deaf: optional(flag),
    }),
  }),
  z.object({
    op: z.literal(Op.Resume),
    d: z.object({ token: z.string(), session_id: z.string(), seq: z.number().int() }),
  }),
  z.object({
    op: z.literal(Op.RequestGuildMembers),
    d: z.object({
      // Eris asks for a list of guilds.
      guild_id: ids,
      query: optional(z.string()),
      limit: optional(z.number().int().min(0)),
      presences: optional(flag),
      user_ids: optional(ids),
      nonce: optional(z.string().max(32)),
    }),
  }),
  z.object({ op: z.literal(Op.RequestSoundboardSounds), d: z.looseObject({}) }),
  z.object({
    op: z.literal(Op.RequestChannelInfo),
    d: z.object({ guild_id: Snowflake, fields: z.array(z.string()).default([]) }),
  }),
])
export type ClientPayload = z.infer<typeof ClientPayload>
export type Identify = Extract<ClientPayload, { op: Op.Identify }>['d']
export type Resume = Extract<ClientPayload, { op: Op.Resume }>['d']

export const KNOWN_OPCODES: ReadonlySet<number> = new Set(ClientPayload.options.map(({ shape }) => shape.op.value))
