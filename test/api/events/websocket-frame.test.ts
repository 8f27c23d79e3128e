import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { WebSocket, WebSocketServer } from 'ws'
import { frameOf } from '../../../api/events/websocket-frame.ts'

describe('a frame that is made once for all sockets', () => {
  it('is read as the text that went in, at each of the three lengths of its head', async () => {
    const texts = [0, 1, 125, 126, 65_535, 65_536, 100_000].map(
      (bytes) => 'ü'.repeat(bytes >> 1) + 'x'.repeat(bytes & 1),
    )
    const server = createServer().listen(0, '127.0.0.1')
    const sockets = new WebSocketServer({ noServer: true })
    server.on('upgrade', (req, wire, head) => {
      sockets.handleUpgrade(req, wire, head, (socket) => {
        for (const text of texts) wire.write(frameOf(text))
        socket.close(1000)
      })
    })
    await once(server, 'listening')
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const read: string[] = []
    client.on('message', (data: Buffer, isBinary) => read.push(isBinary ? 'binary' : data.toString()))
    const [code] = (await once(client, 'close')) as [number]
    server.close()
    expect(code).to.equal(1000)
    expect(read).to.deep.equal(texts)
  })
})
