import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect } from 'chai'
import { WebSocket, WebSocketServer } from 'ws'
import { createSocketMemory } from '../../../api/events/socket-memory.ts'
import { boundMessage } from '../../../lib/buffers.ts'
import { eventually } from '../../support/service.ts'
import { listen, type Listening } from '../../support/web.ts'

const MOST_BYTES = 256 * 1024
const PART = Buffer.alloc(60 * 1024)
const SOCKETS = 10

function isOpen({ readyState }: WebSocket): boolean {
  return readyState === WebSocket.OPEN
}

describe('what the sockets of one project hold', () => {
  const memory = createSocketMemory(MOST_BYTES)
  const written: (() => void)[] = []
  let server: Listening
  before(async () => {
    const http = createServer()
    const sockets = new WebSocketServer({ noServer: true, ...boundMessage(64 * 1024) })
    http.on('upgrade', (req, wire, head) => {
      sockets.handleUpgrade(req, wire, head, (socket) => {
        socket.on('error', () => undefined)
        const onWritten = memory.follow({ projectId: req.url ?? '', socket, wire, onCut: () => undefined })
        written.push(() => {
          wire.write(PART)
          onWritten()
        })
        socket.on('message', () => socket.send('taken'))
      })
    })
    server = await listen(http)
  })
  after(() => server.close())

  async function open(project: string): Promise<WebSocket> {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/${project}`)
    socket.on('error', () => undefined)
    await once(socket, 'open')
    return socket
  }
  const openMany = (project: string) => Promise.all(Array.from({ length: SOCKETS }, () => open(project)))
  it('of messages that never end is bounded, and another project goes on', async () => {
    const innocent = await open('innocent')
    innocent.send(PART, { fin: false })
    const hostile = await openMany('hostile')
    for (const socket of hostile) socket.send(PART, { fin: false })
    const left = await eventually(
      () => hostile.filter(isOpen),
      (sockets) => sockets.length <= MOST_BYTES / PART.length,
    )
    expect(left.length).to.equal(Math.floor(MOST_BYTES / PART.length))
    innocent.send('the end')
    expect(String((await once(innocent, 'message'))[0])).to.equal('taken')
    for (const socket of [...left, innocent]) socket.terminate()
  })

  it('does not grow by whole messages, pings and pongs, in whatever pieces they come', async () => {
    const sockets = await openMany('talkative')
    for (const socket of sockets) {
      for (let turn = 0; turn < 20; turn++) {
        socket.send(PART.subarray(0, 5000), { fin: false })
        socket.ping('x'.repeat(100))
        socket.send(PART.subarray(0, 5000), { fin: true })
        socket.pong()
      }
    }
    for (const socket of sockets) {
      socket.ping('the last')
      await new Promise<void>((resolve) => {
        socket.on('pong', (data) => String(data) === 'the last' && resolve()).on('close', resolve)
      })
    }
    expect(sockets.filter(isOpen).length).to.equal(SOCKETS)
    for (const socket of sockets) socket.terminate()
  })

  it('of what their clients do not read is bounded', async () => {
    written.length = 0
    const slow = await openMany('slow')
    for (const socket of slow) socket.pause()
    // The kernel takes some megabytes for each first.
    for (let turn = 0; turn < 400; turn++) {
      for (const write of written) write()
      await new Promise(setImmediate)
    }
    const ends = slow.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    for (const socket of slow) socket.resume()
    await Promise.race(ends)
    for (const socket of slow) socket.terminate()
  })
})
