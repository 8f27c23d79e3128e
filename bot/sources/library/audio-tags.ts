import { parseFromTokenizer, selectCover, TrackType, type IAudioMetadata } from 'music-metadata'
import type { FileState, NewLibraryTrack } from '../../../db/music/library-track.ts'
import { PICTURE_MAX_BYTES } from '../../covers/fetch-picture.ts'
import { BytesTokenizer, headBytes, memoryBytes, type RandomAccessBytes } from '../http/random-access.ts'
import { sniff, type Sniffed } from '../http/sniff.ts'
import { skipLeadingTags } from './leading-tags.ts'
import { findIndexEnd } from './mp4-index.ts'
import { constantRate, findMpegFrames, mpegLength } from './mpeg-frames.ts'
import { oggSeconds } from './ogg-length.ts'
import { fixMojibake } from '../http/text.ts'

export interface AudioFacts extends Omit<NewLibraryTrack, keyof FileState | 'title' | 'author'> {
  readonly title: string | null
  readonly artist: string | null
}

type Audio = Extract<Sniffed, { kind: 'audio' }>

const HEAD_BYTES = 65_536
/** A picture in text, as Ogg has it, is a third longer. */
const READ_MAX_BYTES = 16 * 1024 * 1024

/** Type of a file by its first bytes behind tags and padding; `readFacts` reads the other facts. */
export async function sniffBytes(bytes: RandomAccessBytes): Promise<Sniffed> {
  const head = await bytes.read(0, HEAD_BYTES)
  const { endByte: startByte, isPlain: hasPlainTags } = await skipLeadingTags(bytes).catch(() => NO_TAGS)
  if (startByte === 0) return sniff(head)
  const found = sniff(await bytes.read(startByte, HEAD_BYTES).catch(() => Buffer.alloc(0)))
  // Sound follows a tag even if it is not recognized: its format is unknown, or it begins farther behind.
  return found.kind === 'audio' ? { ...found, startByte, hasPlainTags } : sniff(head)
}

const NO_TAGS = { endByte: 0, isPlain: true }
/** Formats whose parsers read ID3v2 tags in front of them. */
const TAGGED: ReadonlySet<string | null> = new Set(['mp3', 'adts', 'flac'])

/**
 * Tags, length and codec. What is damaged or missing is left out: a file that begins like audio may well play.
 * With `readsAll`, pictures are looked for, and the whole of an MP3 is read where nothing else tells its exact length; for
 * files on disk.
 * @returns null when the file holds no sound, such as a silent video.
 */
export async function readFacts(bytes: RandomAccessBytes, found: Audio, readsAll: boolean): Promise<AudioFacts | null> {
  const { startByte = 0, hasPlainTags = true, probe } = found
  const isShifted = startByte > 0 && !(hasPlainTags && TAGGED.has(probe))
  const sound = isShifted ? behind(bytes, startByte) : bytes
  const head = await sound.read(isShifted ? 0 : startByte, HEAD_BYTES)
  const metadata = sound.isSeekable
    ? await readBestMetadata(sound, head, found, readsAll)
    : await readForwards(sound, head, found)
  if (metadata === 'no index') return null
  if (metadata?.format.hasAudio === false || !isPossible(metadata?.format)) return null
  // Tags in front of a format that has its own count where those say nothing.
  const tags =
    isShifted && !metadata?.common.title ? await readMetadata(bytes, TAGS_ALONE, { hasPictures: readsAll }) : null
  const common = tags?.common.title ? tags.common : metadata?.common
  const { format } = metadata ?? {}
  const seconds = await secondsOf(behind(bytes, startByte), head, { found, format, readsAll })
  return {
    title: fixMojibake(common?.title ?? '') || null,
    artist: fixMojibake(common?.artist ?? common?.artists?.join(', ') ?? common?.albumartist ?? '') || null,
    album: fixMojibake(common?.album ?? '') || null,
    albumArtist: fixMojibake(common?.albumartist ?? '') || null,
    discNumber: ordinal(common?.disk.no),
    trackNumber: ordinal(common?.track.no),
    hasPicture: (pictureIn(metadata) ?? pictureIn(tags)) !== null,
    genre: fixMojibake(common?.genre?.[0] ?? '') || null,
    isrc: common?.isrc?.[0] ?? null,
    lengthMs: Number.isFinite(seconds) ? Math.max(0, Math.round(seconds * 1000)) : 0,
    probe: format?.codec?.startsWith('ADTS') ? 'adts' : probe,
    codec: codecOf(found, head, metadata),
  }
}

