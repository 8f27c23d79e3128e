import { readAt, type TrackBytes } from '../input/bytes.ts'
import { SAMPLES_PER_MS } from './opus.ts'
import { children, DEFAULT_SCALE_NS, find, ID, readElement, readNumber, WebmOpusDemuxer } from './webm.ts'

/** The bytes before the first cluster and its first block; an index there can be long. */
const BEGIN_BYTES = [64 * 1024, 1024 * 1024, 8 * 1024 * 1024]
const MAX_CUES_BYTES = 4 * 1024 * 1024
/** A cue may be of a picture, whose sound begins a little later in the same cluster. */
const EARLIER_MS = 500

interface WebmStart {
  /** Demuxer that has already read the header. */
  readonly demuxer: WebmOpusDemuxer
  /** A cluster that begins before the wanted sample. */
  readonly fromByte: number
  /** Position of the track's first packet: not always 0. */
  readonly zeroSample: number
}

interface Beginning {
  readonly header: Buffer
  /** Offset that positions in the file are relative to. */
  readonly originByte: number
  readonly scaleNs: number
  readonly zeroSample: number
  readonly cues: Buffer | null
  /** Counted from there. */
  readonly cuesByte: number | null
}

/** Uses the index of the file. Null if it has none, or if it points to the start. */
export async function findWebmStart(bytes: TrackBytes, startSamples: number): Promise<WebmStart | null> {
  const beginning = await findBeginning(bytes)
  if (!beginning) return null
  const { header, originByte, scaleNs, zeroSample } = beginning
  const { cuesByte } = beginning
  const cues = beginning.cues ?? (cuesByte === null ? null : await readCues(bytes, originByte + cuesByte))
  const wantedMs = (zeroSample + startSamples) / SAMPLES_PER_MS - EARLIER_MS
  const position = cues && clusterBefore(cues, (wantedMs * 1_000_000) / scaleNs)
  if (position === null || originByte + position <= header.length) return null
  const demuxer = new WebmOpusDemuxer()
  demuxer.push(header)
  return { demuxer, fromByte: originByte + position, zeroSample }
}

async function findBeginning(bytes: TrackBytes): Promise<Beginning | null> {
  for (const lengthBytes of BEGIN_BYTES) {
    const start = await readAt(bytes, 0, lengthBytes)
    const found = parseBeginning(start)
    if (found || start.length < lengthBytes) return found
  }
  return null
}

/** Null if it is longer than the bytes read. */
function parseBeginning(start: Buffer): Beginning | null {
  const demuxer = new WebmOpusDemuxer()
  demuxer.push(start)
  const zeroSample = demuxer.firstSample
  if (zeroSample === null) return null
  let originByte = 0
  let scaleNs = DEFAULT_SCALE_NS
  let cues: Buffer | null = null
  let cuesByte: number | null = null
  for (let at = 0; ;) {
    const element = readElement(start, at)
    if (!element) return null
    const { id, sizeBytes, headerBytes } = element
    if (id === ID.cluster) return { header: start.subarray(0, at), originByte, scaleNs, zeroSample, cues, cuesByte }
    at += headerBytes
    if (id === ID.segment) {
      originByte = at
      continue
    }
    if (sizeBytes === null) return null
    const body = start.subarray(at, at + sizeBytes)
    if (id === ID.info) scaleNs = readNumber(find(body, ID.timestampScale)) ?? scaleNs
    if (id === ID.seekHead) cuesByte = positionOf(body, ID.cues) ?? cuesByte
    if (id === ID.cues) cues = body
    at += sizeBytes
  }
}

/** The offset of the element in the table of contents (SeekHead). */
export function positionOf(seekHead: Buffer, wanted: number): number | null {
  for (const [id, seek] of children(seekHead)) {
    if (id === ID.seek && readNumber(find(seek, ID.seekId)) === wanted) return readNumber(find(seek, ID.seekPosition))
  }
  return null
}

async function readCues(bytes: TrackBytes, atByte: number): Promise<Buffer | null> {
  if (bytes.sizeBytes === null || atByte >= bytes.sizeBytes) return null
  const most = Math.min(MAX_CUES_BYTES, bytes.sizeBytes - atByte)
  const read = await readAt(bytes, atByte, most)
  const element = readElement(read, 0)
  if (element?.id !== ID.cues || element.sizeBytes === null) return null
  return read.subarray(element.headerBytes, element.headerBytes + element.sizeBytes)
}

/** The position of the last cluster that the index has up to that time. */
function clusterBefore(cues: Buffer, time: number): number | null {
  let best: { readonly time: number; readonly position: number } | null = null
  for (const [id, point] of children(cues)) {
    const at = id === ID.cuePoint ? readNumber(find(point, ID.cueTime)) : null
    if (at === null || at > time || (best && at < best.time)) continue
    const positions = find(point, ID.cueTrackPositions)
    const position = positions && readNumber(find(positions, ID.cueClusterPosition))
    if (position !== null) best = { time: at, position }
  }
  return best && best.position
}
