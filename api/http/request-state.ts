import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ParameterizedContext } from 'koa'
import type { Fault } from '../../lib/errors.ts'
import type { RouteClass } from '../../lib/plans.ts'
import type { ForwardedIdentity } from '../../lib/sharing/forwarding.ts'
import type { RequestContext } from '../../lib/request-context.ts'
import type { RateLimitRequest } from '../limits/limiter.ts'
import type { SpentBudget } from '../../lib/usage.ts'
import type { Caller } from './app-context.ts'
import type { Envelope } from './envelopes.ts'

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/

/** The id the caller sent when it is fit to be echoed, otherwise a new one. */
export function requestIdOf(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID()
}

/** Koa's context of a request, to the API or to a page. */
export type ApiContext = ParameterizedContext<RequestState>

/** Route facts for the log, the meters and a refusal. */
interface MatchedRoute {
  readonly id: string
  readonly url: string
  readonly class: RouteClass
  readonly envelope: Envelope
  readonly invalid?: 'validation_error' | 'bad_request'
  readonly body?: unknown
  readonly upload?: boolean
}

/** The connection of a request that asks to leave HTTP. */
interface Upgrade {
  readonly socket: Duplex
  /** Bytes of the next protocol that have already arrived. */
  readonly head: Buffer
}

/** Facts known when a request arrives. */
export interface Arrival {
  readonly upgrade: Upgrade | null
  /** Set if another service of the installation forwarded it. */
  readonly forwarded: ForwardedIdentity | null
}

const ORDINARY: Arrival = { upgrade: null, forwarded: null }

/** `ctx.state`: what the service has learned of a request so far. */
export class RequestState {
  readonly requestId: string
  readonly startedAtMs = performance.now()
  /** Fields of the log lines of this request. */
  readonly origin: RequestContext
  readonly upgrade: Upgrade | null
  /** Set if another service of the installation forwarded the request, which has checked it. */
  readonly forwarded: ForwardedIdentity | null
  /** Why the connection may send no more requests. */
  excess: Fault | null = null
  route: MatchedRoute | null = null
  /** Whether the content of the answer is compressed already, such as a picture within JSON. */
  isCompressed = false
  caller: Caller | null = null
  /** Owner of the key that was sent, if `caller` was not required or was refused; null until it is looked up. */
  owner: Pick<Caller, 'projectId' | 'keyId'> | 'unknown' | null = null
  /** The budget that had no room for it. */
  spent: SpentBudget | null = null
  /** The rate limit request and its result; null if the route is not metered. */
  limit: RateLimitRequest | null = null
  remaining: number | null = null
  /** Whether another line of the log tells of it, together with others of its kind. */
  isSummarised = false
  /** The fault that refused the request. */
  fault: Fault | null = null
  /** The answer to a request that failed, before it is compressed. */
  refusal = ''
  /** Called with the uploaded files of a route with `upload`, before its handler. */
  onFiles: ((files: readonly Buffer[]) => Promise<void>) | null = null
  /** SHA-256 of the key that was sent; the key itself is not kept. */
  keyDigest: Buffer | null = null
  readonly #res: ServerResponse
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal
  #signal: AbortSignal | null = null
  #disconnected: AbortSignal | null = null

  constructor(req: IncomingMessage, res: ServerResponse, stopping: AbortSignal, arrival: Arrival = ORDINARY) {
    const { traceparent } = req.headers
    this.requestId = requestIdOf(req.headers['x-request-id'])
    this.origin = {
      fields: { requestId: this.requestId },
      isOver: false,
      startedAtMs: this.startedAtMs,
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    }
    this.upgrade = arrival.upgrade
    this.forwarded = arrival.forwarded
    this.#res = res
    this.stopping = stopping
  }

  /** Aborts when the caller goes away or the service stops. Most handlers do not want it, and making one costs. */
  get signal(): AbortSignal {
    return (this.#signal ??= AbortSignal.any([this.stopping, this.disconnected]))
  }

  /** Aborts when the caller goes away; what another service carries out already is waited for while this one stops. */
  get disconnected(): AbortSignal {
    return (this.#disconnected ??= this.#disconnectSignal())
  }

  /** Whether the handler was aborted, and so may have thrown for that reason alone. */
  get wasAborted(): boolean {
    return this.#signal?.aborted ?? false
  }

  #disconnectSignal(): AbortSignal {
    const gone = new AbortController()
    this.#res.once('close', () => {
      if (!this.#res.writableFinished) gone.abort(new Error('The client closed the connection.'))
    })
    return gone.signal
  }
}
