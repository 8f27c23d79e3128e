import { z } from 'zod'
import { PLAN_NAMES } from '../../lib/plans.ts'

export const REQUEST_ID_EXAMPLE = '0b9ccf2e-5d63-4a0b-9f0f-3f6f0c2f7f11'

const whole = z.number().meta({ override: { type: 'integer', minimum: 0 } })

export const sentRequestId = z
  .string()
  .optional()
  .meta({
    param: { id: 'RequestId' },
    description: 'Your own request ID, 1 to 128 of `A-Z a-z 0-9 . _ : -`. The response returns it.',
  })

export const sentIfMatch = z
  .string()
  .optional()
  .meta({
    param: { id: 'IfMatch' },
    description: '`ETag` of the queue or player that you read. 412 if the queue has changed since.',
    example: '"k7Qm0y7b1kDk"',
  })

export const sentIdempotencyKey = z
  .string()
  .optional()
  .meta({
    param: { id: 'IdempotencyKey' },
    description:
      'A new value for each change, such as a UUID. The service makes a change once per key and project. For 24 hours a ' +
      'retry gets the first response. It gets 409 while the first request runs, and 422 if the request or its bot ' +
      "differs. The order of fields in a JSON body doesn't matter.",
    example: '5f7d1c1e-6c0c-4a35-9a1b-3f1f8f2b7a10',
  })

/** Headers of answers, by the names that the document's writer uses. */
export const headers = {
  requestId: z.string().meta({
    header: { id: 'X-Request-Id' },
    description: 'The `X-Request-Id` of the request if it is valid, or else a new one.',
    examples: [REQUEST_ID_EXAMPLE],
  }),
  plan: z.enum(PLAN_NAMES).meta({ header: { id: 'X-RateLimit-Plan' }, description: "The project's plan." }),
  routeClass: z
    .enum(['cheap', 'fetch', 'canvas', 'browser'])
    .meta({ header: { id: 'X-RateLimit-Class' }, description: "The route's class." }),
  limit: z.int().meta({
    header: { id: 'X-RateLimit-Limit' },
    description: 'Requests per minute that the plan allows in this class.',
  }),
  remaining: whole.meta({
    header: { id: 'X-RateLimit-Remaining' },
    description: 'Remaining requests of this class: the smaller of the class quota and the total quota.',
  }),
  rateLimit: z.string().meta({
    header: { id: 'RateLimit' },
    description:
      'Remaining requests (`r`) and seconds until the full quota (`t`), of the class or the `total`. For a 429, seconds until the next request.',
    examples: ['"cheap";r=59;t=1'],
  }),
  policy: z.string().meta({
    header: { id: 'RateLimit-Policy' },
    description: 'Quotas (`q`) per window in seconds (`w`), of the class and of all classes.',
    examples: ['"cheap";q=60;w=60, "total";q=80;w=60'],
  }),
  retryAfter: whole.meta({
    header: { id: 'Retry-After' },
    description: 'Whole seconds to wait before the next request.',
  }),
  authenticate: z
    .literal('Bearer')
    .meta({ header: { id: 'WWW-Authenticate' }, description: 'Send `Authorization: Bearer svc.<key>`.' }),
  replayed: z
    .literal('true')
    .optional()
    .meta({
      header: { id: 'Idempotent-Replayed' },
      description: 'The service already made this change; this is the first response.',
    }),
  etag: z.string().meta({
    header: { id: 'ETag' },
    description:
      "Send it as `If-None-Match` to get 304 if nothing changed. Send a queue's `ETag` as `If-Match` with a change.",
  }),
} as const
