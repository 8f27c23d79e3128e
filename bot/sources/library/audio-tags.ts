import { parseFromTokenizer, selectCover, TrackType, type IAudioMetadata } from 'music-metadata'
import { PICTURE_MAX_BYTES } from '../../covers/fetch-picture.ts'
import { BytesTokenizer, memoryBytes, type Bytes } from '../http/random-access.ts'
import { sniff, type Sniffed } from '../http/sniff.ts'
import { fixMojibake } from '../http/text.ts'

/** What an audio file says of itself. */
export interface AudioFacts {
  readonly title: string | null
  readonly artist: string | null
  readonly album: string | null
  readonly albumArtist: string | null
  readonly discNumber: number | null
  readonly trackNumber: number | null
  /** Whether it holds a picture; false if pictures were not looked for. */
  readonly hasPicture: boolean
  /** The first of several. */
  readonly genre: string | null
  readonly isrc: string | null
  /** 0 when the file does not say and cannot be asked. */
  readonly lengthMs: number
  readonly probe: string | null
  readonly codec: 'ogg-opus' | 'webm-opus' | 'other'
}

type Audio = Extract<Sniffed, { kind: 'audio' }>

const HEAD_BYTES = 65_536
/** An Ogg page has at most 65,307 bytes, so the last one begins in here. */
const OGG_TAIL_BYTES = 65_536
/** A picture in text, as Ogg has it, is a third longer. */
const READ_MAX_BYTES = 16 * 1024 * 1024

/** The first bytes and what they are; the rest of the facts wait for `readFacts`. */
export async function sniffBytes(bytes: Bytes): Promise<Sniffed> {
  return sniff(await bytes.read(0, HEAD_BYTES))
}

/**
 * Tags, length and codec. What is damaged or missing is left out: a file that begins like audio may well play.
 * With `readsAll`, pictures are looked for, and the whole of an MP3 is read where nothing else tells its exact length; for
 * files on disk.
 * @returns null when the file holds no sound, such as a silent video.
 */
export async function readFacts(bytes: Bytes, found: Audio, readsAll: boolean): Promise<AudioFacts | null> {
  const head = await bytes.read(0, HEAD_BYTES)
  // Of what cannot be read everywhere, the beginning often says enough when it is read as if it were all.
  const metadata =
    (readsAll ? await readMetadata(bytes, found, { hasLength: true, hasPictures: true }) : null) ??
    (await readMetadata(bytes, found, { hasLength: readsAll })) ??
    (await readMetadata(memoryBytes(head), found, {}))
  if (metadata?.format.hasAudio === false || !isPossible(metadata?.format)) return null
  const { common, format } = metadata ?? {}
  const seconds = found.probe === 'ogg' ? await oggSeconds(bytes, head, format?.sampleRate) : (format?.duration ?? 0)
  return {
    title: fixMojibake(common?.title ?? '') || null,
    artist: fixMojibake(common?.artist ?? common?.artists?.join(', ') ?? common?.albumartist ?? '') || null,
    album: fixMojibake(common?.album ?? '') || null,
    albumArtist: fixMojibake(common?.albumartist ?? '') || null,
    discNumber: ordinal(common?.disk.no),
    trackNumber: ordinal(common?.track.no),
    hasPicture: pictureIn(metadata) !== null,
    genre: fixMojibake(common?.genre?.[0] ?? '') || null,
    isrc: common?.isrc?.[0] ?? null,
    lengthMs: Number.isFinite(seconds) ? Math.max(0, Math.round(seconds * 1000)) : 0,
    probe: format?.codec?.startsWith('ADTS') ? 'adts' : found.probe,
    codec: codecOf(found, head, metadata),
  }
}

/** More than any real file has, DSD's millions of one-bit samples included. */
const MOST_SAMPLES_PER_SECOND = 50_000_000
const MOST_CHANNELS = 64

/** A header that promises nonsense would start a decoder each time, only to be refused by it. */
function isPossible({ sampleRate = 1, numberOfChannels = 1 }: Partial<IAudioMetadata['format']> = {}): boolean {
  return sampleRate <= MOST_SAMPLES_PER_SECOND && numberOfChannels <= MOST_CHANNELS
}

