/**
 * Erlang's External Term Format, version 131, as far as Discord's gateway speaks it
 * (https://www.erlang.org/doc/apps/erts/erl_ext_dist.html).
 */
const VERSION = 131
const Tag = {
  NewFloat: 70,
  Compressed: 80,
  SmallInteger: 97,
  Integer: 98,
  Float: 99,
  Atom: 100,
  SmallTuple: 104,
  LargeTuple: 105,
  Nil: 106,
  String: 107,
  List: 108,
  Binary: 109,
  SmallBig: 110,
  LargeBig: 111,
  SmallAtom: 115,
  Map: 116,
  AtomUtf8: 118,
  SmallAtomUtf8: 119,
} as const

/** Deeper than any payload of Discord's. */
const DEPTH_MAX = 64
/** Fields with IDs, which this encoding carries as integers of 64 bits. */
const ID_FIELD = /^(?:id|roles|mention_roles|.+_ids?)$/
const ID = /^[1-9]\d{14,18}$/

/** A term that cannot stand in a payload. */
export class EtfError extends Error {
  override readonly name = 'EtfError'
}

/** @param value as JSON has it. IDs become integers, which clients read as text again. */
export function encodeEtf(value: unknown): Buffer {
  const parts: Buffer[] = [Buffer.from([VERSION])]
  write(parts, value, false)
  return Buffer.concat(parts)
}

/** @returns a value as JSON has it. Integers beyond 32 bits are text, as IDs are. */
export function decodeEtf(bytes: Buffer): unknown {
  if (bytes[0] !== VERSION) throw new EtfError('The payload does not begin with version 131.')
  try {
    const reader = { bytes, at: 1 }
    const value = read(reader, 0)
    if (reader.at !== bytes.length) throw new EtfError('The payload has more than one term.')
    return value
  } catch (error) {
    if (error instanceof RangeError) throw new EtfError('The payload ends too early.', { cause: error })
    throw error
  }
}

function write(parts: Buffer[], value: unknown, isId: boolean): void {
  if (value === null || value === undefined) parts.push(atom('nil'))
  else if (typeof value === 'boolean') parts.push(atom(String(value)))
  else if (typeof value === 'number') parts.push(number(value))
  else if (typeof value === 'string') parts.push(isId && ID.test(value) ? big(BigInt(value)) : binary(value))
  else if (Array.isArray(value)) writeList(parts, value, isId)
  else writeMap(parts, Object.entries(value))
}

function writeList(parts: Buffer[], items: readonly unknown[], isId: boolean): void {
  if (items.length > 0) parts.push(head(Tag.List, items.length))
  for (const item of items) write(parts, item, isId)
  parts.push(Buffer.from([Tag.Nil]))
}

function writeMap(parts: Buffer[], entries: readonly (readonly [string, unknown])[]): void {
  parts.push(head(Tag.Map, entries.length))
  for (const [name, value] of entries) {
    parts.push(binary(name))
    write(parts, value, ID_FIELD.test(name))
  }
}

/** A tag with a length of 32 bits. */
function head(tag: number, length: number): Buffer {
  const bytes = Buffer.alloc(5)
  bytes[0] = tag
  bytes.writeUInt32BE(length, 1)
  return bytes
}

function binary(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([head(Tag.Binary, bytes.length), bytes])
}

/** Encoded with a length of 16 bits, as Discord sends atoms. Clients write small atoms. */
const atom = (name: string): Buffer => Buffer.from([Tag.Atom, 0, name.length, ...Buffer.from(name)])

function number(value: number): Buffer {
  if (Number.isInteger(value) && value >= 0 && value <= 255) return Buffer.from([Tag.SmallInteger, value])
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 31) {
    const bytes = Buffer.alloc(5)
    bytes[0] = Tag.Integer
    bytes.writeInt32BE(value, 1)
    return bytes
  }
  if (Number.isSafeInteger(value)) return big(BigInt(value))
  const bytes = Buffer.alloc(9)
  bytes[0] = Tag.NewFloat
  bytes.writeDoubleBE(value, 1)
  return bytes
}

