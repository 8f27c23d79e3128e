import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { boundMessage } from '../../lib/buffers.ts'
import { HttpRefusal } from '../http/errors.ts'
import type { ApiContext } from '../http/request-state.ts'

/** Time for a peer to answer a close before its connection is cut. */
const CLOSE_GRACE_MS = 5000

interface Handshake {
  /** Headers of the answer, beside those of the protocol. */
  readonly headers: OutgoingHttpHeaders
  problem: string | null
}

/** Turns admitted handshakes into sockets. */
export function createUpgrades(maxMessageBytes: number) {
  const handshakes = new WeakMap<IncomingMessage, Handshake>()
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    ...boundMessage(maxMessageBytes),
  })
  server.on('headers', (headers: string[], req: IncomingMessage) => {
    for (const [name, value] of Object.entries(handshakes.get(req)?.headers ?? {}))
      headers.push(`${name}: ${String(value)}`)
  })
  server.on('wsClientError', (error: Error, _socket: Duplex, req: IncomingMessage) => {
    // ws would answer on its own, without a request id and a body.
    const handshake = handshakes.get(req)
    if (handshake) handshake.problem = error.message
  })

  return {
    /**
     * Answers a handshake with the headers that were set so far: the socket takes the place of a response.
     * @param welcome is called before this returns, with the socket and the connection beneath it
     * @throws {Fault} if the handshake is not valid
     */
    open(ctx: ApiContext, welcome: (socket: WebSocket, wire: Duplex) => void) {
      const { req, res, state } = ctx
      if (!state.upgrade) throw new Error('A socket was opened without a handshake.')
      const { socket, head } = state.upgrade
      const handshake: Handshake = { headers: res.getHeaders(), problem: null }
      handshakes.set(req, handshake)
      server.handleUpgrade(req, socket, head, (opened) => {
        res.detachSocket(socket as Socket)
        ctx.respond = false
        ctx.status = 101
        welcome(opened, socket)
      })
      if (handshake.problem) throw new HttpRefusal(400, `The WebSocket handshake isn't valid: ${handshake.problem}.`)
    },
    close: (): void => server.close(),
  }
}

/** Closes in good manners, and cuts the connection of a peer that does not answer. @returns when it is gone. */
export async function closeSocket(socket: WebSocket, code: number, reason: string): Promise<void> {
  if (socket.readyState === socket.CLOSED) return
  const cut = setTimeout(() => socket.terminate(), CLOSE_GRACE_MS)
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
    socket.close(code, reason)
  })
  clearTimeout(cut)
}
