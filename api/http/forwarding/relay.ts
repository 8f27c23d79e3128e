import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { Fault, type FaultCode, type FaultReason } from '../../../lib/errors.ts'
import { FAULT_HEADER, NOT_HERE_HEADER, type PeerAnswer } from '../../../lib/sharing/forwarding.ts'
import type { ApiContext } from '../request-state.ts'

/** Headers of one connection, or of the service at which a request arrived. */
const OWN_REQUEST_HEADERS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'expect',
  'forwarded',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-forwarded-for',
  'x-request-id',
])
const OWN_ANSWER_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'link',
  'transfer-encoding',
  'vary',
  'x-request-id',
])
/** Shorter answers are sent whole, so that they are compressed like others. */
const MOST_TEXT_BYTES = 4 * 1024 * 1024

/** The description of a refusal, for the service at which the request arrived. */
const ToldFault = z.object({ code: z.string(), reason: z.string().nullable(), message: z.string() })

/** The headers that a request is forwarded with. */
export function forwardedHeaders(
  headers: IncomingHttpHeaders,
  requestId: string,
  traceparent: string | undefined,
): Readonly<Record<string, string>> {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || OWN_REQUEST_HEADERS.has(name) || name.startsWith('bandstand-')
      ? []
      : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  )
  const trace = traceparent === undefined ? {} : { traceparent }
  return { ...Object.fromEntries(kept), ...trace, 'accept-encoding': 'identity', 'x-request-id': requestId }
}

/** Whether a service has not carried a request out, since it does not run its guild. */
export function isNotHere({ headers }: PeerAnswer): boolean {
  return headers[NOT_HERE_HEADER] !== undefined
}

/** Answers with what another service answered. */
export async function relay(ctx: ApiContext, { status, headers, body }: PeerAnswer): Promise<void> {
  ctx.status = status
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || OWN_ANSWER_HEADERS.has(name) || name.startsWith('bandstand-')) continue
    // A page may have set cookies before it was known who serves it.
    if (name === 'set-cookie') ctx.append('Set-Cookie', value)
    else ctx.set(name, value)
  }
  if (typeof headers['vary'] === 'string') ctx.vary(headers['vary'])
  ctx.state.fault = faultOf(headers)
  const { 'content-length': length } = headers
  if (ctx.method === 'HEAD' || status === 204 || status === 304) {
    body.resume()
    ctx.body = null
    ctx.status = status
    if (ctx.method === 'HEAD' && typeof length === 'string') ctx.length = Number(length)
  } else if (Number(length) <= MOST_TEXT_BYTES) {
    ctx.body = await readBody(ctx, body)
  } else {
    // A stream may last until the client disconnects.
    const end = () => void body.destroy()
    ctx.state.stopping.addEventListener('abort', end)
    body.once('close', () => ctx.state.stopping.removeEventListener('abort', end))
    ctx.body = body
  }
}

/** Texts as texts, as the routes here answer them. */
async function readBody(ctx: ApiContext, body: PeerAnswer['body']): Promise<string | Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of body as AsyncIterable<Buffer>) pieces.push(piece)
  const whole = Buffer.concat(pieces)
  return /^(?:text\/|application\/(?:problem\+)?json)/.test(ctx.response.get('content-type')) ? whole.toString() : whole
}

/** Encodes a refusal for the request log of the service at which the request arrived. */
export function describeFault({ code, reason, message }: Fault): string {
  return Buffer.from(JSON.stringify({ code, reason: reason ?? null, message })).toString('base64url')
}

function faultOf(headers: PeerAnswer['headers']): Fault | null {
  const { [FAULT_HEADER]: told } = headers
  if (typeof told !== 'string') return null
  const { code, reason, message } = ToldFault.parse(JSON.parse(Buffer.from(told, 'base64url').toString()))
  return new Fault(code as FaultCode, message, { reason: (reason ?? undefined) as FaultReason | undefined })
}
