import { z } from 'zod'
import { Fault } from '../../lib/errors.ts'
import { answeredAtMs, type LoggedRequest as Logged } from '../../lib/request-log/request-log.ts'
import { statusesOf } from '../../lib/request-log/status-filter.ts'
import * as envelopes from '../http/envelopes.ts'
import { PUBLIC_CODES } from '../http/errors.ts'
import { route } from '../http/route.ts'
import { Page, pageOf, readCursor, writeCursor } from '../schemas/pages.ts'
import { EXAMPLE_REQUEST, LoggedRequest, RequestId } from '../schemas/requests.ts'

const requests = { tag: 'Requests', class: 'cheap', envelope: envelopes.data } as const
const moment = z.iso.datetime({
  offset: true,
  error: 'Must be an ISO 8601 time with a zone, such as 2026-11-21T12:00:00Z.',
})

export const listRequests = route('listRequests', 'GET /v1/requests', {
  ...requests,
  summary: "List the project's requests",
  description:
    "Returns requests of all the project's keys, newest first, including failed ones and those of revoked keys. The log keeps " +
    '7 days or 200,000 requests by default. Filters are combined. It has no bodies, queries or headers. Of several ' +
    'services on one Redis, each logs its own requests.',
  faults: ['service_unavailable'],
  query: z.object({
    ...pageOf(100, 25),
    status: z
      .string()
      .regex(/^(?:[1-5]xx|[1-5]\d\d|error)$/, 'Must be a status such as `404`, a class such as `5xx`, or `error`.')
      .optional()
      .meta({ description: 'A status, a class such as `5xx`, or `error` for 400 and above.', examples: ['5xx'] }),
    route: z
      .string()
      .max(100)
      .optional()
      .meta({ description: 'Name of a route, as in `operation` of a request.', examples: ['play'] }),
    key: z.string().max(100).optional().describe('ID of a key, as in `keyId` of a request.'),
    code: z.enum(PUBLIC_CODES).optional().describe('Error code.'),
    requestId: RequestId.optional(),
    from: moment
      .optional()
      .meta({ description: 'Only requests from this time on.', examples: ['2026-11-21T12:00:00Z'] }),
    to: moment.optional().describe('Only requests before this time.'),
  }),
  isPaged: true,
  data: z.array(LoggedRequest),
  example: { query: { status: '4xx', limit: '10' }, data: [EXAMPLE_REQUEST] },
  async handle({ query, caller }, app) {
    const { limit, cursor, status, route: operation, key: keyId, code, requestId, from, to } = query
    const found = await app.requests.list({
      projectId: caller.projectId,
      statuses: status === undefined ? undefined : (statusesOf(status) ?? undefined),
      operation,
      keyId,
      code,
      requestId,
      fromMs: from === undefined ? undefined : Date.parse(from),
      toMs: to === undefined ? undefined : Date.parse(to),
      before: cursor === undefined ? undefined : readCursor('listRequests', cursor, z.int()),
      limit: limit + 1,
    })
    const shown = found.slice(0, limit)
    const last = found.length > limit ? shown.at(-1) : undefined
    return new Page(shown.map(show), last ? writeCursor('listRequests', last.id) : null)
  },
})

export const getRequest = route('getRequest', 'GET /v1/requests/{requestId}', {
  ...requests,
  summary: 'Get a request',
  description: 'Finds it by its `X-Request-Id`. If several requests have the same one, returns the newest.',
  faults: ['not_found', 'service_unavailable'],
  path: z.object({ requestId: RequestId.describe('`X-Request-Id` of the response.') }),
  data: LoggedRequest,
  example: { path: { requestId: EXAMPLE_REQUEST.requestId }, data: EXAMPLE_REQUEST },
  async handle({ path, caller }, app) {
    const [found] = await app.requests.list({ projectId: caller.projectId, requestId: path.requestId, limit: 1 })
    if (!found) throw new Fault('not_found', 'The log has no request with this ID. It may have expired.')
    return show(found)
  },
})

function show(request: Logged): z.input<typeof LoggedRequest> {
  const { requestId, method, operation, route: pattern, path, status, durationMs, keyId, address, traceId } = request
  return {
    requestId,
    at: new Date(answeredAtMs(request)).toISOString(),
    method,
    operation,
    route: pattern,
    path: path ?? pattern ?? '',
    status,
    error: errorOf(request),
    durationMs,
    keyId,
    address,
    limit: limitOf(request),
    traceId,
  }
}

function errorOf({ code, reason, message }: Logged): z.input<typeof LoggedRequest>['error'] {
  const known = PUBLIC_CODES.find((one) => one === code)
  return known ? { code: known, reason, message: message ?? '' } : null
}

function limitOf(request: Logged): z.input<typeof LoggedRequest>['limit'] {
  const { limitClass, limitPerMinute, limitRemaining, limitSpent } = request
  if (limitClass === null) return null
  const spent = limitSpent === 'class' || limitSpent === 'aggregate' ? limitSpent : null
  return {
    class: limitClass,
    perMinute: limitPerMinute ?? 0,
    remaining: limitRemaining ?? 0,
    isAllowed: spent === null,
    spent,
  }
}