function big(value: bigint): Buffer {
  const bytes = Buffer.alloc(11)
  bytes.set([Tag.SmallBig, 8, value < 0n ? 1 : 0])
  bytes.writeBigUInt64LE(value < 0n ? -value : value, 3)
  return bytes
}

interface Reader {
  readonly bytes: Buffer
  at: number
}

/** @throws {RangeError} where the bytes end before the term does. */
function read(reader: Reader, depth: number): unknown {
  if (depth > DEPTH_MAX) throw new EtfError('The payload is nested too deeply.')
  const tag = unsigned(reader, 1)
  switch (tag) {
    case Tag.SmallInteger:
      return unsigned(reader, 1)
    case Tag.Integer:
      return take(reader, 4).readInt32BE()
    case Tag.NewFloat:
      return take(reader, 8).readDoubleBE()
    case Tag.Float:
      return Number.parseFloat(take(reader, 31).toString('latin1'))
    case Tag.Atom:
    case Tag.AtomUtf8:
      return readAtom(reader, unsigned(reader, 2))
    case Tag.SmallAtom:
    case Tag.SmallAtomUtf8:
      return readAtom(reader, unsigned(reader, 1))
    case Tag.Binary:
      return take(reader, unsigned(reader, 4)).toString()
    case Tag.String:
      return [...take(reader, unsigned(reader, 2))]
    case Tag.SmallBig:
      return readBig(reader, unsigned(reader, 1))
    case Tag.LargeBig:
      return readBig(reader, unsigned(reader, 4))
    default:
      return readNested(reader, tag, depth + 1)
  }
}

function readNested(reader: Reader, tag: number, depth: number): unknown {
  switch (tag) {
    case Tag.Nil:
      return []
    case Tag.SmallTuple:
      return readItems(reader, unsigned(reader, 1), depth)
    case Tag.LargeTuple:
      return readItems(reader, unsigned(reader, 4), depth)
    case Tag.List: {
      const items = readItems(reader, unsigned(reader, 4), depth)
      if (unsigned(reader, 1) !== Tag.Nil) throw new EtfError('A list has no end.')
      return items
    }
    case Tag.Map: {
      const pairs = Array.from(countIn(reader, unsigned(reader, 4)), () => {
        const name = read(reader, depth)
        return [String(name), read(reader, depth)] as const
      })
      return Object.fromEntries(pairs)
    }
    default:
      throw new EtfError(`Terms of type ${tag} have no place in a payload.`)
  }
}

function readItems(reader: Reader, length: number, depth: number): unknown[] {
  return Array.from(countIn(reader, length), () => read(reader, depth))
}

/** A length of things that have at least a byte each, before memory is set aside for them. */
function countIn({ bytes, at }: Reader, length: number): { readonly length: number } {
  if (length > bytes.length - at) throw new RangeError('A list is longer than the payload.')
  return { length }
}

function readAtom(reader: Reader, length: number): unknown {
  const name = take(reader, length).toString()
  if (name === 'nil' || name === 'null') return null
  return name === 'true' ? true : name === 'false' ? false : name
}

function readBig(reader: Reader, length: number): string | number {
  const isNegative = unsigned(reader, 1) === 1
  const digits = take(reader, length)
  if (length > 8) throw new EtfError('An integer has more than 64 bits.')
  const value = [...digits].reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  // Times of heartbeats and sequence numbers stay numbers; IDs are larger.
  if (value < 2n ** 50n) return Number(isNegative ? -value : value)
  return String(isNegative ? -value : value)
}

const unsigned = (reader: Reader, length: number): number => take(reader, length).readUIntBE(0, length)

function take(reader: Reader, length: number): Buffer {
  const end = reader.at + length
  if (end > reader.bytes.length) throw new RangeError('The payload ends too early.')
  const part = reader.bytes.subarray(reader.at, end)
  reader.at = end
  return part
}
