import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponseObject } from 'zod-openapi'
import type { FaultCode } from '../../lib/errors.ts'
import { PLANS } from '../../lib/plans.ts'
import { ErrorBody, FAULT_RESPONSES } from '../http/errors.ts'
import { takesIdempotencyKey } from '../http/conditions/idempotency.ts'
import { takesIfMatch } from '../http/conditions/if-match.ts'
import { BINARY, fileAnswers } from './openapi-file.ts'
import { hasRetryAfter, ProblemDetails, PROBLEM_TYPE } from '../http/problem.ts'
import type { Route } from '../http/route.ts'
import { NextCursor } from '../schemas/pages.ts'
import { SOCKET_EVENTS, SocketEvent } from '../schemas/events.ts'
import { headers, REQUEST_ID_EXAMPLE, sentIdempotencyKey, sentIfMatch, sentRequestId } from '../schemas/headers.ts'
import { TAGS } from './tags.ts'

/** The OpenAPI 3.1 document of a route table. */
export function describeApi(routes: readonly Route[], { version, baseUrl }: { version: string; baseUrl: string }) {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {}
  for (const route of routes) {
    paths[route.url] = { ...paths[route.url], [route.method.toLowerCase()]: operation(route) }
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Bandstand',
        version,
        summary: 'A self-hosted Discord music bot with a REST and WebSocket control plane.',
        description: INTRODUCTION,
        license: { name: 'GPL-3.0-or-later', identifier: 'GPL-3.0-or-later' },
      },
      servers: [{ url: baseUrl }],
      security: [{ key: [] }],
      tags: Object.entries(TAGS)
        .filter(([name]) => routes.some(({ tag }) => tag === name))
        .map(([name, description]) => ({ name, description })),
      paths,
      components: {
        schemas: { Error: ErrorBody, SocketEvent, ...SOCKET_EVENTS },
        headers: {
          'X-Request-Id': headers.requestId,
          'X-RateLimit-Plan': headers.plan,
          'X-RateLimit-Class': headers.routeClass,
          'X-RateLimit-Limit': headers.limit,
          'X-RateLimit-Remaining': headers.remaining,
          RateLimit: headers.rateLimit,
          'RateLimit-Policy': headers.policy,
          'Retry-After': headers.retryAfter,
          'WWW-Authenticate': headers.authenticate,
          ETag: headers.etag,
          'Idempotent-Replayed': headers.replayed,
        },
        securitySchemes: SECURITY,
      },
      'x-events': Object.fromEntries(
        Object.entries(SOCKET_EVENTS).map(([id, { shape }]) => [
          shape.type.value,
          { $ref: `#/components/schemas/${id}` },
        ]),
      ),
      'x-plans': PLANS,
    },
    {
      // An answer may gain fields; callers ignore those they do not know.
      override: ({ jsonSchema, io }) => {
        if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      },
    },
  )
  closeNothingBesideReferences(document)
  return document
}

/**
 * A strict object with a description at its place of use becomes a reference with `additionalProperties: false` beside
 * it, which would refuse every property, since none is declared in that place.
 */
function closeNothingBesideReferences(node: unknown): void {
  if (typeof node !== 'object' || node === null) return
  if ('$ref' in node && 'additionalProperties' in node) delete node.additionalProperties
  for (const value of Object.values(node)) closeNothingBesideReferences(value)
}

function operation(route: Route): ZodOpenApiOperationObject {
  const { path, query } = route
  return {
    operationId: route.id,
    summary: route.summary,
    description: [route.description, classNote(route)].filter(Boolean).join('\n\n'),
    tags: [route.tag],
    security: securityOf(route),
    'x-route-class': route.class,
    requestParams: {
      header: z.object({
        'X-Request-Id': sentRequestId,
        ...(takesIfMatch(route) && { 'If-Match': sentIfMatch }),
        ...(takesIdempotencyKey(route) && { 'Idempotency-Key': sentIdempotencyKey }),
      }),
      ...(path && { path: withExamples(path, route.example.path) }),
      ...(query && { query: withExamples(query, route.example.query) }),
    },
    ...(route.body && {
      requestBody: {
        required: !route.body.safeParse({}).success || 'query' in (route.example.body ?? {}),
        content: { 'application/json': { schema: route.body, example: route.example.body } },
      },
    }),
    ...(route.upload && { requestBody: UPLOAD }),
    responses: {
      ...success(route),
      ...Object.fromEntries(faultsOf(route).map(([status, codes]) => [String(status), failure(route, status, codes)])),
    },
  }
}

