import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Answer } from './answer.ts'

/** Until a peer that does not take its answer is cut off. */
const LINGER_MS = 1000

/** Writes an answer to a socket on which there is no response object, and ends the connection. */
export function sendRaw(socket: Duplex, requestId: string, { status, body, headers }: Answer): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const text = typeof body === 'string' ? body : ''
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`, `X-Request-Id: ${requestId}`]
  for (let at = 0; at + 1 < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`)
  lines.push(
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Access-Control-Allow-Origin: *',
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
  )
  socket.on('error', () => socket.destroy())
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`)
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
