import { connect, createServer, type Socket } from 'node:net'
import { listen } from './web.ts'

/** A cable between two programs, which a test can pull out. */
export interface TcpProxy {
  readonly port: number
  /** Nothing passes any more, and neither side is told: packets are lost, as where a network is cut. */
  cut(): void
  /** Restores the connection. Data sent meanwhile arrives late. */
  restore(): void
  /** Ends the connections on both sides, which can connect again. */
  reset(): void
  close(): Promise<void>
}

/** Passes on what arrives at a free port of the loopback to another port of it. */
export async function startTcpProxy(toPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let isCut = false

  function watch(socket: Socket): Socket {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    if (isCut) socket.pause()
    return socket
  }
  function accept(from: Socket): void {
    const to = watch(connect({ host: '127.0.0.1', port: toPort }))
    watch(from).setNoDelay(true)
    to.setNoDelay(true)
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      one.on('data', (chunk) => other.write(chunk))
      one.on('end', () => other.end())
      one.on('close', () => other.destroy())
    }
    // A listener of `data` sets it flowing.
    if (isCut) for (const socket of [from, to]) socket.pause()
  }
  const server = createServer({ allowHalfOpen: true }, accept)
  const listening = await listen(server)
  return {
    port: listening.port,
    cut() {
      isCut = true
      for (const socket of sockets) socket.pause()
    },
    restore() {
      isCut = false
      for (const socket of sockets) socket.resume()
    },
    reset() {
      for (const socket of sockets) socket.destroy()
    },
    async close() {
      const closed = listening.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
