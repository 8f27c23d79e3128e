import { ServerResponse, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestHandler } from '../koa.ts'
import type { Mount } from './mount.ts'
import type { RequestParts } from '../pipeline.ts'
import { endSoon, refuseMalformed } from './malformed.ts'

/** Lets what Node would answer on its own go through Koa too, as far as it can be read as a request. */
export function serveBesideRequests(server: Server, parts: RequestParts, handle: RequestHandler): void {
  const serveOn = (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    const res = new ServerResponse(req)
    res.shouldKeepAlive = false
    try {
      res.assignSocket(socket as Socket)
    } catch {
      // An answer to a request before it is still being written.
      socket.destroy()
      return
    }
    socket.on('error', () => socket.destroy())
    res.once('finish', () => endSoon(socket))
    handle(req, res, { upgrade: { socket, head }, forwarded: null })
  }
  server.on('upgrade', serveOn)
  server.on('connect', serveOn)
  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => handle(req, res))
  server.on('clientError', (err: NodeJS.ErrnoException, socket: Socket) => refuseMalformed(parts, err, socket))
}

interface Closing {
  readonly mounts: readonly Pick<Mount, 'close'>[]
  readonly sockets?: Pick<Mount, 'close'>
  readonly stopping: AbortController
  readonly graceMs: number
  /** Requests that have no answer yet. */
  readonly underWay: { readonly count: number }
  /** Stops what the event sockets are still told of. */
  readonly beforeSockets?: (() => Promise<void>) | undefined
}

/**
 * Lets requests under way finish, then what sockets tell of, and says goodbye to sockets last; after `graceMs` it cuts what is
 * left of the requests.
 */
export async function closeServer(server: Server, closing: Closing): Promise<void> {
  const { mounts, sockets, stopping, graceMs, underWay, beforeSockets } = closing
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  stopping.abort(new Error('The service is shutting down.'))
  const isCut = new AbortController()
  const cut = setTimeout(() => {
    isCut.abort()
    server.closeAllConnections()
  }, graceMs)
  // A client that had its answer meanwhile keeps the connection for the next request, which no handler will take.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  await Promise.all(mounts.map((one) => one.close()))
  while (underWay.count > 0 && !isCut.signal.aborted) await sleep(SWEEP_MS)
  await beforeSockets?.()
  await sockets?.close()
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}

const SWEEP_MS = 50
