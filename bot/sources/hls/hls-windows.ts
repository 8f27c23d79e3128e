import { LRUCache } from 'lru-cache'
import { Fault } from '../../../lib/errors.ts'
import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import { readPage } from '../../../upstream/music/page.ts'
import { HlsProtectedError } from './hls-keys.ts'
import { LIVE_PLAYLIST_MAX, PLAYLIST_MAX, readHls, type HlsMedia, type HlsSegment } from './hls-playlist.ts'
import { HlsVariableError, type HlsVariables } from './hls-variables.ts'
import { refusedWith } from '../http/http-status.ts'

/** A request of the audio thread for segments of a media playlist. */
export interface HlsRequest {
  readonly url: string
  /** Variables of the master playlist that named it. */
  readonly variables?: HlsVariables
  readonly isLive: boolean
  /**
   * `open`: the beginning, or a few segments before the end of a live playlist. `ms`: the segment that plays at that
   * moment. `sequence`: the first segment with that number or a higher one.
   */
  readonly from: 'open' | { readonly ms: number } | { readonly sequence: number }
}

/** A few segments of a media playlist: small enough to cross into the audio thread between two frames. */
export interface HlsWindow {
  /** At most 32. */
  readonly segments: readonly HlsSegment[]
  /** Position of the first segment in the track; 0 for live playlists. */
  readonly fromMs: number
  /** The playlist lists nothing behind them, as far as it goes now. */
  readonly isLast: boolean
  readonly isEnded: boolean
  readonly targetMs: number
  /** Length of the whole playlist. */
  readonly lengthMs: number
  readonly count: number
  /** See `HlsMedia`. */
  readonly isOneFile: boolean
}

export type ReadHlsWindow = (request: HlsRequest, signal: AbortSignal) => Promise<HlsWindow>

const WINDOW_SEGMENTS = 32
/** A live stream begins so many segments before its end, so that a late one is not missed at once. */
const LIVE_SEGMENTS = 3
/** Finished playlists that are kept, in characters of their text, and for how long after the last look. */
const KEPT_CHARS = 32 * 1024 * 1024
const KEPT_MS = 30 * 60_000

/** Fetches and parses media playlists. Keeps the finished ones, so that each window costs no request. */
export function createHlsWindows(egress: Egress): ReadHlsWindow {
  const kept = new LRUCache<string, HlsMedia>({ maxSize: KEPT_CHARS, ttl: KEPT_MS, updateAgeOnGet: true })

  async function load({ url, variables = {}, isLive }: HlsRequest, signal: AbortSignal): Promise<HlsMedia> {
    const { media, chars } = await fetchMedia(url, {
      egress,
      signal,
      maxBytes: isLive ? LIVE_PLAYLIST_MAX : PLAYLIST_MAX,
      variables,
    })
    // An address may stand for thousands: they are counted as they lie in memory.
    if (!isLive) kept.set(nameOf(url, variables), media, { size: chars + media.segments.length * url.length })
    return media
  }

  /** @throws {Fault} `not_found` when the host gives the playlist out no more, `upstream_failed` when it cannot be played. */
  return async (request, signal) => {
    const { url, variables = {}, isLive, from } = request
    const known = isLive || from === 'open' ? undefined : kept.get(nameOf(url, variables))
    const media = known ?? (await load(request, signal))
    return isLive ? liveWindow(media, from) : finishedWindow(media, from)
  }
}

function nameOf(url: string, variables: HlsVariables): string {
  return `${url} ${JSON.stringify(variables)}`
}

function finishedWindow(media: HlsMedia, from: HlsRequest['from']): HlsWindow {
  if (from === 'open') return windowAt(media, 0)
  if ('ms' in from) return windowAt(media, indexAt(media.segments, from.ms))
  const index = media.segments.findIndex(({ sequence }) => sequence >= from.sequence)
  return windowAt(media, index < 0 ? media.segments.length : index)
}

function liveWindow(media: HlsMedia, from: HlsRequest['from']): HlsWindow {
  const { segments } = media
  if (from === 'open' || 'ms' in from) return windowAt(media, Math.max(0, segments.length - LIVE_SEGMENTS))
  const last = segments.at(-1)?.sequence ?? 0
  // The count has restarted, as after a restart of its server.
  if (last < from.sequence - 1 - segments.length) return windowAt(media, 0)
  const index = segments.findIndex(({ sequence }) => sequence >= from.sequence)
  return windowAt(media, index < 0 ? segments.length : index)
}

function windowAt({ segments, isEnded, targetMs, lengthMs, isOneFile }: HlsMedia, index: number): HlsWindow {
  const end = index + WINDOW_SEGMENTS
  return {
    segments: segments.slice(index, end),
    fromMs: segments.slice(0, index).reduce((sum, { durationMs }) => sum + durationMs, 0),
    isLast: end >= segments.length,
    isEnded,
    targetMs,
    lengthMs,
    count: segments.length,
    isOneFile,
  }
}

/** The last segment that begins at or before that moment. */
function indexAt(segments: readonly HlsSegment[], ms: number): number {
  let endMs = 0
  const index = segments.findIndex(({ durationMs }) => (endMs += durationMs) > ms)
  return index < 0 ? segments.length - 1 : index
}

interface Means {
  readonly egress: Egress
  readonly signal: AbortSignal
  readonly maxBytes: number
  readonly variables: HlsVariables
}

async function fetchMedia(url: string, means: Means): Promise<{ media: HlsMedia; chars: number }> {
  const { egress, signal, maxBytes } = means
  const page = await readPage(url, { egress, signal, maxBytes, name: 'The HLS playlist of this track' })
  const { status, text } = page
  if (status !== 200 && status !== 206) throw refusedWith(status)
  const media = readMedia(text, page.url, means.variables)
  if (media) return { media, chars: text.length }
  throw new Fault('upstream_failed', 'The HLS playlist of this track has nothing playable.')
}

function readMedia(text: string, at: URL, variables: HlsVariables): HlsMedia | null {
  try {
    const playlist = readHls(text, at, variables)
    return playlist?.kind === 'media' ? playlist : null
  } catch (cause) {
    if (cause instanceof HlsVariableError) {
      throw new Fault('upstream_failed', `The HLS playlist of this track ${cause.message}.`, { cause })
    }
    if (!(cause instanceof HlsProtectedError)) throw cause
    throw new Fault('upstream_failed', `${cause.message}.`, { cause })
  }
}
