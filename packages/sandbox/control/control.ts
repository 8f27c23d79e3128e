import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Logger } from 'pino'
import { z } from 'zod'
import { describeProblems, inputMessage } from '../../../lib/validation/problems.ts'
import { BodyError, readBody } from '../http/body.ts'
import { createRouter, segmentsOf } from '../http/router.ts'
import { streamEvents } from '../live/events.ts'
import { createPage } from '../page/serve.ts'
import { DiscordError } from '../world/errors.ts'
import { InvocationError } from '../world/invoke.ts'
import { COMMAND_ROUTES } from './commands.ts'
import { COMPONENT_ROUTES } from './components.ts'
import { MESSAGE_ROUTES } from './messages.ts'
import { NETWORK_ROUTES } from './network.ts'
import { PEOPLE_ROUTES } from './people.ts'
import { PLACE_ROUTES } from './guilds.ts'
import { TESTING_ROUTES } from './testing.ts'
import { get, ControlError, RawAnswer, type ControlRoute, type Stage } from './route.ts'

const BODY_BYTES = 16 * 1024 * 1024

const HERE: readonly ControlRoute[] = [
  get('/certificate.pem', {
    summary: 'Get the certificate of the voice server.',
    handle: ({ certificate }) => new RawAnswer('application/x-pem-file', certificate),
  }),
  get('/events', {
    summary:
      'Stream the state of a guild (`?guild=`, default: the first one) as server-sent events: first the whole state, then changes. `?traffic=true` adds requests and gateway messages.',
    handle: ({ query, ...stage }) =>
      new RawAnswer(
        'text/event-stream',
        streamEvents(stage, { guildId: query.get('guild'), withTraffic: query.get('traffic') === 'true' }),
      ),
  }),
]
const ROUTES: readonly ControlRoute[] = [
  ...HERE,
  ...PLACE_ROUTES,
  ...MESSAGE_ROUTES,
  ...PEOPLE_ROUTES,
  ...COMMAND_ROUTES,
  ...COMPONENT_ROUTES,
  ...NETWORK_ROUTES,
  ...TESTING_ROUTES,
]

/** The controls under `/sandbox`: JSON in, JSON out, and a page for people. */
export function createControl(stage: Stage, log: Logger) {
  const router = createRouter(ROUTES)
  const page = createPage()

  async function perform(
    request: IncomingMessage,
    segments: readonly string[],
    query: URLSearchParams,
  ): Promise<unknown> {
    const match = router(request.method ?? 'GET', segments)
    if (match.is === 'unknown') throw new ControlError(404, 'Unknown path. GET /sandbox lists all routes.')
    if (match.is === 'wrong-method')
      throw new ControlError(405, `This path doesn't support the method. Use ${match.allowed.join(' or ')}.`)
    const { route, params } = match
    const body = route.body ? parse(route.body, (await readBody(request, BODY_BYTES)).json ?? {}) : undefined
    return route.handle({ ...stage, params, query, headers: request.headers, body })
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const path = pathname.replace(/^\/sandbox/, '').replace(/\/$/, '')
    try {
      if (page.serve(request, response, path)) return
      if (path === '' && request.method === 'GET') send(response, describe())
      else send(response, await perform(request, segmentsOf(path) ?? [], searchParams))
    } catch (error) {
      const { status, ...rest } = explain(error, log)
      sendJson(response, status, { error: rest })
    }
  }
}

function parse(schema: z.ZodType, body: unknown): unknown {
  const parsed = schema.safeParse(body, { error: inputMessage })
  if (parsed.success) return parsed.data
  throw new ControlError(422, describeProblems(parsed.error, 'body'))
}

/** Lists the routes and the body of each. */
function describe() {
  const routes = ROUTES.map(({ method, path, summary, body }) => {
    const shape = body ? z.toJSONSchema(body, { io: 'input' }) : null
    return { method, path: `/sandbox${path}`, summary, body: shape }
  })
  return { name: 'A stand-in for Discord', rest: '/api/v10', routes }
}

function explain(error: unknown, log: Logger): { status: number; message: string; code?: number } {
  if (error instanceof ControlError) return { status: error.status, message: error.message }
  if (error instanceof InvocationError) return { status: 422, message: error.message }
  if (error instanceof DiscordError) return { status: error.status, message: error.message, code: error.code }
  if (error instanceof BodyError) return { status: error.kind === 'too-large' ? 413 : 400, message: error.message }
  log.error({ err: error }, 'control failed')
  return { status: 500, message: 'The sandbox failed. See its log for the cause.' }
}

function send(response: ServerResponse, answer: unknown): void {
  if (answer === undefined) {
    response.writeHead(204)
    response.end()
  } else if (!(answer instanceof RawAnswer)) sendJson(response, 200, answer)
  else if (answer.content instanceof Readable) {
    response.writeHead(200, { 'content-type': answer.type, 'cache-control': 'no-store' })
    // Anyone who hangs up ends the stream; nothing is wrong then.
    pipeline(answer.content, response).catch(() => undefined)
  } else {
    response.writeHead(200, { 'content-type': answer.type })
    response.end(answer.content)
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
