import { Fault } from '../../../lib/errors.ts'
import type { CacheNews, Known, Readiness, TrackCache } from '../cache/track-cache.ts'
import type { TrackBytes } from './bytes.ts'
import type { DecoderSandbox } from '../ffmpeg/decoder-sandbox.ts'
import type { FfmpegInput } from '../ffmpeg/ffmpeg-process.ts'
import { createDecoderShares, type DecoderShares } from '../ffmpeg/decoder-shares.ts'
import { createFfmpeg, type Ffmpeg, type LeadIn, type MixedIn } from '../ffmpeg/ffmpeg.ts'
import type { FrameSource } from '../playback/frame-buffer.ts'
import { inputFrom, inputOf, type InputMeans } from './decoder-input.ts'
import { openTrackBytes, type TrackAccess } from './open-bytes.ts'
import { canPassThrough, passThrough } from './passthrough.ts'
import type { Audible } from '../node/protocol.ts'
import { createRangeServer } from './range-server.ts'
import { createWholeTracks } from './whole-tracks.ts'
import { createCounters, type Counters } from '../node/counters.ts'
import { isLive, isPlain, type FilterGraph } from '../ffmpeg/filter-graph.ts'
import { transcode } from '../ffmpeg/transcode.ts'

/** Requested position and sound of a track. */
export interface FrameRequest {
  readonly startSamples: number
  readonly filterGraph: FilterGraph
  /** Another track that this one follows without a seam; `startSamples` is less than 0, by that much of it. */
  readonly after?: { readonly playable: Audible; readonly fromSamples: number; readonly gainDb: number }
  /** An internet radio told what it plays; its frames come later. */
  readonly onTitle: (title: string) => void
  /** Called when its source fails temporarily, with the reason in plain words. */
  readonly onTrouble?: (text: string) => void
  /** Opened again, it would be as loud as other tracks from now on, or need no encoding. */
  readonly onUpgrade?: () => void
}

/** Opens a track. @throws {Fault} when not even its first frame could be had. */
export type OpenFrames = (track: Audible, request: FrameRequest, signal: AbortSignal) => Promise<FrameSource>

/** Gets a track ready that will be opened soon. `onKept` is called once it needs no encoding any more. */
export type Prefetch = (track: Audible, filterGraph: FilterGraph, onKept: () => void) => Promise<void>

export type FrameOpener = ReturnType<typeof createFrameOpener>

interface Means extends InputMeans {
  readonly counters: Counters
  readonly cache: TrackCache | null
  readonly ffmpeg: Ffmpeg
  readonly shares: DecoderShares
  /** Project whose shares are used. */
  readonly projectId: string
}

export function createFrameOpener(
  access: TrackAccess,
  {
    counters = createCounters(),
    cache = null,
    sandbox = null,
    ffmpeg = createFfmpeg({ sandbox }),
    shares = createDecoderShares(),
  }: Partial<Omit<Means, 'access' | 'relay' | 'wholeTracks' | 'projectId'>> & {
    readonly sandbox?: DecoderSandbox | null
  } = {},
) {
  const relay = createRangeServer(sandbox?.server)
  const wholeTracks = createWholeTracks()
  /** The same, at the cost of a project's shares. */
  const forProject = (projectId: string): { readonly open: OpenFrames; readonly prefetch: Prefetch } => {
    const means = { access, relay, wholeTracks, counters, cache, ffmpeg, shares, projectId }
    return {
      open: (track, request, signal) => open(means, track, request, signal),
      prefetch: (track, filterGraph, onKept) => prefetch(means, track, filterGraph, onKept),
    }
  }
  return {
    ...forProject(''),
    forProject,
    /** Closes the sandbox and ffmpeg, too. */
    close: async () => {
      await relay.close()
      await ffmpeg.close()
      sandbox?.close()
    },
  }
}

async function open(means: Means, track: Audible, request: FrameRequest, signal: AbortSignal): Promise<FrameSource> {
  const source = await start(means, track, request, signal)
  const close = () => source.close()
  signal.addEventListener('abort', close, { once: true })
  if (signal.aborted) close()
  await source.ready(1)
  signal.removeEventListener('abort', close)
  if (source.buffered === 0 && source.failure) {
    source.close()
    throw source.failure
  }
  return source
}

/** Opens the track from the cache, by passthrough if possible, or else with ffmpeg. */
async function start(means: Means, track: Audible, request: FrameRequest, signal: AbortSignal): Promise<FrameSource> {
  const { startSamples, filterGraph } = request
  const bytes = await openTrackBytes(means.access, track, request)
  const { known, kept } = await lookUp(means, track, { bytes, request })
  if (kept) return kept
  const gainDb = known?.gainDb ?? 0
  const share = (how: Readiness, of: TrackBytes) => (known && means.cache ? means.cache.share(known, how, of) : of)
  if (!request.after && canPassThrough(track, filterGraph)) {
    const shared = share('pass', bytes)
    if (known) means.cache?.want(known, 'pass', { listener: () => undefined, projectId: means.projectId })
    const container = track.codec as 'ogg-opus' | 'webm-opus'
    const source = await passThrough({ bytes: shared, container, startSamples })
    if (source) return source
    const again = await openTrackBytes(means.access, track, request)
    return encode(means, track, { ...request, gainDb, bytes: share('pass', again), signal })
  }
  const how = isPlain(filterGraph) ? 'encode' : 'measure'
  const shared = share(how, bytes)
  if (known && means.cache) wantBetter(means.cache, known, { how, projectId: means.projectId, ...request })
  return encode(means, track, { ...request, gainDb, bytes: shared, signal })
}

