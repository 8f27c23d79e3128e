import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { errorBody, HttpRefusal } from '../errors.ts'
import type { RequestParts } from '../pipeline.ts'
import { requestIdOf } from '../request-state.ts'

/** Until a peer that does not take its answer is cut off. */
const LINGER_MS = 1000

/** Ends a connection on which nothing more is read. */
export function endSoon(socket: Duplex): void {
  socket.end()
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/** Answers what Node could not read as a request, so that there is neither a request nor a response. */
export function refuseMalformed(
  { app, reading }: Pick<RequestParts, 'app' | 'reading'>,
  err: NodeJS.ErrnoException,
  socket: Socket,
): void {
  if (err.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const refusal = refusalOf(err.code)
  const { status } = refusal
  const requestId = reading.get(socket) ?? requestIdOf(undefined)
  const body = JSON.stringify(errorBody(refusal, requestId))
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `X-Request-Id: ${requestId}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Access-Control-Allow-Origin: *',
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
  ]
  socket.on('error', () => socket.destroy())
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  endSoon(socket)
  app.log.info({ requestId, status, code: err.code }, 'malformed request rejected')
}

function refusalOf(code: string | undefined): HttpRefusal {
  if (code === 'HPE_HEADER_OVERFLOW') return new HttpRefusal(431, 'The request line and headers are too long.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new HttpRefusal(408, 'The request arrived too slowly.')
  return new HttpRefusal(400, "The request isn't valid HTTP/1.1.")
}
