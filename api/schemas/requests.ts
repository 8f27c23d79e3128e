import { z } from 'zod'
import { PUBLIC_CODES } from '../http/errors.ts'

const time = z.iso.datetime().meta({ examples: ['2026-11-21T12:00:00.000Z'] })

/** An id of a request as `X-Request-Id` may say it. */
export const RequestId = z
  .string()
  .regex(
    /^[A-Za-z0-9._:-]{1,128}$/,
    'A request id has 1 to 128 of these: A-Z, a-z, 0-9, dot, underscore, colon, hyphen.',
  )

/** A request as the people of its project see it. */
export const LoggedRequest = z
  .object({
    requestId: z.string().meta({
      description: "That of the answer's `X-Request-Id`. Your own, where you sent one; then several may have the same.",
    }),
    at: time.meta({ description: 'When it was answered.' }),
    method: z.string(),
    operation: z
      .string()
      .nullable()
      .meta({ description: "The route's name in generated clients; null for an unknown path." }),
    route: z.string().nullable().meta({ description: 'Its path with the names of parameters.' }),
    path: z.string().meta({ description: 'As it was sent, without the query.' }),
    status: z.int(),
    error: z
      .object({
        code: z.enum(PUBLIC_CODES),
        reason: z
          .string()
          .nullable()
          .meta({ description: 'Which of the failures of one code it was, where that is known.' }),
        message: z.string(),
      })
      .nullable()
      .meta({ description: 'What it was refused with; null for a success.' }),
    durationMs: z.number(),
    keyId: z.string().meta({ description: 'Of the key that was sent.' }),
    address: z.string().nullable().meta({ description: 'Where it came from, as far as the operator keeps that.' }),
    limit: z
      .object({
        class: z.string(),
        perMinute: z.int(),
        remaining: z.int(),
        isAllowed: z.boolean(),
        spent: z
          .enum(['class', 'aggregate'])
          .nullable()
          .meta({ description: 'The budget that had no room: of the class, or of all classes together.' }),
      })
      .nullable()
      .meta({ description: 'What the rate limiter said; null for a request that it was not asked about.' }),
    traceId: z.string().nullable().meta({ description: 'Of its trace, where the operator collects them.' }),
  })
  .meta({ id: 'LoggedRequest' })

export const EXAMPLE_REQUEST = {
  requestId: '0b9ccf2e-5d63-4a0b-9f0f-3f6f0c2f7f11',
  at: '2026-11-21T12:00:00.000Z',
  method: 'POST',
  operation: 'play',
  route: '/v1/music/guilds/{guildId}/play',
  path: '/v1/music/guilds/81384788765712384/play',
  status: 422,
  error: { code: 'validation_error', reason: null, message: 'body.channelId: A Discord id has 17 to 20 digits.' },
  durationMs: 1.4,
  keyId: 'key_1f0c2f7f113f6f0c2f7f',
  address: '192.0.2.7',
  limit: null,
  traceId: null,
} as const