/** The picture of an audio file on disk; null if it has none that can be read. */
export async function readPicture(bytes: Bytes): Promise<Uint8Array | null> {
  const found = await sniffBytes(bytes)
  const picture = found.kind === 'audio' ? pictureIn(await readMetadata(bytes, found, { hasPictures: true })) : null
  // A copy: it may be a part of all the tags, which would go to the other thread with it.
  return picture && Uint8Array.from(picture)
}

/** The front cover, or what comes first. */
function pictureIn(metadata: IAudioMetadata | null): Uint8Array | null {
  const data = selectCover(metadata?.common.picture)?.data
  const isUsable = data !== undefined && data.length > 0 && data.length <= PICTURE_MAX_BYTES
  return isUsable ? data : null
}

/** Tags say 0 where they mean nothing. */
function ordinal(number: number | null | undefined): number | null {
  return number && Number.isSafeInteger(number) && number > 0 ? number : null
}

interface Wanted {
  /** Exact, at the cost of reading all of it. */
  readonly hasLength?: boolean
  readonly hasPictures?: boolean
}

async function readMetadata(
  bytes: Bytes,
  { mimeType, probe }: Audio,
  { hasLength = false, hasPictures = false }: Wanted,
): Promise<IAudioMetadata | null> {
  const tokenizer = new BytesTokenizer(hasPictures ? inPieces(bytes) : bytes, mimeType)
  try {
    return await parseFromTokenizer(tokenizer, {
      skipCovers: !hasPictures,
      mkvUseIndex: true,
      duration: hasLength && probe !== 'ogg',
    })
  } catch {
    return null
  } finally {
    await tokenizer.close()
  }
}

/** The same, but for what is read at once: a damaged length must not fetch a film into memory. */
function inPieces(bytes: Bytes): Bytes {
  return {
    ...bytes,
    read: async (at, length) => {
      if (length > READ_MAX_BYTES) throw new Error(`A tag of this file claims ${length} bytes.`)
      return bytes.read(at, length)
    },
  }
}

/** Two channels and one stream of Opus can be handed on as they are; anything else is decoded. */
function codecOf(found: Audio, head: Buffer, metadata: IAudioMetadata | null): AudioFacts['codec'] {
  if (found.probe === 'ogg') return isPlainOpus(head) ? 'ogg-opus' : 'other'
  const { container, trackInfo = [] } = metadata?.format ?? {}
  const [track] = trackInfo
  const isOpus = trackInfo.length === 1 && track?.type === TrackType.audio && /opus/i.test(track.codecName ?? '')
  return isOpus && container === 'EBML/webm' ? 'webm-opus' : 'other'
}

/** RFC 7845: the first page holds `OpusHead`, version, channels, …, mapping family; a second stream's page would follow. */
function isPlainOpus(head: Buffer): boolean {
  const start = head.indexOf('OpusHead', 0, 'latin1')
  if (start !== 28 || head.length < start + 19) return false
  const channels = head[start + 9] ?? 0
  const family = head[start + 18]
  const beginsAnotherStream = head.toString('latin1', start + 19, start + 23) === 'OggS' && (head[start + 24] ?? 0) & 2
  return family === 0 && channels <= 2 && !beginsAnotherStream
}

/** From the position that the last page gives, since nothing at the beginning of an Ogg file tells its length. */
async function oggSeconds(bytes: Bytes, head: Buffer, sampleRate: number | undefined): Promise<number> {
  if (bytes.size === null || !bytes.isSeekable) return 0
  const tail = await bytes.read(Math.max(0, bytes.size - OGG_TAIL_BYTES), OGG_TAIL_BYTES).catch(() => Buffer.alloc(0))
  const page = tail.lastIndexOf('OggS', undefined, 'latin1')
  if (page < 0 || page + 14 > tail.length) return 0
  const samples = Number(tail.readBigInt64LE(page + 6))
  const opus = head.indexOf('OpusHead', 0, 'latin1')
  if (opus >= 0 && opus + 12 <= head.length) return (samples - head.readUInt16LE(opus + 10)) / 48_000
  return sampleRate ? samples / sampleRate : 0
}
