/** Writers of the presentation language of RFC 9420 (section 2.1); each gives the bytes of one field. */

export function uint8(value: number): Buffer {
  return Buffer.of(value)
}

export function uint16(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(2)
  bytes.writeUInt16BE(value)
  return bytes
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export function uint64(value: bigint): Buffer {
  const bytes = Buffer.allocUnsafe(8)
  bytes.writeBigUInt64BE(value)
  return bytes
}

/** `opaque field<V>`: the parts joined, behind their length in 1, 2 or 4 bytes (2.1.2). */
export function vector(...parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([lengthPrefix(length), ...parts])
}

function lengthPrefix(length: number): Buffer {
  if (length < 64) return uint8(length)
  if (length < 16_384) return uint16(0x4000 | length)
  return uint32(0x8000_0000 + length)
}
