import type { RemoteInfo, Socket } from 'node:dgram'
import type { Network } from './network.ts'
import type { Peer, Peers } from './peers.ts'
import { readRtpHeader, type RtpHeader } from './rtp.ts'

const DISCOVERY_BYTES = 74
const DISCOVERY_REQUEST = 1
const DISCOVERY_ANSWER = 2
/** Type, length and SSRC stand before the address. */
const DISCOVERY_ADDRESS_AT = 8

/** Context of the functions below. */
export interface PacketContext {
  readonly socket: Socket
  readonly network: Network
  readonly peers: Peers
}

interface AudioPacket {
  readonly header: RtpHeader
  readonly bytes: Buffer
}

/** IP discovery, or audio from a client to the others of its channel. */
export function onDatagram(context: PacketContext, bytes: Buffer, from: RemoteInfo): void {
  if (bytes.length === DISCOVERY_BYTES && bytes.readUInt16BE(0) === DISCOVERY_REQUEST) {
    answerDiscovery(context, bytes, from)
    return
  }
  const header = readRtpHeader(bytes)
  const peer = header && context.peers.find(header.ssrc)
  if (header && !peer) context.peers.recordStray(header.ssrc, performance.now())
  if (!header || peer?.address?.port !== from.port || peer.address.ip !== from.address) return
  context.network.pass(peer.guildId, 'in', () => receive(context, peer, { header, bytes }))
}

/** Tells a client how its packets look from here, and remembers where its audio has to come from. Never lost. */
function answerDiscovery({ socket, peers }: PacketContext, request: Buffer, from: RemoteInfo): void {
  const peer = peers.find(request.readUInt32BE(4))
  if (!peer) return
  peer.address = { ip: from.address, port: from.port }
  const answer = Buffer.alloc(DISCOVERY_BYTES)
  request.copy(answer, 0, 0, DISCOVERY_ADDRESS_AT)
  answer.writeUInt16BE(DISCOVERY_ANSWER, 0)
  answer.write(from.address, DISCOVERY_ADDRESS_AT)
  answer.writeUInt16BE(from.port, DISCOVERY_BYTES - 2)
  socket.send(answer, from.port, from.address)
}

/** Counts a packet and passes it on. */
function receive(context: PacketContext, peer: Peer, packet: AudioPacket): void {
  peer.meter.record(packet.header, packet.bytes.length, performance.now())
  peer.gate.pass(() => forward(context, peer, packet))
}

/** Forwards a packet. One without listeners is not even decrypted, which keeps such players cheap. */
function forward(context: PacketContext, peer: Peer, { header, bytes }: AudioPacket): void {
  let payload: Buffer | null = null
  for (const { address, cipher } of context.peers.listenersOf(peer)) {
    if (!address || !cipher) continue
    payload ??= peer.cipher?.open(bytes, header.clearBytes) ?? null
    if (!payload) return
    const sealed = cipher.seal(bytes.subarray(0, header.clearBytes), payload)
    context.network.pass(peer.guildId, 'out', () => context.socket.send(sealed, address.port, address.ip))
  }
}