function securityOf(route: Route) {
  if (route.class === 'open') return []
  return route.class === 'socket' ? [{ key: [] }, { keyInQuery: [] }] : [{ key: [] }]
}

function withExamples(inputs: z.ZodObject, examples: Readonly<Record<string, string>> | undefined): z.ZodObject {
  const shape = Object.entries(inputs.shape).map(([name, schema]) => {
    const example = examples?.[name]
    // A parameter travels as text, but its example should have the type that the document declares.
    const typed = example !== undefined && /^\d{1,9}$/.test(example) ? Number(example) : example
    return [
      name,
      typed === undefined
        ? schema
        : (schema as z.ZodType).meta({ ...(schema as z.ZodType).meta(), param: { example: typed } }),
    ]
  })
  return z.object(Object.fromEntries(shape) as z.ZodRawShape)
}

function classNote(route: Route): string {
  if (route.class === 'open') return 'Needs no key. No rate limit.'
  if (route.class === 'player') return 'Class `player`: needs a key with a bot or a pool. No rate limit.'
  if (route.class === 'socket') return 'Needs a key. No rate limit.'
  return `Counts against the rate limit for class \`${route.class}\`.`
}

function isMetered(route: Route): boolean {
  return route.class !== 'open' && route.class !== 'player' && route.class !== 'socket'
}

function rateHeaders(route: Route) {
  if (!isMetered(route)) return {}
  return {
    'X-RateLimit-Plan': headers.plan,
    'X-RateLimit-Class': headers.routeClass,
    'X-RateLimit-Limit': headers.limit,
    'X-RateLimit-Remaining': headers.remaining,
    RateLimit: headers.rateLimit,
    'RateLimit-Policy': headers.policy,
  }
}

function success(route: Route): Record<string, ZodOpenApiResponseObject> {
  const own = z.object({ 'X-Request-Id': headers.requestId, ...rateHeaders(route) })
  if (route.class === 'socket') {
    const body = { 'application/json': { schema: ErrorBody } }
    return {
      '101': { description: 'The socket is open. Its first message is `ready`.', headers: own },
      '426': { description: "`bad_request`: the request isn't a WebSocket handshake.", headers: own, content: body },
    }
  }
  const whole = route.envelope.wrap(route.example.data, REQUEST_ID_EXAMPLE)
  const example = route.isPaged ? { ...(whole as object), next: null } : whole
  if (route.file) return fileAnswers(route.file, own.extend({ ETag: headers.etag }))
  const replayed = takesIdempotencyKey(route) ? own.extend({ 'Idempotent-Replayed': headers.replayed }) : own
  const tagged = route.etag ? replayed.extend({ ETag: headers.etag }) : replayed
  return {
    [String(route.status ?? 200)]: {
      description: 'Success.',
      headers: tagged,
      content: {
        'application/json': { schema: answerOf(route), example },
        ...Object.fromEntries((route.produces ?? []).map((type) => [type, { schema: BINARY }])),
      },
    },
    ...(route.etag &&
      route.method === 'GET' && {
        '304': { description: 'Not modified since the `ETag` in `If-None-Match`.', headers: tagged },
      }),
  }
}

function answerOf({ envelope, data, isPaged }: Route): z.ZodType {
  const schema = envelope.schema(data)
  return isPaged && schema instanceof z.ZodObject ? schema.extend({ next: NextCursor }) : schema
}

/** Error responses of a route by status: its own faults and those that its class and inputs imply. */
export function faultsOf(route: Route): [status: number, codes: readonly FaultCode[]][] {
  const codes = new Set<FaultCode>(route.faults)
  if (route.class !== 'open') codes.add('invalid_api_key').add('api_key_revoked').add('forbidden')
  if (isMetered(route)) codes.add('rate_limited')
  if (route.path || route.query || route.body) codes.add(route.invalid ?? 'validation_error')
  if (route.body || route.upload) codes.add('validation_error')
  if (takesIfMatch(route)) codes.add('precondition_failed')
  if (takesIdempotencyKey(route)) codes.add('conflict').add('validation_error').add('service_unavailable')
  codes.add('internal_error')
  const byStatus = Map.groupBy(codes, (code) => FAULT_RESPONSES[code].status)
  return [...byStatus].toSorted(([a], [b]) => a - b)
}

