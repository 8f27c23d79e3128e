import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { TransportCipher } from './cipher.ts'
import type { Network } from './network.ts'
import type { PacketMeter } from './packet-meter.ts'
import { readRtpHeader, type RtpHeader } from './rtp.ts'

const DISCOVERY_BYTES = 74
const DISCOVERY_REQUEST = 1
const DISCOVERY_ANSWER = 2
/** Type, length and SSRC stand before the address. */
const DISCOVERY_ADDRESS_AT = 8
/** Room for a burst of all players at once. */
const RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024

/** One client's end of the UDP side. */
export interface UdpPeer {
  readonly guildId: string
  readonly ssrc: number
  readonly meter: PacketMeter
  /** From op 1 on. */
  readonly cipher: TransportCipher | null
  /** From IP discovery on. */
  address: { readonly ip: string; readonly port: number } | null
  /** Who hears this client. */
  listeners(): Iterable<UdpPeer>
}

/** The one UDP socket of the voice server: IP discovery, and audio from each client to the others of their channel. */
export interface Relay {
  readonly ip: string
  readonly port: number
  add(peer: UdpPeer): void
  remove(peer: UdpPeer): void
  close(): Promise<void>
}

const LOOPBACK = '127.0.0.1'

/** What the functions below share. */
interface RelayState {
  readonly socket: Socket
  readonly network: Network
  readonly peers: Map<number, UdpPeer>
  isOpen: boolean
}

interface AudioPacket {
  readonly header: RtpHeader
  readonly bytes: Buffer
}

export async function startRelay(network: Network): Promise<Relay> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: RECEIVE_BUFFER_BYTES })
  const state: RelayState = { socket, network, peers: new Map(), isOpen: true }
  socket.on('message', (bytes, from) => onDatagram(state, bytes, from))
  // A listener that went away answers with an ICMP error; its session ends on its own.
  socket.on('error', () => undefined)
  socket.bind(0, LOOPBACK)
  await once(socket, 'listening')

  return {
    ip: LOOPBACK,
    port: socket.address().port,
    add: (peer) => void state.peers.set(peer.ssrc, peer),
    remove: (peer) => void state.peers.delete(peer.ssrc),
    async close() {
      state.isOpen = false
      state.peers.clear()
      socket.close()
      await once(socket, 'close')
    },
  }
}

function onDatagram(state: RelayState, bytes: Buffer, from: RemoteInfo): void {
  if (bytes.length === DISCOVERY_BYTES && bytes.readUInt16BE(0) === DISCOVERY_REQUEST) {
    answerDiscovery(state, bytes, from)
    return
  }
  const header = readRtpHeader(bytes)
  const peer = header && state.peers.get(header.ssrc)
  if (!header || peer?.address?.port !== from.port || peer.address.ip !== from.address) return
  state.network.pass(peer.guildId, 'in', () => receive(state, peer, { header, bytes }))
}

/** Tells a client how its packets look from here, and remembers where its audio has to come from. Never lost. */
function answerDiscovery({ socket, peers }: RelayState, request: Buffer, from: RemoteInfo): void {
  const peer = peers.get(request.readUInt32BE(4))
  if (!peer) return
  peer.address = { ip: from.address, port: from.port }
  const answer = Buffer.alloc(DISCOVERY_BYTES)
  request.copy(answer, 0, 0, DISCOVERY_ADDRESS_AT)
  answer.writeUInt16BE(DISCOVERY_ANSWER, 0)
  answer.write(from.address, DISCOVERY_ADDRESS_AT)
  answer.writeUInt16BE(from.port, DISCOVERY_BYTES - 2)
  socket.send(answer, from.port, from.address)
}

/** Counts a packet and passes it on. Where no one listens it is not even decrypted: players are cheap to have. */
function receive(state: RelayState, peer: UdpPeer, { header, bytes }: AudioPacket): void {
  if (!state.isOpen) return
  peer.meter.record(header, bytes.length, performance.now())
  let payload: Buffer | null = null
  for (const { address, cipher } of peer.listeners()) {
    if (!address || !cipher) continue
    payload ??= peer.cipher?.open(bytes, header.clearBytes) ?? null
    if (!payload) return
    const sealed = cipher.seal(bytes.subarray(0, header.clearBytes), payload)
    state.network.pass(peer.guildId, 'out', () => {
      if (state.isOpen) state.socket.send(sealed, address.port, address.ip)
    })
  }
}
