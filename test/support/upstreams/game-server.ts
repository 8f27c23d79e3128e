import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface GameServer {
  readonly port: number
  /** Number of connections so far. */
  connections: number
  /** The host and port that the last caller said in the handshake. */
  said: { host: string; port: number } | null
  close(): Promise<void>
}

/** Behaviour of a stand-in for a game server towards anyone who connects. */
export type Behaviour =
  | { readonly kind: 'status'; readonly status: unknown; readonly chunkBytes?: number; readonly pong?: boolean }
  | { readonly kind: 'legacy'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'hang' }
  | { readonly kind: 'hangUp' }

const MAGIC = Buffer.from('00ffff00fefefefefdfdfdfd12345678', 'hex')

function varInt(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest])
    bytes.push((rest % 128) + 128)
  }
}

const framed = (body: Buffer): Buffer => Buffer.concat([varInt(body.length), body])

/** A server of the block game, Java edition, on loopback. */
export async function startGameServer(behaviour: Behaviour): Promise<GameServer> {
  const sockets = new Set<Socket>()
  const stand: GameServer = {
    port: 0,
    connections: 0,
    said: null,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    stand.connections += 1
    socket.on('error', () => {})
    socket.on('data', (data) => {
      void answer(socket, data, behaviour, stand)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(stand, { port: (server.address() as AddressInfo).port })
}

async function answer(socket: Socket, data: Buffer, behaviour: Behaviour, stand: GameServer): Promise<void> {
  switch (behaviour.kind) {
    case 'hang':
      return
    case 'hangUp':
      socket.destroy()
      return
    case 'bytes':
      socket.write(behaviour.bytes)
      return
    case 'legacy':
      // Servers of that time hang up on what they do not know.
      if (data[0] !== 0xfe) return void socket.destroy()
      socket.end(legacy(behaviour.text))
      return
    case 'status':
      if (data[0] === 9 && data.length === 10) {
        if (behaviour.pong !== false) socket.write(data)
        return
      }
      stand.said = handshakeOf(data)
      await sendStatus(socket, behaviour)
  }
}

function handshakeOf(data: Buffer): { host: string; port: number } {
  // Length, id, five bytes of protocol number, then the host.
  const at = 1 + 1 + 5
  const length = data[at] ?? 0
  return { host: data.toString('utf8', at + 1, at + 1 + length), port: data.readUInt16BE(at + 1 + length) }
}

async function sendStatus(socket: Socket, behaviour: Behaviour & { kind: 'status' }): Promise<void> {
  const json = Buffer.from(JSON.stringify(behaviour.status))
  const bytes = framed(Buffer.concat([Buffer.from([0]), framed(json)]))
  const { chunkBytes = bytes.length } = behaviour
  for (let from = 0; from < bytes.length; from += chunkBytes) {
    socket.write(bytes.subarray(from, from + chunkBytes))
    if (chunkBytes < bytes.length) await sleep(1)
  }
}

function legacy(text: string): Buffer {
  const body = Buffer.from(text, 'utf16le').swap16()
  const length = Buffer.alloc(2)
  length.writeUInt16BE(text.length)
  return Buffer.concat([Buffer.from([0xff]), length, body])
}

/** A Bedrock server on loopback; it overhears the first pings, as networks do. */
export async function startBedrockServer(
  payload: string,
  deafTo = 0,
): Promise<{ port: number; close(): Promise<void> }> {
  const socket = createSocket('udp4')
  let heard = 0
  socket.on('message', (message, from) => {
    heard += 1
    if (message[0] !== 1 || heard <= deafTo) return
    const text = Buffer.from(payload)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(text.length)
    const pong = [Buffer.from([0x1c]), message.subarray(1, 9), Buffer.alloc(8, 7), MAGIC, length, text]
    socket.send(Buffer.concat(pong), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    port: socket.address().port,
    async close() {
      socket.close()
      await once(socket, 'close')
    },
  }
}
