/** Bytes that are not the MLS structure they claim to be. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage'
}

/** Reads the presentation language of RFC 9420: big-endian integers and vectors with a variable-size length (2.1.2). */
export interface Reader {
  readonly offset: number
  readonly isAtEnd: boolean
  uint8(): number
  uint16(): number
  uint32(): number
  uint64(): bigint
  /** `opaque field<V>`. */
  vector(): Buffer
  /** The same as a reader of its own, for a vector of structures. */
  within(): Reader
  /** Everything from `start` to where the reader stands now: the signed part of a structure, for instance. */
  since(start: number): Buffer
  rest(): Buffer
  /** Throws when bytes are left over. */
  end(): void
}

/** The buffers that a reader hands out share memory with `bytes`. */
export function createReader(bytes: Buffer): Reader {
  let offset = 0

  function take(count: number): Buffer {
    if (offset + count > bytes.length) throw new MalformedMessage(`Ends ${offset + count - bytes.length} bytes early.`)
    offset += count
    return bytes.subarray(offset - count, offset)
  }

  /** RFC 9420 2.1.2: the top two bits of a length say whether it takes 1, 2 or 4 bytes; the shortest form is a must. */
  function length(): number {
    const first = take(1).readUInt8()
    const size = 2 ** (first >> 6)
    if (size === 8) throw new MalformedMessage('A length begins with the invalid bits 11.')
    const value = size === 1 ? first : (first & 0x3f) * 256 ** (size - 1) + take(size - 1).readUIntBE(0, size - 1)
    if (size === 2 && value < 64) throw new MalformedMessage("A length isn't in its shortest form.")
    if (size === 4 && value < 16_384) throw new MalformedMessage("A length isn't in its shortest form.")
    return value
  }

  return {
    get offset() {
      return offset
    },
    get isAtEnd() {
      return offset === bytes.length
    },
    uint8: () => take(1).readUInt8(),
    uint16: () => take(2).readUInt16BE(),
    uint32: () => take(4).readUInt32BE(),
    uint64: () => take(8).readBigUInt64BE(),
    vector: () => take(length()),
    within: () => createReader(take(length())),
    since: (start) => bytes.subarray(start, offset),
    rest: () => take(bytes.length - offset),
    end() {
      if (offset < bytes.length) throw new MalformedMessage(`${bytes.length - offset} bytes are left over.`)
    },
  }
}
