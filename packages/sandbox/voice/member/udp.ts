import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

const DISCOVERY_BYTES = 74
const DISCOVERY_REQUEST = 1
const DISCOVERY_ANSWER = 2
const DISCOVERY_TIMEOUT_MS = 5000
const KEEP_ALIVE_MS = 5000
const KEEP_ALIVE_BYTES = 8

/** Destination of audio from op 2. */
export interface UdpTarget {
  readonly ip: string
  readonly port: number
  readonly ssrc: number
}

/** A client's UDP socket, after IP discovery. */
export type MemberUdp = Awaited<ReturnType<typeof openUdp>>

/** Throws when the server does not answer within 5 s. */
export async function openUdp(target: UdpTarget, onPacket: (packet: Buffer) => void) {
  const socket = createSocket('udp4')
  socket.on('error', () => undefined)
  try {
    socket.bind(0)
    await once(socket, 'listening')
    const { address, port } = await discover(socket, target)
    socket.on('message', onPacket)
    const keepAlive = setInterval(
      () => socket.send(Buffer.alloc(KEEP_ALIVE_BYTES), target.port, target.ip),
      KEEP_ALIVE_MS,
    )
    return {
      /** Our address as the server sees it; for op 1. */
      address,
      port,
      send: (packet: Buffer): void => socket.send(packet, target.port, target.ip),
      close() {
        clearInterval(keepAlive)
        socket.close()
      },
    }
  } catch (cause) {
    socket.close()
    throw new Error("The voice server didn't respond to the IP discovery.", { cause })
  }
}

async function discover(socket: Socket, { ip, port, ssrc }: UdpTarget): Promise<{ address: string; port: number }> {
  const request = Buffer.alloc(DISCOVERY_BYTES)
  request.writeUInt16BE(DISCOVERY_REQUEST, 0)
  request.writeUInt16BE(DISCOVERY_BYTES - 4, 2)
  request.writeUInt32BE(ssrc, 4)
  socket.send(request, port, ip)
  const answered = once(socket, 'message', { signal: AbortSignal.timeout(DISCOVERY_TIMEOUT_MS) })
  const [answer] = (await answered) as [Buffer]
  if (answer.length !== DISCOVERY_BYTES || answer.readUInt16BE(0) !== DISCOVERY_ANSWER)
    throw new Error('The response to the IP discovery is malformed.')
  return { address: answer.toString('utf8', 8, answer.indexOf(0, 8)), port: answer.readUInt16BE(DISCOVERY_BYTES - 2) }
}
