import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestContext } from '../../lib/request-context.ts'
import type { Caller } from './app-context.ts'
import type { RawValues } from './body/inputs.ts'
import { readPath, readQuery } from './body/inputs.ts'
import type { SpentBudget } from '../limits/limiter.ts'
import type { RawRequest, Route } from './route.ts'
import type { Found } from './router.ts'
import { readFiles } from './body/upload.ts'

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/

/** The id the caller sent when it is fit to be echoed, otherwise a new one. */
export function requestIdOf(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID()
}

/** One request and what the pipeline has learned of it so far. */
export class Exchange implements RawRequest {
  readonly req: IncomingMessage
  /** Null on a handshake, which has a socket instead. */
  readonly res: ServerResponse | null
  readonly requestId: string
  readonly startedAtMs = performance.now()
  readonly pathname: string
  found: Found | null = null
  route: Route | null = null
  caller: Caller | null = null
  /** The budget that had no room for it. */
  spent: SpentBudget | null = null
  /** SHA-256 of the key that was sent; the key itself is not kept. */
  keyDigest: Buffer | null = null
  body: unknown = {}
  /** Headers that this request has earned on its way, as a flat list of names and values. */
  readonly headers: string[] = []
  /** What log lines of this request carry. */
  readonly origin: RequestContext
  readonly #search: string
  readonly #stopping: AbortSignal
  #query: RawValues | null = null
  #signal: AbortSignal | null = null

  constructor(req: IncomingMessage, res: ServerResponse | null, service: { readonly stopping: AbortSignal }) {
    this.req = req
    this.res = res
    this.requestId = requestIdOf(req.headers['x-request-id'])
    const { traceparent } = req.headers
    this.origin = {
      fields: { requestId: this.requestId },
      isOver: false,
      startedAtMs: this.startedAtMs,
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    }
    this.#stopping = service.stopping
    const target = originForm(req.url ?? '/')
    const mark = target.indexOf('?')
    this.pathname = mark < 0 ? target : target.slice(0, mark)
    this.#search = mark < 0 ? '' : target.slice(mark + 1)
  }

  get query(): RawValues {
    return (this.#query ??= readQuery(this.#search))
  }

  get path(): RawValues {
    return readPath(this.found?.place.parameters ?? [], this.found?.segments ?? [])
  }

  get accept(): string | undefined {
    return this.req.headers.accept
  }

  files(limitBytes: number, most: number): Promise<readonly Buffer[]> {
    return readFiles(this.req, limitBytes, most)
  }

  get signal(): AbortSignal {
    return (this.#signal ??= AbortSignal.any([this.#stopping, this.#untilGone()]))
  }

  /** Whether a handler was told to stop, and so may have thrown for that reason alone. */
  get wasAborted(): boolean {
    return this.#signal?.aborted ?? false
  }

  #untilGone(): AbortSignal {
    const gone = new AbortController()
    this.res?.once('close', () => {
      if (!this.res?.writableFinished) gone.abort(new Error('The caller went away.'))
    })
    return gone.signal
  }
}

/** Path and query of a request target; proxies may send the whole URL. */
function originForm(target: string): string {
  if (target.startsWith('/') || target === '*') return target
  const whole = /^https?:\/\/[^/?#]*(?<rest>.*)$/is.exec(target)?.groups?.['rest']
  if (whole === undefined) return target
  return whole.startsWith('/') ? whole : `/${whole}`
}
