import { expect } from 'chai'
import { createServer, type RequestListener, type Server as HttpServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { Fault } from '../../lib/errors.ts'

export interface Listening {
  readonly port: number
  /** `http://127.0.0.1:PORT`, or the same with `[::1]`. */
  readonly url: string
  close(): Promise<void>
}

/** Starts a server on a free port of the loopback. */
export async function listen(server: Server, host = '127.0.0.1'): Promise<Listening> {
  await new Promise<void>((ready) => server.listen(0, host, ready))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    close: () => {
      if ('closeAllConnections' in server) (server as HttpServer).closeAllConnections()
      return new Promise((closed) => server.close(() => closed()))
    },
  }
}

/** A port of the loopback that was free a moment ago: for what must know its port before it starts. */
export async function freePort(): Promise<number> {
  const free = await listen(createServer())
  await free.close()
  return free.port
}

/** A web server on the loopback. */
export function serve(answer: RequestListener): Promise<Listening> {
  return listen(createServer(answer))
}

/** The fault that a promise must end in. */
export async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  const outcome = await promise.then(
    (value) => ({ answered: value }),
    (error: unknown) => error,
  )
  expect(outcome).to.be.instanceOf(Fault)
  return outcome as Fault
}
