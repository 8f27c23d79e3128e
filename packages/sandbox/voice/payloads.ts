import { VoiceOpcodes } from 'discord-api-types/voice/v8'
import { z } from 'zod'
import { Snowflake } from '../world/snowflake.ts'
import { TRANSPORT_MODES } from './udp/cipher.ts'

const transitionId = z.object({ transition_id: z.int().min(0).max(0xffff) })

export const Opcode = z.enum(VoiceOpcodes)

/** Any JSON message of a client. */
export const Message = z.object({ op: z.int(), d: z.unknown() })

export const Identify = z.object({
  server_id: Snowflake,
  user_id: Snowflake,
  session_id: z.string(),
  token: z.string(),
  max_dave_protocol_version: z.int().min(0).default(0),
})

export const SelectProtocol = z.object({
  protocol: z.string(),
  data: z.object({ address: z.string(), port: z.int().min(0).max(0xffff), mode: z.string() }),
})

export const TransportModeName = z.enum(TRANSPORT_MODES)

export const Heartbeat = z.object({ t: z.number(), seq_ack: z.int().min(-1).default(-1) })

export const Speaking = z.object({ speaking: z.int().min(0), delay: z.number().default(0), ssrc: z.int().optional() })

export const Resume = z.object({
  server_id: Snowflake,
  session_id: z.string(),
  token: z.string(),
  seq_ack: z.int().min(-1).default(-1),
})

export const TransitionReady = transitionId
export const InvalidCommitWelcome = transitionId
