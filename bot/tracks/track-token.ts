import { unplayable, type Fault } from '../../lib/errors.ts'
import type { TrackInfo } from './track.ts'
import { squeezeSpaces, truncate } from '../../lib/text.ts'

/** All fields of a token, exactly as its writer wrote them. */
interface TrackToken extends Omit<TrackInfo, 'lengthMs'> {
  /** `ENDLESS` for a stream and where it is not known; some writers say -1 then. */
  readonly lengthMs: bigint
  /** Start position of the track. */
  readonly positionMs: bigint
  /** Fields that a source or a plug-in adds between its name and the position. */
  readonly details: Buffer
}

// The token is lavaplayer's message form: a header of flags and size, a version byte, then the fields as Java's
// DataOutput writes them (big-endian numbers, modified UTF-8 behind a 16-bit length), all of it in Base64.

const VERSION = 3
const FLAG_VERSIONED = 1
const HEADER_BYTES = 4
const POSITION_BYTES = 8
const FIELD_MAX_BYTES = 0xffff
const TOKEN_MAX_CHARS = 32_768
/** Limit of a title or an author. Tokens of other writers may hold more, which is cut. */
const NAME_MAX_CHARS = 500
const SOURCE_NAME_MAX_CHARS = 100
const URL_MAX_CHARS = 2048
/** The length that lavaplayer writes for an endless stream, and for a file of unknown length. */
export const ENDLESS = 0x7fff_ffff_ffff_ffffn
/** Sources whose tokens also say which container probe recognised the file. */
const PROBED = new Set(['http', 'local'])

/**
 * The Lavalink v4 token of a track. The start position, the last field, is always 0.
 * @throws {RangeError} when one of the texts fits no token. Those of sources and of decoded tokens are far shorter.
 */
export function encodeToken(track: TrackInfo): string {
  const body = Buffer.concat([
    Buffer.from([VERSION]),
    utf(track.title),
    utf(track.author),
    int64(track.isStream || track.lengthMs <= 0 ? ENDLESS : BigInt(Math.round(track.lengthMs))),
    utf(track.identifier),
    Buffer.from([track.isStream ? 1 : 0]),
    nullableUtf(track.uri),
    nullableUtf(track.artworkUrl),
    nullableUtf(track.isrc),
    utf(track.sourceName),
    ...(PROBED.has(track.sourceName) ? [utf(track.probe ?? '')] : []),
    int64(0n),
  ])
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32BE(((FLAG_VERSIONED << 30) | body.length) >>> 0)
  return Buffer.concat([header, body]).toString('base64')
}

/**
 * Decodes a token, of any version so far and from any writer. It proves nothing: its maker could write anything, so
 * every field is input for the source that opens it. Titles and authors come with single spaces and are cut at 500
 * characters, addresses of more than 2,048 are null.
 * @throws {Fault} `unplayable` when it is not a track token.
 */
export function decodeToken(encoded: string): TrackInfo {
  const { positionMs: _position, details: _details, ...token } = readToken(encoded)
  return {
    ...token,
    title: name(token.title),
    author: name(token.author),
    lengthMs: token.isStream ? 0 : knownLength(token.lengthMs),
    // A path of a file is for Lavalink clients.
    uri: token.sourceName === 'local' && !URL.canParse(token.uri ?? '') ? null : url(token.uri),
    artworkUrl: url(token.artworkUrl),
    isrc: truncate(token.isrc ?? '', NAME_MAX_CHARS) || null,
    sourceName: truncate(token.sourceName, SOURCE_NAME_MAX_CHARS),
    probe: token.probe || null,
  }
}

/**
 * The same, exactly as it was written.
 * @throws {Fault} `unplayable` when it is not a track token.
 */
export function readToken(encoded: string): TrackToken {
  // Query strings turn `+` into a space; no token holds one otherwise.
  const text = encoded.replaceAll(' ', '+')
  if (text.length > TOKEN_MAX_CHARS) throw notToken(`has more than ${TOKEN_MAX_CHARS} characters`)
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw notToken("isn't Base64")
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length < HEADER_BYTES) throw notToken('is too short')
  const header = bytes.readUInt32BE()
  const size = header & 0x3fff_ffff
  if (size !== bytes.length - HEADER_BYTES) throw notToken('is truncated or corrupt')
  try {
    return readTrack(createReader(bytes.subarray(HEADER_BYTES)), (header >>> 30) & FLAG_VERSIONED)
  } catch (error) {
    if (error instanceof Damage) throw notToken(error.message)
    throw error
  }
}

