import type { Dispatcher } from 'undici'
import { UpstreamFailure, type FailureKind } from './failure.ts'
import { readBounded } from '../../lib/buffers.ts'
import { decodeBody } from '../egress/content-coding.ts'
import { locationOf } from '../egress/location.ts'

export interface Exchange {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** Ends the exchange, body included. */
  readonly signal: AbortSignal
  readonly maxBytes: number
  /** Maximum redirects to follow, on the same host only. */
  readonly redirects: number
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The whole body, decoded. */
  readonly text: string
}

/** An answer that cannot be used, before anybody knows which service it came from. */
export class ExchangeFailure extends Error {
  readonly kind: FailureKind

  constructor(kind: FailureKind, cause?: unknown) {
    super(kind, { cause })
    this.kind = kind
  }
}

/**
 * One HTTP request and its whole answer.
 * @throws {ExchangeFailure} `unreachable`, `timed_out`, `redirected`, `too_large` or `malformed`.
 */
export async function exchange(dispatcher: Dispatcher, request: Exchange): Promise<HttpAnswer> {
  try {
    return await follow(dispatcher, request)
  } catch (error) {
    if (error instanceof ExchangeFailure || error instanceof UpstreamFailure) throw error
    throw new ExchangeFailure(request.signal.aborted ? 'timed_out' : 'unreachable', error)
  }
}

async function follow(dispatcher: Dispatcher, request: Exchange): Promise<HttpAnswer> {
  const { url, method, headers, body, signal } = request
  const response = await dispatcher.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers,
    body,
    signal,
  })
  const { statusCode: status } = response
  if (status >= 300 && status < 400) {
    await drop(response.body)
    return follow(dispatcher, redirected(request, locationOf(response.headers)))
  }
  const bytes = await readBounded(
    decodeBody(response.body, response.headers),
    request.maxBytes,
    () => new ExchangeFailure('too_large'),
  )
  // undici's own abort reaches the stream a moment later than ours is known.
  signal.throwIfAborted()
  return { status, headers: response.headers, text: decode(bytes, String(response.headers['content-type'] ?? '')) }
}

function redirected(request: Exchange, location: string | undefined): Exchange {
  const target = location === undefined ? null : URL.parse(location, request.url.href)
  const allowed = request.redirects > 0 && request.method === 'GET' && target?.origin === request.url.origin
  if (!target || !allowed) throw new ExchangeFailure('redirected')
  return { ...request, url: target, redirects: request.redirects - 1 }
}

/** Discards an unread body, and closes its connection if it does not end. */
async function drop(body: Dispatcher.ResponseData['body']): Promise<void> {
  await body.dump({ limit: 16_384 }).catch(() => undefined)
}

/**
 * JSON is UTF-8, and most labels that say otherwise are wrong: what reads as UTF-8 is UTF-8.
 * Only then the label counts. A byte order mark goes.
 */
function decode(bytes: Buffer, contentType: string): string {
  const label = /charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]?.toLowerCase() ?? 'utf-8'
  const labels = label.startsWith('utf-16') ? [label] : ['utf-8', label]
  for (const name of labels) {
    try {
      return new TextDecoder(name, { fatal: true }).decode(bytes)
    } catch {
      continue
    }
  }
  throw new ExchangeFailure('malformed')
}
