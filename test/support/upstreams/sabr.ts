import { CompositeBuffer, UmpWriter } from 'googlevideo/ump'
import {
  FormatInitializationMetadata,
  LiveMetadata,
  MediaHeader,
  NextRequestPolicy,
  ReloadPlaybackContext,
  SabrError,
  StreamProtectionStatus,
  UMPPartId,
  VideoPlaybackAbrRequest,
} from 'googlevideo/protos'
import { base64ToU8, EnabledTrackTypes } from 'googlevideo/utils'
import { ID, readElement, readNumber } from '../../../bot/audio/containers/webm.ts'
import type { InnertubeStandIn } from './innertube.ts'
import type { Received, Reply } from './stand-in.ts'

/**
 * A stand-in for the servers that YouTube's website plays from: it reads and writes the real messages of the protocol, and
 * refuses what they refuse.
 */
export interface SabrStandIn {
  /** Tokens that are taken, as base64. */
  readonly tokens: Set<string>
  /** How long clients must wait after each response. */
  backoffMs: number
  /** Instead of an answer; null: none. */
  failure: { readonly status: number; readonly retryAfter?: string } | 'error' | 'reload' | null
  /** Bytes of each segment that are sent before the connection is cut; null: all. */
  cutAfterBytes: number | null
  /** When a live broadcast began, by `performance.now()`; null: no broadcast. */
  liveSinceMs: number | null
  /** Number of audio requests. */
  requests: number
  /** The times that clients said to be at. */
  readonly positionsMs: string[]
}

interface Segment {
  readonly from: number
  readonly bytes: Buffer
  readonly startMs: number
  endMs: number
}

const ITAG = 251
const CONFIG = 'dXN0cmVhbWVyLWNvbmZpZw=='
const READ_AHEAD_MS = 12_000
const LIVE_SEGMENT_MS = 5000

/** @param file WebM whose index stands before its clusters, as YouTube's does */
export function serveSabr(youTube: InnertubeStandIn, file: Buffer, durationMs: number): SabrStandIn {
  const { init, segments } = divide(file, durationMs)
  const stand: SabrStandIn = {
    tokens: new Set(),
    backoffMs: 0,
    failure: null,
    cutAfterBytes: null,
    liveSinceMs: null,
    requests: 0,
    positionsMs: [],
  }
  youTube.website = () => offer(youTube.url, file.length, durationMs)
  youTube.audio = (request) => (request.query.has('sabr') ? answer(request, { stand, init, segments }) : undefined)
  return stand
}

/** What the website's client gets of a video: formats without addresses, and one address for all of them. */
function offer(url: string, sizeBytes: number, durationMs: number) {
  const format = { lastModified: '1700000000000000', approxDurationMs: String(durationMs) }
  const audio = {
    itag: ITAG,
    mimeType: 'audio/webm; codecs="opus"',
    bitrate: 140_000,
    contentLength: String(sizeBytes),
  }
  const video = {
    itag: 160,
    mimeType: 'video/mp4; codecs="avc1.4d400c"',
    bitrate: 100_000,
    qualityLabel: '144p',
    height: 144,
  }
  return {
    streamingData: {
      expiresInSeconds: '21540',
      adaptiveFormats: [
        { ...format, ...video },
        { ...format, ...audio, audioQuality: 'AUDIO_QUALITY_MEDIUM' },
      ],
      serverAbrStreamingUrl: `${url}/videoplayback?sabr=1&expire=1`,
    },
    playerConfig: { mediaCommonConfig: { mediaUstreamerRequestConfig: { videoPlaybackUstreamerConfig: CONFIG } } },
  }
}

interface Answering {
  readonly stand: SabrStandIn
  readonly init: Buffer
  readonly segments: readonly Segment[]
}

function answer({ method, bytes }: Received, { stand, init, segments }: Answering): Reply {
  stand.requests++
  const { failure } = stand
  if (failure !== null && typeof failure === 'object') {
    return { status: failure.status, headers: failure.retryAfter ? { 'retry-after': failure.retryAfter } : {} }
  }
  const asked = VideoPlaybackAbrRequest.decode(bytes)
  const buffer = new CompositeBuffer()
  const writer = new UmpWriter(buffer)
  const reply = () => ump(buffer, stand)
  const isRightful = Buffer.from(asked.videoPlaybackUstreamerConfig ?? []).equals(Buffer.from(base64ToU8(CONFIG)))
  const isAudio = asked.clientAbrState?.enabledTrackTypesBitfield === EnabledTrackTypes.AUDIO_ONLY
  if (method !== 'POST' || !isRightful || !isAudio || failure === 'error') {
    writer.write(UMPPartId.SABR_ERROR, SabrError.encode({ type: 'sabr.malformed_request', code: 3 }).finish())
    return reply()
  }
  if (failure === 'reload') {
    const context = { reloadPlaybackParams: { token: 'reload' } }
    writer.write(UMPPartId.RELOAD_PLAYER_RESPONSE, ReloadPlaybackContext.encode(context).finish())
    return reply()
  }
  const token = asked.streamerContext?.poToken
  const isVouched = token !== undefined && [...stand.tokens].some((it) => Buffer.from(base64ToU8(it)).equals(token))
  const status = isVouched ? 1 : 3
  writer.write(UMPPartId.STREAM_PROTECTION_STATUS, StreamProtectionStatus.encode({ status, maxRetries: 2 }).finish())
  const policy = { backoffTimeMs: stand.backoffMs, playbackCookie: { resolution: 144, field2: 1 } }
  writer.write(UMPPartId.NEXT_REQUEST_POLICY, NextRequestPolicy.encode(policy).finish())
  if (isVouched) writeMedia(writer, asked, { stand, init, segments })
  return reply()
}