function readTrack(reader: Reader, flags: number): TrackToken {
  const version = flags & FLAG_VERSIONED ? reader.byte() : 1
  if (version < 1 || version > VERSION) throw new Damage(`has the version ${version}; supported are 1 to ${VERSION}`)
  const title = reader.utf()
  const author = reader.utf()
  const lengthMs = reader.int64()
  const identifier = reader.utf()
  const isStream = reader.byte() !== 0
  const uri = version >= 2 ? reader.nullableUtf() : null
  const artworkUrl = version >= 3 ? reader.nullableUtf() : null
  const isrc = version >= 3 ? reader.nullableUtf() : null
  const sourceName = reader.utf()
  // Some writers leave the probe out: then nothing but the position is left.
  const probe = PROBED.has(sourceName) && reader.left() > POSITION_BYTES ? reader.utf() : null
  if (reader.left() < POSITION_BYTES) throw new Damage('is truncated or corrupt')
  const details = reader.bytes(reader.left() - POSITION_BYTES)
  const positionMs = reader.int64()
  const names = { title, author, identifier, uri, artworkUrl, isrc, sourceName, probe }
  return { ...names, lengthMs, isStream, details, positionMs }
}

/** A name as people read it: one line, with single spaces. */
function name(text: string): string {
  return truncate(squeezeSpaces(text), NAME_MAX_CHARS).trimEnd()
}

/** Null for what is too long to be of use: a URL that is cut leads elsewhere. */
function url(text: string | null): string | null {
  return text !== null && text.length <= URL_MAX_CHARS ? text : null
}

/** Unknown lengths are written as -1 or as an endless stream's. */
function knownLength(length: bigint): number {
  return length < 0n || length > BigInt(Number.MAX_SAFE_INTEGER) ? 0 : Number(length)
}

type Reader = ReturnType<typeof createReader>

function createReader(bytes: Buffer) {
  let at = 0
  function take(count: number): Buffer {
    if (at + count > bytes.length) throw new Damage('is truncated or corrupt')
    at += count
    return bytes.subarray(at - count, at)
  }
  const reader = {
    bytes: take,
    byte: (): number => take(1).readUInt8(),
    int64: (): bigint => take(8).readBigInt64BE(),
    utf: (): string => readModifiedUtf8(take(take(2).readUInt16BE())),
    nullableUtf: (): string | null => (reader.byte() === 0 ? null : reader.utf()),
    left: (): number => bytes.length - at,
  }
  return reader
}

/** Java's own UTF-8: two bytes for U+0000, two surrogates of three bytes each for what lies above U+FFFF. */
function modifiedUtf8(text: string): Buffer {
  const bytes: number[] = []
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit > 0 && unit < 0x80) bytes.push(unit)
    else if (unit < 0x800) bytes.push(0xc0 | (unit >> 6), 0x80 | (unit & 0x3f))
    else bytes.push(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f))
  }
  return Buffer.from(bytes)
}

function readModifiedUtf8(bytes: Buffer): string {
  const units = Buffer.alloc(2 * bytes.length)
  let count = 0
  for (let at = 0; at < bytes.length; count++) {
    const first = bytes[at] ?? 0
    const width = first < 0x80 ? 1 : first >> 5 === 0b110 ? 2 : first >> 4 === 0b1110 ? 3 : 0
    if (width === 0 || at + width > bytes.length) throw new Damage("contains text that isn't modified UTF-8")
    let unit = width === 1 ? first : first & (0x7f >> width)
    for (const end = at++ + width; at < end; at++) {
      const next = bytes[at] ?? 0
      if (next >> 6 !== 0b10) throw new Damage("contains text that isn't modified UTF-8")
      unit = (unit << 6) | (next & 0x3f)
    }
    units.writeUInt16LE(unit, 2 * count)
  }
  return units.toString('utf16le', 0, 2 * count)
}

function utf(text: string): Buffer {
  const bytes = modifiedUtf8(text)
  if (bytes.length > FIELD_MAX_BYTES) throw new RangeError(`A text of ${bytes.length} bytes is too long for a token.`)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return Buffer.concat([length, bytes])
}

function nullableUtf(text: string | null): Buffer {
  return text === null ? Buffer.from([0]) : Buffer.concat([Buffer.from([1]), utf(text)])
}

function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(value)
  return bytes
}

/** The damage to the bytes, as the end of a sentence about the token. */
class Damage extends Error {}

function notToken(what: string): Fault {
  return unplayable(`This isn't a track token: it ${what}. Send the unchanged token from a search.`)
}
