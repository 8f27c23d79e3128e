import {
  FormatInitializationMetadata,
  LiveMetadata,
  MediaHeader,
  NextRequestPolicy,
  SabrContextSendingPolicy,
  SabrContextUpdate,
  SabrContextWritePolicy,
  SabrError,
  SabrRedirect,
  SabrSeek,
  StreamProtectionStatus,
  UMPPartId,
} from 'googlevideo/protos'
import type { UmpPart } from './parts.ts'
import { SabrTrouble } from './trouble.ts'

/** A whole segment of the audio, or what stands before the first. */
export interface SabrSegment {
  readonly isInit: boolean
  /** Its place in the file; null in a live stream, which is none. */
  readonly startByte: number | null
  readonly sequence: number
  readonly startMs: number
  readonly endMs: number
  readonly content: Buffer
}

interface Arriving {
  readonly header: MediaHeader
  readonly chunks: Buffer[]
}

/** What one reader of a video has received, which its next request tells. */
export interface Progress {
  positionMs: number
  first: SabrSegment | null
  last: SabrSegment | null
  hasInit: boolean
  /** Number of the format's last segment; null if unknown. */
  endSequence: number | null
  /** Newest segment of a live stream. */
  headSequence: number | null
  policy: NextRequestPolicy | null
  redirectedTo: string | null
  readonly contexts: Map<number, SabrContextUpdate>
  readonly sentContexts: Set<number>
  readonly arriving: Map<number, Arriving>
}

/** Status of a stream that is not served without a token. */
const ATTESTATION_REQUIRED = 3

export function createProgress(positionMs: number): Progress {
  const nothing = { first: null, last: null, hasInit: false, endSequence: null, headSequence: null }
  const maps = { contexts: new Map(), sentContexts: new Set<number>(), arriving: new Map() }
  return { positionMs, ...nothing, policy: null, redirectedTo: null, ...maps }
}

type Take = (progress: Progress, content: Buffer, itag: number) => SabrSegment | null

/** What is learned from each type of part; others are of no use here. */
const TAKE: ReadonlyMap<number, Take> = new Map<UMPPartId, Take>([
  [UMPPartId.MEDIA_HEADER, (progress, content, itag) => begin(progress, itag, MediaHeader.decode(content))],
  [UMPPartId.MEDIA, (progress, content) => append(progress, content)],
  [UMPPartId.MEDIA_END, (progress, content) => complete(progress, content[0] ?? -1)],
  [UMPPartId.FORMAT_INITIALIZATION_METADATA, takeFormat],
  [UMPPartId.SABR_SEEK, (progress, content) => seek(progress, SabrSeek.decode(content))],
  [UMPPartId.SABR_CONTEXT_UPDATE, takeContext],
  [UMPPartId.SABR_CONTEXT_SENDING_POLICY, takeContextPolicy],
  [
    UMPPartId.LIVE_METADATA,
    (progress, content) =>
      set(progress, { headSequence: Number(LiveMetadata.decode(content).headSequenceNumber ?? 0) }),
  ],
  [UMPPartId.NEXT_REQUEST_POLICY, (progress, content) => set(progress, { policy: NextRequestPolicy.decode(content) })],
  [
    UMPPartId.SABR_REDIRECT,
    (progress, content) => set(progress, { redirectedTo: SabrRedirect.decode(content).url ?? null }),
  ],
  [
    UMPPartId.STREAM_PROTECTION_STATUS,
    (_, content) => {
      if (StreamProtectionStatus.decode(content).status !== ATTESTATION_REQUIRED) return null
      throw new SabrTrouble('attestation', 'YouTube requires a token for this video')
    },
  ],
  [
    UMPPartId.RELOAD_PLAYER_RESPONSE,
    () => {
      throw new SabrTrouble('reload', 'YouTube wants the video to be requested again')
    },
  ],
  [
    UMPPartId.SABR_ERROR,
    (_, content) => {
      const { type = 'an error', code = 0 } = SabrError.decode(content)
      throw new SabrTrouble('refused', `YouTube's server refused with ${type} (${code})`)
    },
  ],
])