function failure(route: Route, status: number, codes: readonly FaultCode[]): ZodOpenApiResponseObject {
  const own = status === 400 && route.invalid === 'bad_request' ? route.envelope.refusal : undefined
  const lines = codes.map((code) => `\`${FAULT_RESPONSES[code].code}\`: ${FAULT_RESPONSES[code].meaning}`)
  const afterMeter = status !== 401 && status !== 403
  return {
    description: own ? "The input isn't valid, in this area's format." : lines.join('\n\n'),
    headers: z.object({
      'X-Request-Id': headers.requestId,
      ...(afterMeter && rateHeaders(route)),
      ...(status === 403 && isMetered(route) && { 'X-RateLimit-Plan': headers.plan.optional() }),
      ...(status === 412 && { ETag: headers.etag.optional() }),
      ...(status === 429 && { 'Retry-After': headers.retryAfter }),
      ...((status === 409 || status === 503) &&
        hasRetryAfter(route) && { 'Retry-After': headers.retryAfter.optional() }),
      ...(status === 401 && { 'WWW-Authenticate': headers.authenticate }),
    }),
    content: {
      'application/json': own ? { schema: own.schema } : { schema: ErrorBody, example: errorExample(codes) },
      [PROBLEM_TYPE]: { schema: ProblemDetails },
    },
  }
}

function errorExample(codes: readonly FaultCode[]) {
  const outcome = FAULT_RESPONSES[codes[0] ?? 'internal_error']
  const details = outcome.code === 'validation_error' && {
    details: [{ field: 'body.channelId', message: 'Must be a Discord ID of 17 to 20 digits.' }],
  }
  return { error: { code: outcome.code, message: outcome.meaning, ...details }, requestId: REQUEST_ID_EXAMPLE }
}

const UPLOAD = {
  required: true,
  description: 'The file with any `Content-Type`, or a multipart form with files.',
  content: {
    'application/octet-stream': { schema: BINARY },
    'multipart/form-data': {
      schema: { type: 'object', properties: { file: { type: 'array', items: BINARY } } },
    },
  },
} as const

const SECURITY = {
  key: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'svc.<64 lowercase hex digits>',
    description: "A project's API key, in the `Authorization` header.",
  },
  keyInQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'key',
    description: "Only the events socket accepts the key in its query, since browsers can't set WebSocket headers.",
  },
} as const

const INTRODUCTION = `
Send your key as \`Authorization: Bearer svc.<key>\`. Request and response bodies are JSON.

**Errors.** Every failed request returns \`{ error: { code, message, details? }, requestId }\`. Branch on \`code\`. With
\`Accept: application/problem+json\`, errors have the format of RFC 9457.
A validation error lists all problems in \`details\`, each with its \`field\`. An unknown path returns 404 \`not_found\`, a
wrong method 405 \`method_not_allowed\` with \`Allow\`. Requests that are malformed, too long (16 KiB of headers, 64 KiB of
body) or too slow (10 s) fail with the same error body.

**Request IDs.** Every response has an \`X-Request-Id\`. Send your own (1 to 128 of \`A-Z a-z 0-9 . _ : -\`), and the
response returns it.

**Limits.** Rate limits apply per project: a burst up to the limit of the route's class, which refills over 60 seconds,
and the same for the total of all classes. A 429 response costs nothing; \`Retry-After\` has the seconds to wait. Music
routes have no rate limit; the plan limits the number of players. Their errors have \`error.retryAfterMs\` instead of the header.
While other projects send requests, those of one project beyond 10 per second for each player of its plan wait, up to 5 s.

**Browsers.** CORS allows every origin. \`HEAD\` works for every \`GET\`. Lists have an \`ETag\`, and the service compresses
long responses for clients that accept it.
`.trim()
