import { z } from 'zod'
import { getApplication } from '../world/world.ts'
import { get, patch, post, put, ControlError, guildOf, memberOf, type ControlRoute } from './route.ts'
import { viewNetwork } from './views.ts'

const closeCode = z.number().int().min(1000).max(4999)
const percent = z.number().min(0).max(100)
const drop = z.object({ drop: z.literal(true) })

const Faults = z.object({
  direction: z.enum(['in', 'out', 'both']).default('both'),
  lossPercent: percent.default(0),
  delayMs: z.number().min(0).max(10_000).default(0),
  jitterMs: z.number().min(0).max(10_000).default(0),
  reorderPercent: percent.default(0),
  stalled: z.boolean().default(false),
})

const GatewayDeed = z.discriminatedUnion('action', [
  z.object({ action: z.literal('reconnect') }).describe('op 7: reconnect and resume'),
  z.object({ action: z.literal('invalidate'), resumable: z.boolean().default(false) }).describe('op 9'),
  z.object({ action: z.literal('close'), code: closeCode }).describe('close the socket with a code'),
  z.object({ action: z.literal('drop') }).describe('cut the TCP connection'),
  z.object({ action: z.literal('deaf') }).describe('keep the socket open and ignore its messages'),
  z.object({ action: z.literal('frozen') }).describe('also send nothing more: half-open TCP'),
])

const RulesChange = z.object({
  voiceOrder: z.enum(['state-first', 'server-first', 'random']).optional(),
  moveCloseCode: z.number().int().min(4000).max(4999).nullable().optional(),
  interactionMs: z.number().int().min(1).max(600_000).optional(),
  rateLimits: z.boolean().optional(),
  identifyLimits: z.boolean().optional(),
  restLimitedPercent: percent.optional(),
  restFailedPercent: percent.optional(),
  restDelayMs: z.number().int().min(0).max(10_000).optional(),
})

/** Routes for network faults and for the strictness of Discord. */
export const NETWORK_ROUTES: readonly ControlRoute[] = [
  get('/rules', { summary: 'Get the behaviour of this Discord.', handle: ({ world }) => world.rules }),
  get('/guilds/{guildId}/network', {
    summary: 'List all active faults: rules, packets of a guild, encryption, outages.',
    handle: (call) => viewNetwork(call, guildOf(call)),
  }),
  patch('/rules', {
    summary:
      'Change the behaviour of this Discord: order of voice events, close code of a move, response time, REST limits and faults.',
    body: RulesChange,
    handle({ world, body }) {
      Object.assign(world.rules, body)
      world.notices.emit('rules')
      return world.rules
    },
  }),
  put('/dave', {
    summary: 'Set the version of voice end-to-end encryption, and whether to reject clients without it (4017).',
    body: z.object({ version: z.literal([0, 1]).default(1), required: z.boolean().default(false) }),
    handle({ voice, world, body }) {
      voice.setDave(body)
      world.notices.emit('rules')
      return body
    },
  }),
  post('/applications/{applicationId}/gateway', {
    summary: 'Cause a fault on the gateway of a bot. Returns the number of affected sockets.',
    body: GatewayDeed,
    handle({ gateway, world, params, body }) {
      const { id } = getApplication(world, params['applicationId'] ?? '')
      if (body.action === 'reconnect') return { sockets: gateway.askToReconnect(id) }
      if (body.action === 'invalidate') return { sockets: gateway.invalidate(id, body.resumable) }
      if (body.action === 'close') return { sockets: gateway.closeSockets(id, body.code) }
      if (body.action === 'drop') return { sockets: gateway.closeSockets(id, 'drop') }
      return { sockets: gateway.spoilSockets(id, body.action) }
    },
  }),
  post('/guilds/{guildId}/members/{userId}/voice-socket', {
    summary: 'Close the voice socket of a member or bot with a code, or cut its TCP connection.',
    body: z.union([drop, z.object({ code: closeCode })]),
    handle(call) {
      const { guild, userId } = memberOf(call)
      const how = 'drop' in call.body ? 'drop' : call.body.code
      if (!call.voice.closeSocket(guild.id, userId, how)) {
        throw new ControlError(409, `Member ${userId} has no open voice socket.`)
      }
    },
  }),
  post('/guilds/{guildId}/members/{userId}/voice-message', {
    summary: 'Send a payload to a voice client: `d` as JSON, or `base64` as binary.',
    body: z.union([
      z.object({ op: z.number().int().min(0).max(255), d: z.unknown() }),
      z.object({ op: z.number().int().min(0).max(255), base64: z.base64() }),
    ]),
    handle(call) {
      const { guild, userId } = memberOf(call)
      const { body, voice } = call
      const isSent =
        'base64' in body
          ? voice.sendBinary(guild.id, userId, body.op, Buffer.from(body.base64, 'base64'))
          : voice.send(guild.id, userId, body.op, body.d)
      if (!isSent) throw new ControlError(409, `Member ${userId} has no voice session.`)
    },
  }),
  put('/guilds/{guildId}/faults', {
    summary: 'Drop, delay or stall the audio packets of a guild. `{}` ends this.',
    body: Faults,
    handle(call) {
      call.voice.setFaults(guildOf(call).id, call.body)
      call.world.notices.emit('rules')
      return call.body
    },
  }),
]
