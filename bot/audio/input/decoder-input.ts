import { following } from './same-start.ts'
import { id3Tag } from '../../sources/library/leading-tags.ts'
import { isChainedOgg } from '../containers/ogg-seek.ts'
import { SAMPLES_PER_MS } from '../containers/opus.ts'
import type { FfmpegInput } from '../ffmpeg/ffmpeg-process.ts'
import { isLive } from '../ffmpeg/filter-graph.ts'
import type { Audible } from '../node/protocol.ts'
import { openTrackBytes, type TrackAccess } from './open-bytes.ts'
import type { RangeServer } from './range-server.ts'
import type { WholeTracks } from './whole-tracks.ts'
import type { TrackBytes } from './bytes.ts'

const RUN_UP_MS = 200

export interface InputMeans {
  readonly access: TrackAccess
  readonly relay: RangeServer
  readonly wholeTracks: WholeTracks
}

/** Input of ffmpeg for a track, and the function that frees it. */
interface Input {
  readonly input: FfmpegInput
  readonly onClose: () => void
}

export async function inputOf(means: InputMeans, track: Audible): Promise<Input> {
  return inputFrom(means, track, { bytes: await openTrackBytes(means.access, track), startSamples: 0 })
}

/** Returns the input for the bytes of a track, which it owns. */
export async function inputFrom(
  means: InputMeans,
  track: Audible,
  { bytes, startSamples }: { bytes: TrackBytes; startSamples: number },
): Promise<Input> {
  // Each link of a chained stream restarts its count, so a decoder that jumps finds no time.
  const isChained = startSamples > 0 && (await isChainedOgg(bytes))
  if (!bytes.isSeekable || isChained) return pipedFrom(means, track, bytes, startSamples)
  if (track.kind === 'file') return { input: { from: 'file', path: track.path }, onClose: () => bytes.close() }
  return offered(means, bytes)
}

async function pipedFrom(means: InputMeans, track: Audible, bytes: TrackBytes, startSamples: number): Promise<Input> {
  // Decoders need pre-roll before the requested position.
  const fromMs = Math.max(0, startSamples / SAMPLES_PER_MS - RUN_UP_MS)
  const entered = (await bytes.readFromTime?.(fromMs)) ?? { fromMs: 0, bytes: bytes.read(0) }
  const isLiveTrack = isLive(track)
  const read = isLiveTrack
    ? { isBehind: false, bytes: entered.bytes }
    : await hasIndexBehind(withoutLeadingId3(entered.bytes))
  if (read.isBehind) return offered(means, await means.wholeTracks.keep(read.bytes, bytes))
  const { fromMs: enteredMs, ...sound } = { ...entered, bytes: read.bytes }
  const input = { from: 'pipe', ...sound, fromSeconds: enteredMs / 1000, isLive: isLiveTrack } as const
  return { input, onClose: () => bytes.close() }
}

async function offered({ relay }: InputMeans, bytes: TrackBytes): Promise<Input> {
  const { url, progress, withdraw } = await relay.offer(bytes).catch((error: unknown) => {
    bytes.close()
    throw error
  })
  return {
    input: { from: 'http', url, progress },
    onClose: () => {
      withdraw()
      bytes.close()
    },
  }
}

const HEAD_BYTES = 10

/** Yields a track without its leading ID3v2 tags. A decoder that cannot jump takes any format after a large tag for MP3. */
async function* withoutLeadingId3(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  /** Undecided; null behind the tags. */
  let start: Buffer | null = Buffer.alloc(0)
  let skipBytes = 0
  for await (const chunk of bytes) {
    const rest = chunk.subarray(Math.min(skipBytes, chunk.length))
    skipBytes -= chunk.length - rest.length
    if (start === null) yield rest
    else if (rest.length > 0) {
      start = Buffer.concat([start, rest])
      const tagBytes = tagsIn(start)
      skipBytes = Math.max(0, tagBytes - start.length)
      start = start.subarray(tagBytes)
      const isDecided =
        skipBytes === 0 && (start.length >= HEAD_BYTES || !'ID3'.startsWith(start.toString('latin1', 0, 3)))
      if (isDecided) yield start
      if (isDecided) start = null
    }
  }
  if (start && start.length > 0) yield start
}

/** Returns the total size of the consecutive tags at the start; the last may extend past the bytes. */
function tagsIn(bytes: Buffer): number {
  let at = 0
  for (let tag = id3Tag(bytes); tag; tag = id3Tag(bytes.subarray(at))) at += tag.bytes
  return at
}

/** Boxes that may stand before index and sound. */
const SMALL_BOXES: ReadonlySet<string> = new Set(['ftyp', 'free', 'skip', 'wide', 'uuid', 'pdin'])
/** Farther in, no index is looked for. */
const LOOKED_BYTES = 1024 * 1024
const BOXES_MAX = 64
/** Header size, including the 64-bit size of a large box. */
const BOX_HEAD_BYTES = 16

/**
 * Whether bytes are an MP4 (ISO/IEC 14496-12) whose sound comes before its index, so that a decoder has to jump. Reads no more
 * than it takes to tell.
 */
async function hasIndexBehind(bytes: AsyncIterable<Buffer>) {
  const rest = bytes[Symbol.asyncIterator]()
  const all = { [Symbol.asyncIterator]: () => rest }
  const held: Buffer[] = []
  let bytesHeld = 0
  for (;;) {
    const verdict = judge(Buffer.concat(held))
    if (typeof verdict === 'boolean') return { isBehind: verdict, bytes: following(held, all) }
    while (bytesHeld < verdict) {
      const { value, done } = await rest.next()
      if (done) return { isBehind: false, bytes: following(held, all) }
      held.push(value)
      bytesHeld += value.length
    }
  }
}

/** True or false where it is known, or how many bytes it takes to look further. */
function judge(start: Buffer): boolean | number {
  let at = 0
  for (let boxes = 0; boxes < BOXES_MAX && at <= LOOKED_BYTES; boxes++) {
    if (start.length < at + BOX_HEAD_BYTES) return at + BOX_HEAD_BYTES
    const type = start.toString('latin1', at + 4, at + 8)
    if (type === 'mdat' && at > 0) return true
    if (!SMALL_BOXES.has(type)) return false
    const size = start.readUInt32BE(at)
    const bytes = size === 1 ? Number(start.readBigUInt64BE(at + 8)) : size
    if (bytes < 8) return false
    at += bytes
  }
  return false
}
