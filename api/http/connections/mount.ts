import type { IncomingMessage } from 'node:http'
import type { Middleware } from 'koa'

/** Another protocol on the same port, with paths, sockets and refusals of its own. */
export interface Mount {
  /** Answers the requests of its paths, and leaves all others to what comes behind it. */
  readonly middleware: Middleware
  /** Answers what is thrown under its paths, in its form. Omitted where the API's own form will do. */
  readonly refusals?: Middleware
  /** Whether a request is the handshake of one of its sockets, which then comes to `middleware` with its connection. */
  wants(req: IncomingMessage): boolean
  /** Says goodbye to its sockets, and waits until they are gone. */
  close(): Promise<void>
}
