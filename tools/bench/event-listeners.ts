import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'

/**
 * Thousands of event sockets in a process of its own. It speaks just as much of the protocol as it must, to keep its
 * own time small beside the measured one: after the handshake it looks for `"trackStarted"` in the data and answers
 * pings.
 */
export type ListenerOrder =
  | { readonly open: { readonly port: number; readonly key: string; readonly count: number; readonly events: string } }
  /** Notes when each socket hears the next event. */
  | { readonly await: true }
  | { readonly closeAll: true }

/** Milliseconds since 1970, with fractions; `null` where a socket heard nothing in time. */
export type ListenerReport = { readonly opened: number } | { readonly heard: readonly (number | null)[] }

const PATIENCE_MS = 3000
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])
const sockets: Socket[] = []
let heard: (number | null)[] | null = null
let missing = 0
let done: () => void = () => undefined

function now(): number {
  return performance.timeOrigin + performance.now()
}

async function openOne(port: number, key: string, events: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  const id = sockets.push(socket) - 1
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.on('data', (chunk: Buffer) => {
      if (heard && chunk.includes('"trackStarted"') && heard[id] === null) {
        heard[id] = now()
        if (--missing === 0) done()
      } else if (chunk.includes('"ready"')) resolve()
      else if (chunk.includes('HTTP/1.1 4')) reject(new Error(chunk.toString()))
      else socket.write(PONG)
    })
    socket.write(
      `GET /v1/events?events=${events} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n` +
        `Authorization: Bearer ${key}\r\n\r\n`,
    )
  })
}

async function carryOut(order: ListenerOrder): Promise<ListenerReport> {
  if ('open' in order) {
    const { port, key, count, events } = order.open
    // Small groups, so that the queue of new connections does not overflow.
    for (let opened = 0; opened < count; opened += 100) {
      const some = Array.from({ length: Math.min(100, count - opened) }, () => openOne(port, key, events))
      await Promise.all(some)
    }
    return { opened: sockets.length }
  }
  if ('closeAll' in order) {
    for (const socket of sockets.splice(0)) socket.destroy()
    return { opened: 0 }
  }
  heard = sockets.map(() => null)
  missing = sockets.length
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, PATIENCE_MS)
    done = () => {
      clearTimeout(timer)
      resolve()
    }
    process.send?.({ ready: true })
  })
  const report = { heard }
  heard = null
  return report
}

process.on('message', (order: ListenerOrder) => {
  void carryOut(order).then((report) => process.send?.(report))
})
