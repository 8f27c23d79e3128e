import { PlaybackCookie, VideoPlaybackAbrRequest } from 'googlevideo/protos'
import { base64ToU8, EnabledTrackTypes, MAX_INT32_VALUE } from 'googlevideo/utils'
import type { SabrFormat } from 'googlevideo/shared-types'
import { setTimeout as sleep } from 'node:timers/promises'
import { readParts } from './parts.ts'
import { createProgress, takePart, type Progress, type SabrSegment } from './progress.ts'
import { SabrTrouble } from './trouble.ts'

/** Everything that a request for the audio of a video needs. Renewed in place when YouTube wants that. */
export interface SabrOffer {
  readonly videoId: string
  url: string
  ustreamerConfig: string
  readonly client: { readonly clientName: number; readonly clientVersion: string }
  readonly audio: SabrFormat
  /** Never sent: the protocol knows no video without pictures. */
  readonly video: SabrFormat
  readonly isLive: boolean
  /** 0 if unknown. */
  readonly durationMs: number
  token: string | null
}

export interface SabrMeans {
  /** @throws {SabrTrouble} unless the response is one of a SABR server */
  readonly post: (url: string, body: Uint8Array, signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>
  /** Asks the operator's provider again; false without another token. */
  readonly vouch: (offer: SabrOffer, tries: number) => Promise<boolean>
  /** Requests the video again. */
  readonly renew: (offer: SabrOffer) => Promise<void>
}

/** Requests in a row that bring nothing. */
const MISSES_MAX = 4
/** A live stream has nothing new for some seconds, again and again. */
const LIVE_MISSES_MAX = 20
const LIVE_WAIT_MS = 1500
const RETRY_MS = 250
/** The longest that a server may have us wait. */
const BACKOFF_MAX_MS = 10_000
/** How a client says that it starts at the newest part of a live stream. */
const LIVE_EDGE_MS = Number.MAX_SAFE_INTEGER

/**
 * Reads the audio of a video from a time on, segment by segment, and no faster than the caller takes them. Not by
 * `SabrStream` of the same library, which holds a whole video in memory, cannot begin later and plays no live stream.
 * @throws {SabrTrouble} when YouTube does not go on
 */
export async function* readSabr(
  offer: SabrOffer,
  startMs: number,
  means: SabrMeans,
  signal: AbortSignal,
): AsyncGenerator<SabrSegment, void> {
  const progress = createProgress(offer.isLive ? LIVE_EDGE_MS : startMs)
  for (let requests = 0, misses = 0; !isOver(offer, progress); requests++) {
    const before = progress.last
    const trouble = yield* exchange({ offer, progress, requests, means, signal })
    if (progress.redirectedTo !== null) offer.url = progress.redirectedTo
    progress.redirectedTo = null
    misses = progress.last === before ? misses + 1 : 0
    if (misses > (offer.isLive ? LIVE_MISSES_MAX : MISSES_MAX))
      throw trouble ?? new SabrTrouble('refused', 'YouTube sends no audio of this video')
    if (trouble) await mend(trouble, offer, means, misses)
    const waitMs = Math.max(pauseMs(progress, offer, misses), trouble?.waitMs ?? 0)
    await sleep(Math.min(waitMs, BACKOFF_MAX_MS), undefined, { signal })
  }
}

interface Exchange {
  readonly offer: SabrOffer
  readonly progress: Progress
  readonly requests: number
  readonly means: SabrMeans
  readonly signal: AbortSignal
}

/** One request and what it brings. @returns what kept it from bringing more */
async function* exchange({
  offer,
  progress,
  requests,
  means,
  signal,
}: Exchange): AsyncGenerator<SabrSegment, SabrTrouble | null> {
  progress.arriving.clear()
  const url = new URL(offer.url)
  url.searchParams.set('rn', String(requests))
  try {
    const body = await means.post(url.href, requestOf(offer, progress), signal)
    for await (const part of readParts(body)) {
      const segment = takePart(progress, offer.audio.itag, part)
      if (segment) yield segment
    }
    return null
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof SabrTrouble) return error
    return new SabrTrouble('throttled', error instanceof Error ? error.message : String(error))
  }
}