function ump(buffer: CompositeBuffer, { cutAfterBytes }: SabrStandIn): Reply {
  const bytes = Buffer.concat(buffer.chunks)
  const headers = { 'content-type': 'application/vnd.yt-ump' }
  if (cutAfterBytes === null) return { bytes, headers }
  return { bytes: bytes.subarray(0, cutAfterBytes), headers }
}

function writeMedia(writer: UmpWriter, asked: VideoPlaybackAbrRequest, { stand, init, segments }: Answering): void {
  const positionMs = Number(asked.clientAbrState?.playerTimeMs ?? 0)
  stand.positionsMs.push(String(positionMs))
  const buffered = asked.bufferedRanges.find(({ formatId }) => formatId?.itag === ITAG)
  const formatId = { itag: ITAG, lastModified: '1700000000000000' }
  const { liveSinceMs } = stand
  const head =
    liveSinceMs === null ? segments.length : Math.floor((performance.now() - liveSinceMs) / LIVE_SEGMENT_MS) + 1
  if (liveSinceMs !== null) {
    writer.write(UMPPartId.LIVE_METADATA, LiveMetadata.encode({ headSequenceNumber: String(head) }).finish())
  }
  if (!asked.selectedFormatIds.some(({ itag }) => itag === ITAG)) {
    const end = liveSinceMs === null ? { endSegmentNumber: String(segments.length) } : {}
    const about = { formatId, mimeType: 'audio/webm; codecs="opus"', ...end }
    writer.write(UMPPartId.FORMAT_INITIALIZATION_METADATA, FormatInitializationMetadata.encode(about).finish())
    writeSegment(writer, 0, { itag: ITAG, isInitSeg: true, startRange: '0', formatId }, init)
  }
  const first = buffered ? buffered.endSegmentIndex + 1 : firstAt(segments, positionMs, head)
  for (let number = first; number <= Math.min(head, segments.length); number++) {
    const { from, bytes, startMs, endMs } = segments[number - 1]!
    if (liveSinceMs === null && startMs > positionMs + READ_AHEAD_MS) return
    const times = { startMs: String(startMs), durationMs: String(endMs - startMs) }
    const place = liveSinceMs === null ? { startRange: String(from) } : {}
    writeSegment(writer, number % 250, { itag: ITAG, sequenceNumber: number, formatId, ...times, ...place }, bytes)
  }
}

/** Number of the segment at a time; a time behind the end is the newest part of a broadcast. */
function firstAt(segments: readonly Segment[], positionMs: number, head: number): number {
  const found = segments.findIndex(({ endMs }) => endMs > positionMs)
  return found === -1 ? head : Math.min(found + 1, head)
}

function writeSegment(writer: UmpWriter, headerId: number, header: Partial<MediaHeader>, bytes: Buffer): void {
  const whole = { headerId, contentLength: String(bytes.length), ...header }
  writer.write(UMPPartId.MEDIA_HEADER, MediaHeader.encode(whole).finish())
  for (let at = 0; at < bytes.length; at += 30_000) {
    writer.write(UMPPartId.MEDIA, Buffer.concat([Buffer.of(headerId), bytes.subarray(at, at + 30_000)]))
  }
  writer.write(UMPPartId.MEDIA_END, Uint8Array.of(headerId))
}

/** The file as YouTube divides it: all before the first cluster, and each cluster by itself. */
function divide(file: Buffer, durationMs: number): { readonly init: Buffer; readonly segments: readonly Segment[] } {
  const starts: { readonly at: number; readonly startMs: number }[] = []
  for (let at = 0; at < file.length;) {
    const element = readElement(file, at)
    if (!element) break
    const inside = at + element.headerBytes
    if (element.id === ID.cluster) {
      const time = readElement(file, inside)
      const body = time && file.subarray(inside + time.headerBytes, inside + time.headerBytes + (time.sizeBytes ?? 0))
      starts.push({ at, startMs: readNumber(body ?? null) ?? 0 })
    }
    at = element.id === ID.segment ? inside : inside + (element.sizeBytes ?? 0)
  }
  const segments = starts.map(({ at, startMs }, index) => {
    const next = starts[index + 1]
    return { from: at, bytes: file.subarray(at, next?.at ?? file.length), startMs, endMs: next?.startMs ?? durationMs }
  })
  return { init: file.subarray(0, starts[0]?.at ?? 0), segments }
}