/**
 * Learns from one part of a response.
 * @returns the segment that it completes
 * @throws {SabrTrouble}
 */
export function takePart(progress: Progress, itag: number, { type, content }: UmpPart): SabrSegment | null {
  return TAKE.get(type)?.(progress, content, itag) ?? null
}

function set(progress: Progress, learned: Partial<Progress>): null {
  Object.assign(progress, learned)
  return null
}

function takeFormat(progress: Progress, content: Buffer, itag: number): null {
  const { formatId, endSegmentNumber } = FormatInitializationMetadata.decode(content)
  if (formatId?.itag === itag && Number(endSegmentNumber) > 0) progress.endSequence = Number(endSegmentNumber)
  return null
}

function takeContext({ contexts, sentContexts }: Progress, content: Buffer): null {
  const update = SabrContextUpdate.decode(content)
  const { type, writePolicy, sendByDefault } = update
  if (type === undefined || (writePolicy === SabrContextWritePolicy.KEEP_EXISTING && contexts.has(type))) return null
  contexts.set(type, update)
  if (sendByDefault) sentContexts.add(type)
  return null
}

function takeContextPolicy({ contexts, sentContexts }: Progress, content: Buffer): null {
  const { startPolicy, stopPolicy, discardPolicy } = SabrContextSendingPolicy.decode(content)
  for (const one of startPolicy) sentContexts.add(one)
  for (const one of stopPolicy) sentContexts.delete(one)
  for (const one of discardPolicy) contexts.delete(one)
  return null
}

function append({ arriving }: Progress, content: Buffer): null {
  arriving.get(content[0] ?? -1)?.chunks.push(content.subarray(1))
  return null
}

/** Ignores other formats, what was received before, and what would leave a gap. */
function begin(progress: Progress, itag: number, header: MediaHeader): null {
  const { last, hasInit, arriving } = progress
  const sequence = header.sequenceNumber ?? 0
  const isWanted = header.isInitSeg ? !hasInit : last === null || sequence === last.sequence + 1
  if (header.itag === itag && isWanted) arriving.set(header.headerId ?? 0, { header, chunks: [] })
  return null
}

function complete(progress: Progress, headerId: number): SabrSegment | null {
  const found = progress.arriving.get(headerId)
  progress.arriving.delete(headerId)
  if (!found) return null
  const { header, chunks } = found
  const content = Buffer.concat(chunks)
  // It was cut off: the next request has it sent again.
  if (header.contentLength !== undefined && content.length !== Number(header.contentLength)) return null
  const segment = segmentOf(header, content)
  if (segment.isInit) progress.hasInit = true
  else {
    progress.first ??= segment
    progress.last = segment
    progress.positionMs = segment.endMs
  }
  return segment
}

function segmentOf(header: MediaHeader, content: Buffer): SabrSegment {
  const { startTicks = '0', durationTicks = '0', timescale = 1000 } = header.timeRange ?? {}
  const startMs = Number(header.startMs ?? (Number(startTicks) * 1000) / timescale)
  const durationMs = Number(header.durationMs ?? (Number(durationTicks) * 1000) / timescale)
  const isInit = header.isInitSeg === true
  const startByte = header.startRange === undefined ? (isInit ? 0 : null) : Number(header.startRange)
  return { isInit, startByte, sequence: header.sequenceNumber ?? 0, startMs, endMs: startMs + durationMs, content }
}

function seek(progress: Progress, { seekMediaTime, seekMediaTimescale }: SabrSeek): null {
  if (seekMediaTime !== undefined && seekMediaTimescale)
    progress.positionMs = Math.round((Number(seekMediaTime) * 1000) / seekMediaTimescale)
  return null
}
