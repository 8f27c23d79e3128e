import { Fault, unprocessable } from '../errors.ts'
import { assertNode, assertOpen, change, emit, positionOf, save, soundOf, type Deck, type QueuedTrack } from './deck.ts'
import type { TrackEndReason } from './events.ts'
import type { PlayerPatch } from './music.ts'
import { playOf } from './phase.ts'
import { add, advance, setLoop, type Leaving } from './rotation.ts'
import { toTrack, type Track } from './track.ts'
import { setLevel, setMuted, unmute, type Volume } from './volume.ts'

/** A source may take this long to say how a track is opened. */
const OPEN_TIMEOUT_MS = 10_000

/** A track that ends sooner than this after its beginning holds nothing; under a loop it would spin. */
const SHORTEST_PLAY_MS = 100

export interface Queued {
  readonly position: number
  readonly added: number
  /** Why none of the added tracks could be played at once; null when one plays or all wait. */
  readonly failure: unknown
}

/** How a track is put on: from the start, or again where it was. */
interface Start {
  readonly positionMs: number
  readonly paused: boolean
  /** Whether `trackStarted` has been told before. */
  readonly isAnnounced: boolean
}

type Outcome = { readonly is: 'playing' | 'interrupted' } | { readonly is: 'failed'; readonly cause: unknown }

const FROM_START: Start = { positionMs: 0, paused: false, isAnnounced: false }

/** Puts tracks behind what plays, or plays them when nothing does. */
export async function addTracks(deck: Deck, tracks: readonly QueuedTrack[]): Promise<Queued> {
  assertOpen(deck)
  assertNode(deck)
  const { rotation, position, added } = add(deck.rotation, tracks)
  if (added === 0) throw new Fault('conflict', 'The queue is full. Skip or remove tracks first.')
  deck.rotation = rotation
  save(deck)
  const failure = position === 0 ? await startCurrent(deck, FROM_START) : null
  return { position, added, failure }
}

/** Leaves the current track. @returns what plays now, or null. */
export async function skip(deck: Deck): Promise<Track | null> {
  assertOpen(deck)
  if (deck.rotation.current === null) throw new Fault('conflict', 'Nothing is playing, so there is nothing to skip.')
  assertNode(deck)
  const after = advance(deck.rotation, 'skipped')
  // Stopped first, so that the old track is not heard while a slow source opens the next one.
  if (!deck.isAdrift) await deck.parts.node.stop(deck.parts.ref)
  leave(deck, 'skipped', after.current ? 'replaced' : 'stopped')
  await startCurrent(deck, FROM_START)
  return deck.rotation.current && toTrack(deck.rotation.current.info)
}

/** The audio node says that a play is over. Late words about earlier plays change nothing. */
export async function trackEnded(deck: Deck, playId: number, reason: 'finished' | 'loadFailed'): Promise<void> {
  if (deck.isClosing || playOf(deck.phase) !== playId || deck.rotation.current === null) return
  leave(deck, reason === 'finished' && !wasEmpty(deck) ? 'ended' : 'failed', reason)
  await startCurrent(deck, FROM_START)
}

/** Puts the current track on again where it was, after its sound or its player was lost. */
export async function resume(deck: Deck, positionMs: number, paused: boolean): Promise<void> {
  await startCurrent(deck, { positionMs, paused, isAnnounced: deck.started !== null })
}

/** @throws {Fault} `conflict` for what needs a track when none plays. Nothing is changed then. */
export async function patch(deck: Deck, wish: PlayerPatch): Promise<void> {
  assertOpen(deck)
  assertPossible(deck, wish)
  const { paused, volume, loop, positionMs } = wish
  if (paused !== undefined || volume !== undefined) {
    const level = setLevel(deck.volume, volume ?? deck.volume.level)
    await applySound(deck, level, paused ?? soundOf(deck).paused)
  }
  if (positionMs !== undefined) await seek(deck, positionMs)
  if (loop !== undefined) deck.rotation = setLoop(deck.rotation, loop)
  save(deck)
}

export async function mute(deck: Deck, muted: boolean): Promise<boolean> {
  assertOpen(deck)
  await applySound(deck, setMuted(deck.volume, muted), soundOf(deck).paused)
  return deck.volume.muted
}

export async function endMute(deck: Deck): Promise<boolean> {
  assertOpen(deck)
  await applySound(deck, unmute(deck.volume), soundOf(deck).paused)
  return deck.volume.muted
}

async function seek(deck: Deck, positionMs: number): Promise<void> {
  assertNode(deck)
  const playId = playOf(deck.phase)
  if (playId === null) return
  if (deck.isAdrift) return change(deck, { type: 'loading', playId, positionMs, paused: soundOf(deck).paused })
  await deck.parts.node.seek(deck.parts.ref, positionMs)
  change(deck, { type: 'measured', playId, positionMs })
}

