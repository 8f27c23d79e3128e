import type { Socket } from 'node:dgram'
import { VoiceUDPSocket } from '@discordjs/voice'

/** The part of the socket of @discordjs/voice 0.19.2 that it declares private. */
type Inside = Pick<UdpTarget, 'socket' | 'remote'>

const connected = new WeakSet<VoiceUDPSocket>()
let isPatched = false

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

/** Destination of a voice session's packets. */
export interface UdpTarget {
  readonly socket: Socket
  readonly remote: { readonly ip: string; readonly port: number }
  readonly isConnected: boolean
}

/** Constant once the session is ready. */
export function targetOf(udp: VoiceUDPSocket): UdpTarget {
  const { socket, remote } = udp as unknown as Inside
  return { socket, remote, isConnected: connected.has(udp) }
}

/** Drops the packet if the socket was closed. */
export function sendDatagram({ socket, remote, isConnected }: UdpTarget, packet: Buffer): void {
  try {
    if (isConnected) socket.send(packet)
    else socket.send(packet, remote.port, remote.ip)
  } catch {
    // Closed; the library opens another with the next session. Its first keep-alive may come after that, too.
  }
}

/** A socket that cannot be connected is used as the library does. */
function connect(udp: VoiceUDPSocket): Promise<void> {
  const { socket, remote } = udp as unknown as Inside
  silenceLosses(socket)
  return new Promise((resolve) => {
    socket.once('close', () => resolve())
    try {
      socket.connect(remote.port, remote.ip, (error?: Error) => {
        if (!error) connected.add(udp)
        resolve()
      })
    } catch {
      resolve()
    }
  })
}

/** Network errors for packets that did not arrive; the gateway notices when that lasts. */
const LOSSES: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EPERM'])

/** Only a connected socket gets them: each would be an error of the connection. */
function silenceLosses(socket: Socket): void {
  const listeners = socket.listeners('error') as ((error: NodeJS.ErrnoException) => void)[]
  socket.removeAllListeners('error')
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (!LOSSES.has(error.code)) for (const listener of listeners) listener(error)
  })
}
