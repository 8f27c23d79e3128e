import type { Egress } from '../../../upstream/egress.ts'
import type { Bytes } from '../bytes.ts'
import { measureLoudness, runFfmpeg } from '../ffmpeg.ts'
import { openTrackBytes } from '../open-bytes.ts'
import type { Audible } from '../protocol.ts'
import type { Tallies } from '../tallies.ts'
import { createErrands } from './errands.ts'
import { gainTo, type Loudness } from './loudness.ts'
import { keyOf, type TrackStore } from './store.ts'

/** A track whose content is known to be this one and no other. */
export interface Known {
  readonly key: string
  readonly track: Audible
  readonly isLevelled: boolean
  /** How much louder it should be played; null where nobody has measured it. */
  readonly gainDb: number | null
}

export type Readiness = 'pass' | 'encode' | 'measure'

export type CacheNews = { readonly is: 'measured'; readonly gainDb: number } | { readonly is: 'kept' }

/** Plays each track as if it had been made ready before: encoded, and as loud as the others. */
export interface TrackCache {
  /** Null where nothing tells whether two tracks are the same. */
  know(track: Audible, state: string | null, isLevelled: boolean): Promise<Known | null>
  /** Null while it is not kept. */
  open(known: Known): Promise<Bytes | null>
  /** It is damaged. */
  drop(known: Known): void
  /**
   * Gets it ready in the background. `pass`: it can be played as it is, and is encoded only where its loudness asks for
   * it; `encode`: it is encoded anyway; `measure`: it will sound otherwise each time.
   */
  want(known: Known, how: Readiness, hear: (news: CacheNews) => void): void
  close(): Promise<void>
}

export interface TrackCacheOptions {
  readonly store: TrackStore
  readonly targetLufs: number
  readonly egress: Egress
  readonly tallies: Tallies
  readonly onError: (error: unknown) => void
}

/** What passes through as it is may be this much off: it takes no encoding, and is the original. */
const TOLERATED_DB = 1

export function createTrackCache(options: TrackCacheOptions): TrackCache {
  const { store, targetLufs } = options
  const errands = createErrands<CacheNews>(options.onError)

  async function gainOf(key: string, isLevelled: boolean): Promise<number | null> {
    if (!isLevelled) return 0
    const loudness = await store.loudnessOf(key)
    return loudness && gainTo(targetLufs, loudness)
  }

  return {
    async know(track, state, isLevelled) {
      if (track.identity === undefined || state === null) return null
      const key = keyOf(track.identity, state)
      return { key, track, isLevelled, gainDb: await gainOf(key, isLevelled) }
    },
    open: async ({ key, gainDb }) => (gainDb === null ? null : store.open(key, gainDb)),
    drop({ key, gainDb }) {
      if (gainDb !== null) store.drop(key, gainDb).catch(options.onError)
    },
    want(known, how, hear) {
      const name = `${how} ${known.isLevelled} ${known.key}`
      errands.add(name, (signal, tell) => makeReady({ ...options, signal, tell }, known, how), hear)
    },
    close: () => errands.close(),
  }
}

interface Making extends TrackCacheOptions {
  readonly signal: AbortSignal
  readonly tell: (news: CacheNews) => void
}

async function makeReady(making: Making, known: Known, how: Readiness): Promise<void> {
  const { store, tell } = making
  const { key } = known
  const file = await fileOf(making, known.track)
  try {
    const gainDb = known.isLevelled ? gainTo(making.targetLufs, await measured(making, key, file.path)) : 0
    if (how === 'measure' || (how === 'pass' && Math.abs(gainDb) < TOLERATED_DB)) return
    if (!(await store.has(key, gainDb))) await press(making, { key, gainDb, path: file.path })
    if (await store.has(key, gainDb)) tell({ is: 'kept' })
  } finally {
    await file.free()
  }
}

async function measured(making: Making, key: string, path: string): Promise<Loudness> {
  const { store, targetLufs, tallies, signal, tell } = making
  const there = await store.loudnessOf(key)
  if (there) return there
  const loudness = await measureLoudness(path, signal)
  tallies.measured++
  await store.putLoudness(key, loudness)
  tell({ is: 'measured', gainDb: gainTo(targetLufs, loudness) })
  return loudness
}

async function press(
  { store, tallies, signal }: Making,
  { key, gainDb, path }: { key: string; gainDb: number; path: string },
): Promise<void> {
  const input = { from: 'file', path } as const
  const run = runFfmpeg({ input, startSeconds: 0, gainDb, layers: [], graph: '', isIdle: true })
  signal.addEventListener('abort', run.kill, { once: true })
  async function* encoded(): AsyncGenerator<Buffer> {
    yield* run.output as AsyncIterable<Buffer>
    const failure = await run.ended
    signal.throwIfAborted()
    if (failure) throw failure
  }
  try {
    await store.put(key, gainDb, encoded())
    tallies.pressed++
  } finally {
    run.kill()
    signal.removeEventListener('abort', run.kill)
  }
}

/** A remote track is fetched once for all that is done with it. */
async function fileOf({ egress, store, signal }: Making, track: Audible) {
  if (track.kind === 'file') return { path: track.path, free: () => Promise.resolve() }
  const bytes = await openTrackBytes(egress, track)
  const close = () => bytes.close()
  signal.addEventListener('abort', close, { once: true })
  try {
    return await store.borrow(bytes.read(0))
  } finally {
    signal.removeEventListener('abort', close)
    bytes.close()
  }
}
