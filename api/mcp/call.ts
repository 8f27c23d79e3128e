import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import inject from 'light-my-request'
import { isNestedDeeper } from '../../lib/validation/nesting.ts'
import { unknownFieldMessage } from '../../lib/validation/unknown-fields.ts'
import { MAX_DEPTH } from '../http/body/body.ts'
import type { RequestHandler } from '../http/koa.ts'
import { retryAfterSeconds } from '../http/problem.ts'
import { failure, NO_CURSOR, parseCursor, shorten, type ToolResult } from './result.ts'
import type { RouteTool } from './tools.ts'

type Arguments = Readonly<Record<string, unknown>>

/** The caller: parts of its request to `/mcp` that are passed on with the requests of tools. */
export interface ToolCaller {
  readonly headers: IncomingHttpHeaders
  readonly address: string | undefined
  /** So that what the caller finds in an answer of `/mcp` leads to the lines of its tools in the log. */
  readonly requestId: string
  /** Aborts when the caller goes away or the service stops. */
  readonly signal: AbortSignal
}

export interface ToolSite {
  /** Serves a request as if it had come over a connection. */
  readonly handle: RequestHandler
  readonly baseUrl: string
}

interface ToolRequest {
  readonly url: string
  readonly body: object | null
}

interface Answer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, number | string | readonly string[] | undefined>>
  readonly rawPayload: Buffer
}

/** Longer than any route takes by its own rules. */
const TIMEOUT_MS = 90_000
/** Larger pictures are a link. */
const MAX_IMAGE_BYTES = 256 * 1024
const FORWARDED = ['authorization', 'user-agent', 'traceparent', 'x-forwarded-for'] as const

/** Does what the HTTP request of a tool does, in the same way: keys, limits, checks, counts and the log are those of the API. */
export async function callTool(
  tool: RouteTool,
  args: Arguments,
  { caller, site }: { readonly caller: ToolCaller; readonly site: ToolSite },
): Promise<ToolResult> {
  const given = args['cursor'] ?? null
  const cursor = parseCursor(given)
  if (tool.request.hasCursor && given !== null && !cursor) {
    return failure(NO_CURSOR)
  }
  const request = requestOf(tool, args)
  if ('problem' in request) return failure(request.problem)
  const answer = await send(tool, request, { caller, site })
  if (!answer) return failure('The call timed out. Try again, or request less.')
  const type = [answer.headers['content-type']].flat().join()
  if (type.startsWith('image/')) return picture(answer.rawPayload, type, tool, site.baseUrl + request.url)
  const body = JSON.parse(answer.rawPayload.toString()) as Readonly<Record<string, unknown>>
  if (answer.statusCode >= 400) return refusal(answer, body)
  const hasPages = 'cursor' in tool.inputSchema.properties
  return shorten(dataOf(body), { cursor, hasCursor: tool.request.hasCursor, hasPages })
}

function requestOf({ request }: RouteTool, args: Arguments): ToolRequest | { readonly problem: string } {
  const { path, query, body, hasCursor } = request
  const known = [...path, ...query, ...(body ?? [])]
  const rest = Object.entries(args).filter(([name]) => !path.includes(name) && !query.includes(name))
  const inBody = rest.filter(([name]) => name !== 'cursor' || !hasCursor)
  const [unknown] = body ? [] : inBody
  if (unknown) return { problem: `${unknown[0].slice(0, 100)}: ${unknownFieldMessage(unknown[0], known)}` }
  const deep = Object.keys(args).find((name) => isNestedDeeper(args[name], MAX_DEPTH))
  if (deep !== undefined) return { problem: `${deep}: This is nested more than ${MAX_DEPTH} levels deep.` }
  const missing = path.find((name) => !isPathSegment(args[name]))
  if (missing !== undefined) return { problem: `${missing}: This is required.` }
  // Agents often write null for what they leave out.
  const asked = query.filter((name) => args[name] !== undefined && args[name] !== null)
  const search = new URLSearchParams(asked.map((name): [string, string] => [name, plain(args[name])]))
  const target = request.url.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(plain(args[name])))
  return { url: asked.length > 0 ? `${target}?${search.toString()}` : target, body: body && Object.fromEntries(inBody) }
}

/** A valid path segment; `..` would change the path. */
function isPathSegment(value: unknown): boolean {
  return value !== undefined && value !== null && !['', '.', '..'].includes(plain(value))
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

async function send(
  { request: { method, produces } }: RouteTool,
  { url, body }: ToolRequest,
  { caller, site }: { readonly caller: ToolCaller; readonly site: ToolSite },
): Promise<Answer | null> {
  const forwarded = FORWARDED.flatMap((name) => {
    const value = caller.headers[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const signal = AbortSignal.any([caller.signal, AbortSignal.timeout(TIMEOUT_MS)])
  const serve = (req: IncomingMessage, res: ServerResponse) => {
    const onAbort = () => void res.destroy()
    signal.addEventListener('abort', onAbort, { once: true })
    res.once('close', () => signal.removeEventListener('abort', onAbort))
    site.handle(req, res)
  }
  try {
    return await inject(serve, {
      method,
      url,
      ...(caller.address !== undefined && { remoteAddress: caller.address }),
      headers: {
        ...Object.fromEntries(forwarded),
        host: new URL(site.baseUrl).host,
        accept: [...produces, 'application/json'].join(', '),
        'accept-encoding': 'identity',
        'x-request-id': caller.requestId,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { payload: JSON.stringify(body) }),
    })
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}

function picture(bytes: Buffer, mimeType: string, tool: RouteTool, url: string): ToolResult {
  if (bytes.length <= MAX_IMAGE_BYTES) {
    return { content: [{ type: 'image', data: bytes.toString('base64'), mimeType }] }
  }
  const size = `The image has ${Math.ceil(bytes.length / 1024)} KiB, so this result has its URL. Send the key as a bearer token.`
  return {
    content: [
      { type: 'text', text: size },
      { type: 'resource_link', uri: url, name: tool.title, mimeType },
    ],
  }
}

/** Content of an envelope: the data alone, or with its neighbours, such as the cursor of the next page. */
function dataOf(body: Readonly<Record<string, unknown>>): unknown {
  if (!('data' in body)) return body
  const { success: _, error: __, requestId: ___, next = null, ...rest } = body
  if (next !== null) return { ...rest, next }
  return Object.keys(rest).length === 1 ? rest['data'] : rest
}

interface Refusal {
  readonly code?: string
  readonly message?: string
  readonly reason?: string
  readonly retryAfterMs?: number
  readonly details?: readonly { readonly field: string; readonly message: string }[] | null
}

/** A refusal in the tool's own words: its arguments are no `body.…` or `query.…`. */
function refusal({ statusCode }: Answer, body: Readonly<Record<string, unknown>>): ToolResult {
  const {
    code,
    message = '',
    reason,
    details,
    retryAfterMs: waitMs,
  } = (typeof body['error'] === 'object' ? body['error'] : { message: JSON.stringify(body['data']) }) as Refusal
  const problems = details?.map((one) => `${argumentOf(one.field)}: ${one.message}`) ?? [message]
  return failure(
    `${code ?? 'bad_request'} (${statusCode})${reason ? `, ${reason}` : ''}`,
    ...problems,
    waitMs === undefined ? '' : `Wait ${retryAfterSeconds(waitMs)} s, then call again.`,
  )
}

function argumentOf(field: string): string {
  return field.replace(/^(?:path|query|body)\./, '')
}
