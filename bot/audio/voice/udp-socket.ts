import type { Socket } from 'node:dgram'
import { VoiceUDPSocket } from '@discordjs/voice'
import type { PacketRing, RingSocket } from './ring/packet-ring.ts'

/** The part of the library's socket that it declares private. */
type Inside = Pick<UdpTarget, 'socket' | 'remote'>

/** Those that are connected; null without a ring. */
const connected = new WeakMap<VoiceUDPSocket, RingSocket | null>()
let isPatched = false
let packetRing: PacketRing | null = null

/** Sockets that are connected from now on send through it; null: Node sends each packet. */
export function sendThrough(ring: PacketRing | null): void {
  packetRing = ring
}

/**
 * Connects each voice session's socket to its server, once and before its address is discovered. A connected socket
 * spares the look-up of the address for each packet, and hears packets of no one else. It is never disconnected: that
 * would give it another port, from which the server takes nothing.
 */
export function connectVoiceSockets(): void {
  if (isPatched) return
  isPatched = true
  const { prototype } = VoiceUDPSocket
  const discover = Reflect.get(prototype, 'performIPDiscovery')
  prototype.performIPDiscovery = async function (this: VoiceUDPSocket, ssrc: number) {
    await connect(this)
    return discover.call(this, ssrc)
  }
  prototype.send = function (this: VoiceUDPSocket, packet: Buffer) {
    sendDatagram(targetOf(this), packet)
  }
}

/** Where the packets of a voice session go. */
export interface UdpTarget {
  readonly socket: Socket
  readonly remote: { readonly ip: string; readonly port: number }
  readonly isConnected: boolean
  readonly ringSocket: RingSocket | null
}

/** Of a session that is ready it stays the same. */
export function targetOf(udp: VoiceUDPSocket): UdpTarget {
  const { socket, remote } = udp as unknown as Inside
  return { socket, remote, isConnected: connected.has(udp), ringSocket: connected.get(udp) ?? null }
}

/**
 * Drops the packet if the socket was closed.
 * @returns false if `packet` must stay as it is: the system keeps it until the network takes it.
 */
export function sendDatagram({ socket, remote, isConnected, ringSocket }: UdpTarget, packet: Buffer): boolean {
  if (ringSocket?.send(packet)) return true
  try {
    if (isConnected) socket.send(packet)
    else socket.send(packet, remote.port, remote.ip)
    return isConnected && socket.getSendQueueCount() === 0
  } catch {
    // Closed; the library opens another with the next session. Its first keep-alive may come after that, too.
    return true
  }
}

/** A socket that cannot be connected is used as the library does. */
function connect(udp: VoiceUDPSocket): Promise<void> {
  const { socket, remote } = udp as unknown as Inside
  silenceLosses(socket)
  return new Promise((resolve) => {
    socket.once('close', () => resolve())
    try {
      const ringSocket = packetRing?.adopt(socket) ?? null
      socket.connect(remote.port, remote.ip, (error?: Error) => {
        if (!error) connected.set(udp, ringSocket)
        resolve()
      })
    } catch {
      resolve()
    }
  })
}

/** What the network says of a packet that did not arrive; the gateway notices when that lasts. */
const LOSSES: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EPERM'])

/** Only a connected socket is told of them: each would be an error of the connection. */
function silenceLosses(socket: Socket): void {
  const listeners = socket.listeners('error') as ((error: NodeJS.ErrnoException) => void)[]
  socket.removeAllListeners('error')
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (!LOSSES.has(error.code)) for (const listener of listeners) listener(error)
  })
}
