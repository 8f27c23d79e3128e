import { ServerResponse, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
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

/** Lets requests under way finish and says goodbye to sockets; after `graceMs` it cuts what is left. */
export async function closeServer(
  server: Server,
  withSockets: readonly Pick<Mount, 'close'>[],
  stopping: AbortController,
  graceMs: number,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  stopping.abort(new Error('The service is shutting down.'))
  const cut = setTimeout(() => server.closeAllConnections(), graceMs)
  // A client that had its answer meanwhile keeps the connection for the next request, which no handler will take.
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  await Promise.all(withSockets.map((one) => one.close()))
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}
