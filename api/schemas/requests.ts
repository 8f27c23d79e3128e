import { z } from 'zod'
import { PUBLIC_CODES } from '../http/errors.ts'

const time = z.iso.datetime().meta({ examples: ['2026-11-21T12:00:00.000Z'] })

/** An id of a request as `X-Request-Id` may say it. */
export const RequestId = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,128}$/, 'Must have 1 to 128 ASCII letters, digits, dots, underscores, colons or hyphens.')

/** A request as the people of its project see it. */
export const LoggedRequest = z
  .object({
    requestId: z
      .string()
      .describe('`X-Request-Id` of the response. If you sent your own, several requests can have the same.'),
    at: time.describe('Time of the response.'),
    method: z.string(),
    operation: z.string().nullable().describe('Name of the route in generated clients. Null for an unknown path.'),
    route: z.string().nullable().describe('Path of the route with parameter names.'),
    path: z.string().describe('Path of the request, without the query.'),
    status: z.int(),
    error: z
      .object({
        code: z.enum(PUBLIC_CODES),
        reason: z.string().nullable().describe('Detailed reason, if known.'),
        message: z.string(),
      })
      .nullable()
      .describe('Null for a successful request.'),
    durationMs: z.number(),
    keyId: z.string().describe('ID of the key.'),
    address: z.string().nullable().describe('IP address of the caller, if the operator stores it.'),
    limit: z
      .object({
        class: z.string(),
        perMinute: z.int(),
        remaining: z.int(),
        isAllowed: z.boolean(),
        spent: z
          .enum(['class', 'aggregate'])
          .nullable()
          .describe('The exceeded quota, of the class or of all classes.'),
      })
      .nullable()
      .describe('Result of the rate limiter. Null for routes without a rate limit.'),
    traceId: z.string().nullable().describe('Trace ID, if the operator collects traces.'),
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
  error: {
    code: 'validation_error',
    reason: null,
    message: 'body.channelId: Must be a Discord ID of 17 to 20 digits.',
  },
  durationMs: 1.4,
  keyId: 'key_1f0c2f7f113f6f0c2f7f',
  address: '192.0.2.7',
  limit: null,
  traceId: null,
} as const
