import type { TrackBytes } from '../input/bytes.ts'
import type { Ffmpeg } from '../ffmpeg/ffmpeg.ts'
import { openTrackBytes, type TrackAccess } from '../input/open-bytes.ts'
import type { Audible } from '../node/protocol.ts'
import type { Counters } from '../node/counters.ts'
import { createEncodeQueue, type Requester } from './encode-queue.ts'
import { gainTo, needsTruePeak } from './loudness.ts'
import type { WholeFile } from './downloads.ts'
import { keyOf, type TrackStore } from './store.ts'

/** A track whose content is known to be this one and no other. */
export interface Known {
  readonly key: string
  readonly track: Audible
  readonly isLevelled: boolean
  /** Gain to play it with; null until it is measured. */
  readonly gainDb: number | null
}

export type Readiness = 'pass' | 'encode' | 'measure'

export type CacheNews = { readonly is: 'measured'; readonly gainDb: number } | { readonly is: 'kept' }

/** Plays each track as if it had been made ready before: encoded, and as loud as the others. */
export type TrackCache = ReturnType<typeof createTrackCache>

interface TrackCacheOptions {
  readonly store: TrackStore
  readonly targetLufs: number
  readonly access: TrackAccess
  readonly counters: Counters
  readonly ffmpeg: Ffmpeg
  readonly onError: (error: unknown) => void
}

/** Tolerated error for passthrough, which needs no encoding and keeps the original. */
const TOLERATED_DB = 1
/**
 * Maximum delay between measuring a track and playing it at the right loudness. Most tracks are encoded by then, so the
 * player switches straight to the cached file and needs no second encoder.
 */
const PATIENCE_MS = 3000

export function createTrackCache(options: TrackCacheOptions) {
  const { store, targetLufs } = options
  const encodeQueue = createEncodeQueue<CacheNews>(options.onError)

  async function gainOf(key: string, isLevelled: boolean): Promise<number | null> {
    if (!isLevelled) return 0
    const loudness = await store.loudnessOf(key)
    return loudness && !needsTruePeak(targetLufs, loudness) ? gainTo(targetLufs, loudness) : null
  }

  return {
    /** Identifies the content of a track; null if the source has no identity or state for it. */
    async identify(track: Audible, state: string | null, isLevelled: boolean): Promise<Known | null> {
      if (track.identity === undefined || state === null) return null
      const key = keyOf(track.identity, state)
      return { key, track, isLevelled, gainDb: await gainOf(key, isLevelled) }
    },
    /** Null while it is not kept. */
    open: async ({ key, gainDb }: Known): Promise<TrackBytes | null> =>
      gainDb === null ? null : store.open(key, gainDb),
    /** It is damaged. */
    drop({ key, gainDb }: Known) {
      if (gainDb !== null) store.drop(key, gainDb).catch(options.onError)
    },
    /** The bytes of a remote track, fetched once for playback and for encoding. Owns them. */
    share: (known: Known, how: Readiness, bytes: TrackBytes): TrackBytes =>
      known.track.kind === 'file' || isReady(known, how) ? bytes : store.downloads.share(known.key, bytes),
    /**
     * Gets it ready in the background. `pass`: it can be played as it is, and is encoded only where its loudness asks for
     * it; `encode`: it is encoded anyway; `measure`: it will sound otherwise each time.
     */
    want(known: Known, how: Readiness, requester: Requester<CacheNews>) {
      if (isReady(known, how)) return
      const name = `${how} ${known.isLevelled} ${known.key}`
      encodeQueue.add(name, (signal, notify) => makeReady({ ...options, signal, notify }, known, how), requester)
    },
    close: async () => {
      await encodeQueue.close()
      await store.downloads.close()
    },
  }
}

/** Nothing is to be done for it, as far as is known. */
function isReady({ gainDb, isLevelled }: Known, how: Readiness): boolean {
  if (how === 'pass') return !isLevelled || (gainDb !== null && Math.abs(gainDb) < TOLERATED_DB)
  return how === 'measure' && gainDb !== null
}

interface Making extends TrackCacheOptions {
  readonly signal: AbortSignal
  readonly notify: (news: CacheNews) => void
}

async function makeReady(making: Making, known: Known, how: Readiness): Promise<void> {
  const { store, notify } = making
  const { key } = known
  const file = await fileOf(making, known)
  try {
    const gainDb = known.isLevelled ? gainTo(making.targetLufs, await measured(making, key, file.path)) : 0
    const tellGain = () => notify({ is: 'measured', gainDb })
    if (how === 'measure') return tellGain()
    if (how === 'pass' && Math.abs(gainDb) < TOLERATED_DB) return
    const gainTimer = known.gainDb === null ? setTimeout(tellGain, PATIENCE_MS) : undefined
    try {
      if (!(await store.has(key, gainDb))) await encodeToStore(making, { key, gainDb, path: file.path })
    } catch (error) {
      if (known.gainDb === null) tellGain()
      throw error
    } finally {
      clearTimeout(gainTimer)
    }
    if (await store.has(key, gainDb)) notify({ is: 'kept' })
  } finally {
    await file.free()
  }
}

async function measured({ store, targetLufs, counters, ffmpeg, signal }: Making, key: string, path: string) {
  let loudness = await store.loudnessOf(key)
  if (loudness && !needsTruePeak(targetLufs, loudness)) return loudness
  loudness ??= await ffmpeg.measureLoudness(path, 'sample', signal)
  if (needsTruePeak(targetLufs, loudness)) loudness = await ffmpeg.measureLoudness(path, 'true', signal)
  counters.measured++
  await store.putLoudness(key, loudness)
  return loudness
}

async function encodeToStore(
  { store, counters, ffmpeg, signal }: Making,
  { key, gainDb, path }: { key: string; gainDb: number; path: string },
): Promise<void> {
  const input = { from: 'file', path } as const
  const run = await ffmpeg.run({ input, startSeconds: 0, gainDb, layers: [], graph: '', isIdle: true })
  signal.addEventListener('abort', run.kill, { once: true })
  if (signal.aborted) run.kill()
  async function* encoded(): AsyncGenerator<Buffer> {
    yield* run.output as AsyncIterable<Buffer>
    const failure = await run.ended
    signal.throwIfAborted()
    if (failure) throw failure
  }
  try {
    await store.put(key, gainDb, encoded())
    counters.pressed++
  } finally {
    run.kill()
    signal.removeEventListener('abort', run.kill)
  }
}

/** A remote track is fetched once for all that is done with it. */
async function fileOf({ access, store, signal }: Making, { key, track }: Known): Promise<WholeFile> {
  if (track.kind === 'file') return { path: track.path, free: () => Promise.resolve() }
  const opened = () => openTrackBytes(access, track)
  const spooled = await store.downloads.whole(key, opened, signal)
  if (spooled) return spooled
  const bytes = await opened()
  const close = () => bytes.close()
  signal.addEventListener('abort', close, { once: true })
  try {
    return await store.writeTemporary(bytes.read(0))
  } finally {
    signal.removeEventListener('abort', close)
    bytes.close()
  }
}
