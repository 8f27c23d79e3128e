import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

/** The only address the stand-in listens on: anyone who reaches it may do anything in it. */
const HOST = '127.0.0.1'

export interface HttpServerOptions {
  readonly port: number
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void
  readonly onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
}

/** Listens on loopback, and answers no one who was led here under another name. */
export async function listen({ port, onRequest, onUpgrade }: HttpServerOptions) {
  const server = createServer((request, response) => {
    const refusal = refuse(request)
    if (!refusal) return onRequest(request, response)
    response.writeHead(refusal.status, { 'content-type': 'application/json', connection: 'close' })
    response.end(JSON.stringify({ error: { message: refusal.message } }))
  })
  server.on('upgrade', (request, socket, head) => {
    const refusal = refuse(request)
    if (!refusal) return onUpgrade(request, socket, head)
    // No one else looks after this socket any more.
    socket.on('error', () => socket.destroy())
    socket.end(`HTTP/1.1 ${refusal.status} Refused\r\nconnection: close\r\n\r\n`)
  })
  await open(server, port)
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** A port that is taken is no reason to give up: anyone who comes here is told the address, whichever it is. */
async function open(server: Server, port: number): Promise<void> {
  try {
    server.listen(port, HOST)
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || port === 0) throw error
    await open(server, 0)
  }
}

function refuse(request: IncomingMessage): { status: number; message: string } | null {
  if (!isLocal(request)) {
    return { status: 403, message: 'The sandbox accepts only requests to its own host and from its own pages.' }
  }
  const isReadable = URL.canParse(request.url ?? '', 'http://localhost')
  return isReadable ? null : { status: 400, message: "The request target isn't a valid URL." }
}

/**
 * A web page elsewhere can make a browser send requests here: under a name that resolves to loopback (the Host header
 * gives it away) or across origins (the Origin header does). Pages of other programs of this machine are elsewhere too.
 */
function isLocal({ headers, socket }: IncomingMessage): boolean {
  const { host = '', origin } = headers
  const isOwnHost = [HOST, 'localhost'].some((name) => host === `${name}:${socket.localPort}`)
  return isOwnHost && (origin === undefined || origin === `http://${host}`)
}
