import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Middleware } from 'koa'
import { Fault } from '../../../lib/errors.ts'
import { maxConnections } from './connection-limit.ts'
import { requestIdOf } from '../request-state.ts'

/** The port, which answers 503 until the API takes it over. */
export type BoundPort = Awaited<ReturnType<typeof bindPort>>

export interface PortOptions {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** The variable that sets the port, for messages. Defaults to PORT. */
  readonly setting?: string
  /** Until a client that sends its request too slowly is cut off. */
  readonly requestTimeoutMs?: number
  /** The operator's own middleware. It may wait for the end of a body where there is none, as Node's streams let it. */
  readonly middleware?: readonly Middleware[]
}

/** Wildcard addresses are no destination; they include the loopback. */
const ANYWHERE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

/** Room for the longest target and the longest head; the pipeline knows the exact bounds. */
const HEAD_LIMIT_BYTES = 160 * 1024

/**
 * Takes the port before anything else is opened, so that a taken port fails at once and probes see a service that starts.
 * @throws {Fault} that says which setting to change.
 */
export async function bindPort(options: PortOptions) {
  const { host, requestTimeoutMs = 10_000, middleware = [] } = options
  let isUpgradeWanted: ((req: IncomingMessage) => boolean) | null = null
  const server = createServer(
    {
      headersTimeout: requestTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1000, requestTimeoutMs / 4),
      keepAliveTimeout: 65_000,
      maxHeaderSize: HEAD_LIMIT_BYTES,
      // Node's own refusals have no body; ours do.
      requireHostHeader: false,
      // Spares the end of a stream without data, with its events and turns. Our own code asks the headers for a body first.
      optimizeEmptyRequests: middleware.length === 0,
      shouldUpgradeCallback: (req) => isUpgradeWanted?.(req) ?? false,
    },
    answerStarting,
  )
  server.maxConnections = maxConnections()
  await listenOn(server, options)
  const { port: actualPort } = server.address() as AddressInfo
  const shownHost = ANYWHERE[host] ?? (host.includes(':') ? `[${host}]` : host)
  return {
    server,
    port: actualPort,
    /** `http://HOST:PORT` as a program of this machine reaches it. */
    url: `http://${shownHost}:${actualPort}`,
    /** Routes requests to `answer`, and upgrades that `wantsUpgrade` accepts to the listeners of `upgrade`. */
    serve(answer: RequestListener, wantsUpgrade: (req: IncomingMessage) => boolean) {
      server.off('request', answerStarting)
      server.on('request', answer)
      isUpgradeWanted = wantsUpgrade
    },
    /** Cuts all connections. */
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

async function listenOn(server: Server, { host, port, setting = 'PORT' }: PortOptions): Promise<void> {
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (cause) {
    const why: Readonly<Record<string, string>> = {
      EADDRINUSE: `Port ${port} on ${host} is in use by another program. Stop it, or set ${setting} to a free port.`,
      EACCES: `This user may not open port ${port}. Set ${setting} to a port above 1023.`,
      EADDRNOTAVAIL: `This machine doesn't have the address ${host}. Set HOST to one of its addresses, or to 0.0.0.0 for all.`,
    }
    const words = why[(cause as NodeJS.ErrnoException).code ?? '']
    throw words ? new Fault('service_unavailable', words, { cause }) : cause
  }
}

const STARTING = { name: 'service', state: 'down', note: 'starting' }

/** The process lives, and nothing else of it can be used yet. */
function answerStarting(req: IncomingMessage, res: ServerResponse): void {
  const requestId = requestIdOf(req.headers['x-request-id'])
  const path = req.url?.split('?', 1)[0]
  const headers = { 'X-Request-Id': requestId, 'Cache-Control': 'no-store', Connection: 'close' }
  if (path === '/healthz') {
    res.writeHead(200, { ...headers, 'Content-Type': 'text/plain; charset=utf-8' }).end('ok\n')
    return
  }
  const error = { code: 'service_unavailable', message: 'The service is starting. Try again in a moment.' }
  const body = path === '/readyz' ? { status: 'down', parts: [STARTING] } : { error, requestId }
  const type = { 'Content-Type': 'application/json; charset=utf-8', 'Retry-After': '1' }
  res.writeHead(503, { ...headers, ...type }).end(JSON.stringify(body))
}