interface Encoding extends FrameRequest {
  readonly bytes: TrackBytes
  readonly gainDb: number
  readonly signal: AbortSignal
}

/** Encodes in the project's turn, while it holds a slot. */
async function encode(means: Means, track: Audible, { bytes, gainDb, signal, ...request }: Encoding) {
  const place = await means.shares.acquire(means.projectId, signal).catch((error: unknown) => {
    bytes.close()
    throw error
  })
  // Reading all of a track before its first frame takes time.
  const close = () => bytes.close()
  signal.addEventListener('abort', close, { once: true })
  try {
    const source = await transcoded(means, track, { bytes, gainDb, release: place.release, ...request })
    void source.ready(1).then(place.started)
    return source
  } catch (error) {
    place.release()
    throw error
  } finally {
    signal.removeEventListener('abort', close)
  }
}

async function transcoded(
  means: Means,
  track: Audible,
  { bytes, gainDb, release, ...request }: Omit<Encoding, 'signal'> & { readonly release: () => void },
): Promise<FrameSource> {
  const { startSamples, filterGraph } = request
  means.counters.transcodes++
  const { input, onClose } = await inputFrom(means, track, { bytes, startSamples })
  const lead = input.from === 'pipe' ? null : await leadOf(means, request)
  const closeAll = () => {
    release()
    lead?.onClose()
    onClose()
  }
  const at = { ffmpeg: means.ffmpeg, input, filterGraph, gainDb }
  if (!lead) {
    const layers = await layersOf(means, request, closeAll)
    return transcode({ ...at, startSamples: request.after ? 0 : startSamples, ...layers })
  }
  return transcode({ ...at, startSamples, lead: lead.lead, onClose: closeAll })
}

/** Looks the track up in the cache. Closes `bytes` if the cache has it or the lookup fails. */
async function lookUp(
  { cache, counters }: Means,
  track: Audible,
  { bytes, request }: { bytes: TrackBytes; request: FrameRequest },
): Promise<{ known: Known | null; kept: FrameSource | null }> {
  const { startSamples, filterGraph } = request
  try {
    const known = (await cache?.identify(track, bytes.state, filterGraph.isLevelled === true)) ?? null
    if (!cache || !known || !isPlain(filterGraph) || request.after) return { known, kept: null }
    const kept = await openKept(cache, known, startSamples)
    if (kept) bytes.close()
    const isCounted = startSamples <= 0 && (kept !== null || track.codec === 'other')
    if (isCounted) counters[kept ? 'cacheHits' : 'cacheMisses']++
    return { known, kept }
  } catch (cause) {
    bytes.close()
    throw cause
  }
}

async function openKept(cache: TrackCache, known: Known, startSamples: number): Promise<FrameSource | null> {
  const bytes = await cache.open(known)
  if (!bytes) return null
  const onDamaged = () => cache.drop(known)
  return passThrough({ bytes, container: 'ogg-opus', startSamples, gainDb: known.gainDb ?? 0, onDamaged })
}

/** Has the track made ready, and says when it is worth to be opened again. */
function wantBetter(
  cache: TrackCache,
  known: Known,
  { how, onUpgrade, projectId }: FrameRequest & { readonly how: Readiness; readonly projectId: string },
): void {
  const listener = (news: CacheNews) => {
    if (news.is === 'kept' || news.gainDb !== 0) onUpgrade?.()
  }
  cache.want(known, how, { listener, projectId })
}

async function prefetch(means: Means, track: Audible, filterGraph: FilterGraph, onKept: () => void): Promise<void> {
  const { cache, projectId } = means
  if (!cache || isLive(track)) return
  const bytes = await openTrackBytes(means.access, track)
  bytes.close()
  const known = await cache.identify(track, bytes.state, filterGraph.isLevelled === true)
  if (!known) return
  if (!isPlain(filterGraph)) return cache.want(known, 'measure', { listener: () => undefined, projectId })
  const kept = await cache.open(known)
  kept?.close()
  if (kept) return onKept()
  const listener = (news: CacheNews) => {
    if (news.is === 'kept') onKept()
  }
  cache.want(known, track.codec === 'other' ? 'encode' : 'pass', { listener, projectId })
}

/** The layers as ffmpeg reads them, and how to free them together with the track. */
async function layersOf(means: Means, request: FrameRequest, closeTrack: () => void) {
  const opened: { input: FfmpegInput; onClose: () => void }[] = []
  const onClose = () => {
    for (const one of opened) one.onClose()
    closeTrack()
  }
  try {
    const layers: MixedIn[] = []
    for (const { playable, gain, fromSamples, delaySamples } of request.filterGraph.layers ?? []) {
      const one = await inputOf(means, playable)
      opened.push(one)
      const { input } = one
      if (input.from === 'pipe') throw new Fault('upstream_failed', 'A layer needs a source with byte ranges.')
      layers.push({ input, startSeconds: fromSamples / 48_000, delaySamples, gain })
    }
    return { layers, onClose }
  } catch (cause) {
    onClose()
    throw cause
  }
}

/** Null if there is none, or if it cannot be opened near its end: the tracks then meet at a frame. */
async function leadOf(means: Means, request: FrameRequest): Promise<{ lead: LeadIn; onClose: () => void } | null> {
  if (!request.after) return null
  const { playable, fromSamples, gainDb } = request.after
  const { input, onClose } = await inputOf(means, playable)
  if (input.from !== 'pipe') {
    const samples = Math.round(-request.startSamples)
    return { lead: { input, startSeconds: fromSamples / 48_000, gainDb, samples }, onClose }
  }
  onClose()
  return null
}
