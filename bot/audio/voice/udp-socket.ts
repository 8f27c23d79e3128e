import type { Socket } from 'node:dgram'
import type { VoiceUDPSocket } from '@discordjs/voice'

/** A socket that is bound to one peer: the system checks its address once, and hears packets of no one else. */
export interface DatagramSocket {
  /** Not while it is being connected, when the library's way still works. */
  readonly isConnected: boolean
  send(packet: Buffer): void
}

/** The part of the library's socket that it declares private. */
interface Inside {
  readonly socket: Socket
  readonly remote: { readonly ip: string; readonly port: number }
}

interface Connecting {
  at: 'open' | 'connecting' | 'connected'
  /** Of the moment in which it is being connected, when neither way of sending works. */
  readonly waiting: Buffer[]
}

const connections = new WeakMap<VoiceUDPSocket, Connecting>()

/** What the network says of a packet that did not arrive; the gateway notices when that lasts. */
const LOSSES: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EPERM'])

/**
 * Connects the socket of a voice session; again after a resume, since a connected socket keeps the address of the
 * network that it began in.
 */
export function connectUdp(udp: VoiceUDPSocket): DatagramSocket {
  const { socket } = udp as unknown as Inside
  let state = connections.get(udp)
  if (!state) {
    connections.set(udp, (state = { at: 'open', waiting: [] }))
    silenceLosses(socket)
  }
  const current = state
  if (current.at !== 'connecting') reconnect(current, udp)
  return {
    get isConnected() {
      return current.at === 'connected'
    },
    send: (packet) => socket.send(packet),
  }
}

/** One that cannot be connected is used as the library does. */
function reconnect(state: Connecting, udp: VoiceUDPSocket): void {
  const { socket, remote } = udp as unknown as Inside
  try {
    if (state.at === 'connected') socket.disconnect()
    state.at = 'connecting'
    socket.connect(remote.port, remote.ip, (error?: Error) => {
      state.at = error ? 'open' : 'connected'
      for (const packet of state.waiting.splice(0)) udp.send(packet)
    })
  } catch {
    state.at = 'open'
  }
}

/** How the library sends: discovery before the session is ready, and keep-alives. */
export function sendDatagram(udp: VoiceUDPSocket, packet: Buffer): void {
  const { socket, remote } = udp as unknown as Inside
  const state = connections.get(udp)
  if (state?.at === 'connecting') state.waiting.push(packet)
  else if (state?.at === 'connected') socket.send(packet)
  else socket.send(packet, remote.port, remote.ip)
}

/** Only a connected socket is told of them: each would be an error of the connection. */
function silenceLosses(socket: Socket): void {
  const listeners = socket.listeners('error') as ((error: NodeJS.ErrnoException) => void)[]
  socket.removeAllListeners('error')
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (!LOSSES.has(error.code)) for (const listener of listeners) listener(error)
  })
}