/** @throws {SabrTrouble} the same, where nothing can be done about it */
async function mend(trouble: SabrTrouble, offer: SabrOffer, means: SabrMeans, misses: number): Promise<void> {
  switch (trouble.kind) {
    case 'attestation':
      if (!(await means.vouch(offer, misses))) throw trouble
      return
    case 'reload':
    case 'gone':
      if (misses > 1) throw trouble
      return means.renew(offer)
    case 'throttled':
      return
    case 'refused':
      throw trouble
  }
}

function pauseMs({ policy, last, headSequence }: Progress, { isLive }: SabrOffer, misses: number): number {
  const isAtEdge = isLive && last !== null && last.sequence >= (headSequence ?? 0)
  const own = misses === 0 ? 0 : RETRY_MS * 2 ** Math.min(misses - 1, 3)
  return Math.max(policy?.backoffTimeMs ?? 0, own, isAtEdge ? LIVE_WAIT_MS : 0)
}

function isOver({ isLive, durationMs }: SabrOffer, { last, endSequence }: Progress): boolean {
  if (isLive || last === null) return false
  return endSequence === null ? durationMs > 0 && last.endMs >= durationMs : last.sequence >= endSequence
}

/** What a client with this much behind it asks for. */
function requestOf(offer: SabrOffer, progress: Progress): Uint8Array {
  const { audio, video, token, client, ustreamerConfig } = offer
  const { first, last, policy, contexts, sentContexts, positionMs } = progress
  const cookie = policy?.playbackCookie && PlaybackCookie.encode(policy.playbackCookie).finish()
  const all = [...contexts.values()]
  return VideoPlaybackAbrRequest.encode({
    clientAbrState: {
      playerTimeMs: String(positionMs),
      audioTrackId: audio.audioTrackId,
      playbackRate: 1,
      stickyResolution: video.height ?? 360,
      drcEnabled: false,
      clientViewportIsFlexible: false,
      visibility: 1,
      enabledTrackTypesBitfield: EnabledTrackTypes.AUDIO_ONLY,
    },
    preferredAudioFormatIds: [audio],
    preferredVideoFormatIds: [video],
    preferredSubtitleFormatIds: [],
    selectedFormatIds: first ? [video, audio] : [video],
    videoPlaybackUstreamerConfig: base64ToU8(ustreamerConfig),
    streamerContext: {
      sabrContexts: all.filter(({ type }) => sentContexts.has(type ?? -1)),
      unsentSabrContexts: all.flatMap(({ type }) => (type === undefined || sentContexts.has(type) ? [] : [type])),
      poToken: token === null ? undefined : base64ToU8(token),
      playbackCookie: cookie,
      clientInfo: client,
    },
    bufferedRanges: [
      rangeOf(video, {
        from: 0,
        ms: Number(MAX_INT32_VALUE),
        segments: [Number(MAX_INT32_VALUE), Number(MAX_INT32_VALUE)],
      }),
      ...(first && last
        ? [
            rangeOf(audio, {
              from: first.startMs,
              ms: last.endMs - first.startMs,
              segments: [first.sequence, last.sequence],
            }),
          ]
        : []),
    ],
    field1000: [],
  }).finish()
}

interface Buffered {
  readonly from: number
  readonly ms: number
  readonly segments: readonly [first: number, last: number]
}

function rangeOf(formatId: SabrFormat, { from, ms, segments }: Buffered) {
  const [startTimeMs, durationMs] = [String(Math.round(from)), String(Math.round(ms))]
  const [startSegmentIndex, endSegmentIndex] = segments
  const timeRange = { startTicks: startTimeMs, durationTicks: durationMs, timescale: 1000 }
  return { formatId, startTimeMs, durationMs, startSegmentIndex, endSegmentIndex, timeRange }
}
