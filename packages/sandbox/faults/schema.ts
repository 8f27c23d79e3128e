import { z } from 'zod'

const DELAY_MS_MAX = 600_000
const DURATION_MS_MAX = 86_400_000

const closeCode = z.int().min(1000).max(4999)
const percent = z.number().min(0).max(100)
const delayMs = z.int().min(0).max(DELAY_MS_MAX)

const Delay = z.strictObject({ type: z.literal('delay'), ms: delayMs, jitterMs: delayMs.default(0) })
const Cut = z.strictObject({ type: z.literal('cut') }).describe('cut the TCP connection')
const Lose = z.strictObject({ type: z.literal('lose') }).describe('never arrives; a request gets no response')
const Close = z.strictObject({ type: z.literal('close'), code: closeCode })
const Outage = z
  .strictObject({ type: z.literal('outage'), status: z.int().min(500).max(599).default(503) })
  .describe('all requests fail; of the gateway, open sockets are cut and new ones refused')

const Status = z.strictObject({
  type: z.literal('status'),
  status: z.int().min(400).max(599),
  body: z.record(z.string(), z.unknown()).optional(),
  headers: z.record(z.string(), z.string()).default({}),
})
const RateLimit = z.strictObject({
  type: z.literal('rate-limit'),
  retryAfter: z.number().min(0).max(3600).default(1).describe('seconds'),
  scope: z.enum(['user', 'global', 'shared']).default('user'),
})
const Packets = z.strictObject({
  type: z.literal('packets'),
  direction: z.enum(['in', 'out', 'both']).default('both'),
  lossPercent: percent.default(0),
  delayMs: z.number().min(0).max(10_000).default(0),
  jitterMs: z.number().min(0).max(10_000).default(0),
  reorderPercent: percent.default(0),
  stalled: z.boolean().default(false),
})

/** When a rule applies. All that is given must hold. */
const WHEN = {
  name: z.string().min(1).max(100).optional().describe('for lists and logs'),
  applicationId: z.string().optional().describe('only this bot'),
  afterMs: z.int().min(0).max(DURATION_MS_MAX).default(0).describe('begins so long after it is added'),
  forMs: z.int().min(1).max(DURATION_MS_MAX).optional().describe('ends so long after it began'),
  skip: z.int().min(0).max(1_000_000).default(0).describe('leaves the first so many matches alone'),
  times: z.int().min(1).max(1_000_000).optional().describe('applies at most so often'),
  probability: z.number().min(0).max(1).default(1),
  seed: z.int().min(0).max(0xffff_ffff).default(1).describe('of the dice, so that a run repeats'),
}

export const FaultRule = z.discriminatedUnion('on', [
  z.strictObject({
    on: z.literal('rest'),
    method: z.string().toUpperCase().optional(),
    path: z
      .string()
      .startsWith('/')
      .optional()
      .describe('path or route without /api/v10; `*` stands for one segment, `**` for all that follow'),
    ...WHEN,
    effect: z.discriminatedUnion('type', [Delay, Status, RateLimit, Cut, Lose, Outage]),
  }),
  z
    .strictObject({
      on: z.literal('gateway'),
      direction: z.enum(['sent', 'received']).default('sent').describe('seen from Discord'),
      event: z.string().optional().describe('only this event: MESSAGE_CREATE'),
      op: z.int().min(0).max(255).optional(),
      ...WHEN,
      effect: z.discriminatedUnion('type', [Delay, Lose, Close, Cut, Outage]),
    })
    .refine(({ effect, applicationId }) => effect.type !== 'outage' || applicationId === undefined, {
      path: ['applicationId'],
      error: 'An outage of the gateway concerns all bots. Leave this out.',
    }),
  z
    .strictObject({
      on: z.literal('voice'),
      guildId: z.string().optional().describe('defaults to all guilds there are'),
      ...WHEN,
      effect: z.discriminatedUnion('type', [Packets, Close, Cut]),
    })
    .refine(({ effect, applicationId }) => effect.type !== 'packets' || applicationId === undefined, {
      path: ['applicationId'],
      error: 'Faults of packets concern all of a guild. Leave this out.',
    }),
])
export type FaultRule = z.output<typeof FaultRule>
/** A rule as input: fields with a default are optional. */
export type FaultDraft = z.input<typeof FaultRule>
export type FaultOn<K extends FaultRule['on']> = Extract<FaultRule, { on: K }>
export type EffectOn<K extends FaultRule['on']> = FaultOn<K>['effect']
