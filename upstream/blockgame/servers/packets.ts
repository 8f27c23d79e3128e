import { createPieceCount } from '../../../lib/buffers.ts'

/** A server sent what the protocol does not allow. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
}

/** A status is a text of 32,767 characters at most; those of modified servers are longer. */
const MAX_PACKET_BYTES = 512 * 1024
/** A status takes two packets; modified servers send some before it. */
const MAX_PACKETS = 64
/** Beside the largest packet: of all that a server sends. */
const MAX_BYTES = MAX_PACKET_BYTES + 64 * 1024

export function varInt(value: number): Buffer {
  const bytes: number[] = []
  let rest = value >>> 0
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80)
    rest >>>= 7
  }
  return Buffer.from([...bytes, rest])
}

export function string(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([varInt(bytes.length), bytes])
}

/** A packet with its length before it. */
export function packet(id: number, ...fields: readonly Buffer[]): Buffer {
  const body = Buffer.concat([varInt(id), ...fields])
  return Buffer.concat([varInt(body.length), body])
}

interface Read<T> {
  readonly value: T
  /** Where the next thing begins. */
  readonly next: number
}

/** Null if more bytes are needed. @throws {ProtocolError} for one of more than five bytes. */
function readVarInt(bytes: Buffer, at: number): Read<number> | null {
  let value = 0
  for (let i = 0; i < 5; i++) {
    const byte = bytes[at + i]
    if (byte === undefined) return null
    value |= (byte & 0x7f) << (7 * i)
    if (byte < 0x80) return { value: value >>> 0, next: at + i + 1 }
  }
  throw new ProtocolError('A number has more than five bytes.')
}

export interface Packet {
  readonly id: number
  readonly body: Buffer
}

/**
 * Puts packets together again from however the network cut them. What it is given throws {ProtocolError} once it comes in
 * more packets, bytes or small pieces than a status has.
 */
export function createPacketReader(): { push(chunk: Buffer): Packet[] } {
  let waiting: Buffer[] = []
  let bytes = 0
  let needed = 1
  let count = 0
  const pieces = createPieceCount()
  return {
    push(chunk) {
      if (!pieces.add(chunk) || pieces.bytes > MAX_BYTES) throw new ProtocolError('The server sends too much.')
      waiting.push(chunk)
      bytes += chunk.length
      // Joining at every small chunk would cost the square of the packet's size.
      if (bytes < needed) return []
      let joined = Buffer.concat(waiting)
      const packets: Packet[] = []
      for (;;) {
        const length = readVarInt(joined, 0)
        if (length && (length.value < 1 || length.value > MAX_PACKET_BYTES)) {
          throw new ProtocolError(`A packet claims ${length.value} bytes.`)
        }
        const end = length ? length.next + length.value : joined.length + 1
        needed = end
        if (!length || joined.length < end) break
        if (++count > MAX_PACKETS) throw new ProtocolError('The server sends too many packets.')
        packets.push(readPacket(joined.subarray(length.next, end)))
        joined = joined.subarray(end)
      }
      waiting = [joined]
      bytes = joined.length
      return packets
    },
  }
}

function readPacket(bytes: Buffer): Packet {
  const id = readVarInt(bytes, 0)
  if (!id) throw new ProtocolError('A packet has no ID.')
  return { id: id.value, body: bytes.subarray(id.next) }
}

/** @throws {ProtocolError} when it claims another length than there is. */
export function readString(body: Buffer): string {
  const length = readVarInt(body, 0)
  if (!length || length.next + length.value > body.length) throw new ProtocolError('A text is truncated.')
  return body.subarray(length.next, length.next + length.value).toString('utf8')
}
