import { createTransportCipher, type TransportCipher } from './cipher.ts'
import { createGate, type Gate } from './gate.ts'
import type { Meters } from './meters.ts'
import type { PacketMeter } from './packet-meter.ts'
import type { Audibility, RelayKey, RelayOrder, RelayPeer } from './relay-protocol.ts'

/** A client as the relay knows it. */
export interface Peer {
  readonly ssrc: number
  readonly guildId: string
  readonly channelId: string
  readonly meter: PacketMeter
  /** On the way to the listeners. */
  readonly gate: Gate
  audibility: Audibility
  /** From op 1 on. */
  cipher: TransportCipher | null
  /** Set by IP discovery. */
  address: { readonly ip: string; readonly port: number } | null
}

/** All clients, by SSRC and by channel. */
export type Peers = ReturnType<typeof createPeers>

/** Number of ended sessions whose packets are still known. */
const FORMER_MAX = 1000
/** Time in which a client may still send packets because it has not learned of its end. */
const UNDER_WAY_MS = 100

export function createPeers(meters: Meters) {
  const bySsrc = new Map<number, Peer>()
  const former = new Map<number, { readonly meter: PacketMeter; readonly endedAtMs: number }>()
  const channels = new Map<string, Set<Peer>>()

  function add({ ssrc, guildId, channelId, userId, isHeard, canHear }: RelayPeer): void {
    const meter = meters.of(guildId, userId)
    meter.endStream()
    const audibility = { isHeard, canHear }
    const peer: Peer = { ssrc, guildId, channelId, meter, gate: createGate(), audibility, cipher: null, address: null }
    bySsrc.set(ssrc, peer)
    const present = channels.get(channelId) ?? new Set()
    channels.set(channelId, present.add(peer))
  }

  function remove(peer: Peer): void {
    bySsrc.delete(peer.ssrc)
    former.set(peer.ssrc, { meter: peer.meter, endedAtMs: performance.now() })
    const oldest = former.keys().next()
    if (former.size > FORMER_MAX && !oldest.done) former.delete(oldest.value)
    peer.gate.close()
    const present = channels.get(peer.channelId)
    present?.delete(peer)
    if (present?.size === 0) channels.delete(peer.channelId)
  }

  return {
    find: (ssrc: number) => bySsrc.get(ssrc),
    /** A packet with the SSRC of no one who is here. */
    recordStray(ssrc: number, nowMs: number) {
      const { meter, endedAtMs = nowMs } = former.get(ssrc) ?? {}
      if (nowMs - endedAtMs > UNDER_WAY_MS) meter?.recordStray(nowMs)
    },
    setKey({ ssrc, mode, bytes }: RelayKey) {
      const peer = bySsrc.get(ssrc)
      if (peer) peer.cipher = createTransportCipher(mode, Buffer.from(bytes))
    },
    /** Peers that receive this client's packets, once they have an address and a key. */
    *listenersOf(speaker: Peer): Iterable<Peer> {
      if (!speaker.audibility.isHeard) return
      for (const peer of channels.get(speaker.channelId) ?? [])
        if (peer !== speaker && peer.audibility.canHear) yield peer
    },
    close() {
      for (const peer of bySsrc.values()) remove(peer)
    },
    obey(order: Extract<RelayOrder, { type: 'add' | 'remove' | 'audibility' | 'announced' | 'end-utterance' }>): void {
      if (order.type === 'add') return add(order.peer)
      const peer = bySsrc.get(order.ssrc)
      if (!peer) return
      if (order.type === 'remove') remove(peer)
      else if (order.type === 'audibility') peer.audibility = order.audibility
      else if (order.type === 'announced') peer.gate.open()
      else peer.meter.endUtterance()
    },
  }
}