const TAGS_ALONE: Audio = { kind: 'audio', probe: 'mp3', mimeType: 'audio/mpeg' }

/** Falls back to the beginning, read as if it were the whole file: it often says enough. */
async function readBestMetadata(sound: RandomAccessBytes, head: Buffer, found: Audio, readsAll: boolean) {
  return (
    (readsAll ? await readMetadata(sound, found, { hasLength: true, hasPictures: true }) : null) ??
    (await readMetadata(sound, found, { hasLength: readsAll })) ??
    (await readMetadata(memoryBytes(head), found, {}))
  )
}

/** No more than it takes: to the end of tags or of an index, else the beginning alone. */
async function readForwards(sound: RandomAccessBytes, head: Buffer, found: Audio) {
  if (found.probe === 'mp4') {
    const endByte = await findIndexEnd(sound).catch(() => null)
    if (endByte === null) return 'no index'
    const read: RandomAccessBytes['read'] = (at, length) => sound.read(at, Math.max(0, Math.min(length, endByte - at)))
    return readMetadata({ ...sound, read }, found, {})
  }
  const isShort = TAGGED.has(found.probe)
  return (
    (await readMetadata(isShort ? sound : headBytes(head), found, {})) ??
    (await readMetadata(memoryBytes(head), found, {}))
  )
}

/** The bytes from `start` on, as if nothing stood before them. */
function behind(bytes: RandomAccessBytes, start: number): RandomAccessBytes {
  if (start === 0) return bytes
  const size = bytes.size === null ? null : Math.max(0, bytes.size - start)
  return { ...bytes, size, read: (at, length) => bytes.read(start + at, length) }
}

interface Known {
  readonly found: Audio
  readonly format: IAudioMetadata['format'] | undefined
  readonly readsAll: boolean
}

/** 0 if it is not known. */
async function secondsOf(sound: RandomAccessBytes, head: Buffer, { found, format, readsAll }: Known): Promise<number> {
  if (found.probe === 'ogg') return oggSeconds(sound, head, readsAll)
  const isCounted = found.probe !== 'mp3' || (readsAll && format?.duration !== undefined)
  return isCounted ? (format?.duration ?? 0) : mpegSeconds(sound, head)
}

/** Counted by its first frame, or by its size where all frames that are looked at have one rate. */
async function mpegSeconds(sound: RandomAccessBytes, head: Buffer): Promise<number> {
  const { seconds, kbps } = mpegLength(head) ?? {}
  if (seconds !== undefined) return seconds
  if (kbps === undefined || sound.size === null) return 0
  const isElsewhere = sound.isSeekable && sound.size > 2 * HEAD_BYTES
  const middle = isElsewhere ? await sound.read(Math.floor(sound.size / 2), HEAD_BYTES).catch(() => null) : null
  const isConstant = middle === null || constantRate(middle, findMpegFrames(middle)) === kbps
  return isConstant ? (sound.size * 8) / (kbps * 1000) : 0
}

/** More than any real file has, DSD's millions of one-bit samples included. */
const MOST_SAMPLES_PER_SECOND = 50_000_000
const MOST_CHANNELS = 64

/** A header that promises nonsense would start a decoder each time, only to be refused by it. */
function isPossible({ sampleRate = 1, numberOfChannels = 1 }: Partial<IAudioMetadata['format']> = {}): boolean {
  return sampleRate <= MOST_SAMPLES_PER_SECOND && numberOfChannels <= MOST_CHANNELS
}

/** The picture of an audio file on disk; null if it has none that can be read. */
export async function readPicture(bytes: RandomAccessBytes): Promise<Uint8Array | null> {
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
  bytes: RandomAccessBytes,
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
function inPieces(bytes: RandomAccessBytes): RandomAccessBytes {
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