async function applySound(deck: Deck, volume: Volume, paused: boolean): Promise<void> {
  const before = soundOf(deck)
  const sound = { volume: volume.level, muted: volume.muted, paused }
  const isNew = sound.volume !== before.volume || sound.muted !== before.muted || paused !== before.paused
  // With nothing on, the next `play` carries the sound.
  if (isNew && playOf(deck.phase) !== null && !deck.isAdrift) {
    assertNode(deck)
    await deck.parts.node.setSound(deck.parts.ref, sound)
  }
  deck.volume = volume
  if (paused !== before.paused) change(deck, { type: paused ? 'paused' : 'resumed' })
  save(deck)
}

function assertPossible(deck: Deck, { paused, positionMs }: PlayerPatch): void {
  const { current } = deck.rotation
  if (current === null) {
    if (paused) throw new Fault('conflict', 'Nothing is playing, so there is nothing to pause.')
    if (positionMs !== undefined) throw new Fault('conflict', 'Nothing is playing, so there is no position to set.')
    return
  }
  if (positionMs === undefined) return
  const { isStream, lengthMs } = current.info
  if (isStream) throw new Fault('conflict', 'The current track is a live stream, which has no positions.')
  if (lengthMs > 0 && positionMs > lengthMs) {
    throw unprocessable('body.positionMs', `The current track is ${lengthMs} ms long; a position must lie within it.`)
  }
}

/**
 * Plays the current track. One that cannot be played is dropped, and the next is tried, until one plays or none is left.
 * @returns why nothing plays; null when something does, or when somebody else has taken over.
 */
async function startCurrent(deck: Deck, start: Start): Promise<unknown> {
  let how = start
  let failure: unknown = null
  while (deck.rotation.current !== null) {
    const outcome = await load(deck, deck.rotation.current, how)
    if (outcome.is !== 'failed') return null
    failure = outcome.cause
    // The node or the connection is to blame, not the track.
    if (!deck.parts.node.isAlive || deck.isClosing) return failure
    leave(deck, 'failed', 'loadFailed')
    how = FROM_START
  }
  return failure
}

async function load(deck: Deck, track: QueuedTrack, start: Start): Promise<Outcome> {
  const { node, ref, sources, clock, log } = deck.parts
  const { positionMs, paused } = start
  deck.lastPlayId += 1
  const playId = deck.lastPlayId
  change(deck, { type: 'loading', playId, positionMs, paused })
  if (deck.isAdrift) return { is: 'interrupted' }
  const interrupted = new AbortController()
  deck.loading = interrupted
  try {
    const signal = AbortSignal.any([interrupted.signal, AbortSignal.timeout(OPEN_TIMEOUT_MS)])
    const playable = await unlessAborted(sources.open(track.info, signal), signal)
    const play = node.play({ ...ref, ...soundOf(deck), playId, playable, positionMs })
    await unlessAborted(play, interrupted.signal)
  } catch (err) {
    if (interrupted.signal.aborted) return { is: 'interrupted' }
    log.warn({ err, uri: track.info.uri, sourceName: track.info.sourceName }, 'track failed to load')
    return { is: 'failed', cause: err }
  } finally {
    deck.loading = null
  }
  deck.started = { atMs: clock.nowMs(), positionMs }
  change(deck, { type: 'started', playId })
  if (!start.isAnnounced) emit(deck, { type: 'trackStarted', track: toTrack(track.info) })
  log.info({ uri: track.info.uri, positionMs }, 'track started')
  return { is: 'playing' }
}

/** Tells that the current track is over and moves the rotation on. */
function leave(deck: Deck, leaving: Leaving, reason: TrackEndReason): void {
  const positionMs = positionOf(deck)
  deck.rotation = advance(deck.rotation, leaving)
  deck.started = null
  deck.parts.log.info({ reason, positionMs }, 'track ended')
  emit(deck, { type: 'trackEnded', reason })
  if (deck.rotation.current !== null) return
  change(deck, { type: 'emptied' })
  emit(deck, { type: 'queueEmptied' })
}

function wasEmpty({ started, parts }: Deck): boolean {
  return started !== null && started.positionMs === 0 && parts.clock.nowMs() - started.atMs < SHORTEST_PLAY_MS
}

/** What the task answers, or the signal's reason as soon as it aborts; the task's own end is then nobody's business. */
async function unlessAborted<T>(task: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    task.catch(() => undefined)
    throw signal.reason
  }
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([task, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
