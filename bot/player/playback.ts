import { Fault, unprocessable } from '../../lib/errors.ts'
import { spelledOut } from './audio-settings/filters.ts'
import { enqueue } from './queue/queue-policy.ts'
import {
  assertNode,
  assertOpen,
  audible,
  applyEvent,
  emit,
  positionOf,
  save,
  soundOf,
  type PlayerCore,
  type QueuedTrack,
} from './player-state.ts'
import type { TrackEndReason } from '../events.ts'
import type { PlayerPatch, QueueRules } from '../music.ts'
import { prepareNext, rotationAfter } from './queue/next-track.ts'
import { openTrack } from './track-opening.ts'
import { playOf } from './phase.ts'
import { isOutdated, mayGoOn } from './reopen-policy.ts'
import { setLoop, stepBack, type EndReason, type Queue } from './queue/queue.ts'
import { toTrack, type Track } from '../tracks/track.ts'
import { applySound } from './audio-settings/volume-control.ts'
import { abortable } from '../../lib/abortable.ts'
import { setLevel } from './audio-settings/volume.ts'

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

/** What the audio node says of the end of a play. */
export interface TrackEnd {
  readonly playId: number
  readonly reason: 'finished' | 'loadFailed'
  /** The prepared play that sounds already. */
  readonly followedBy?: number
}

/** How a track is put on: from the start, or again where it was. */
interface Start {
  readonly positionMs: number
  readonly paused: boolean
  /** Whether `trackStarted` has been told before. */
  readonly isAnnounced: boolean
  /** The address that it was opened by does not do any more. */
  readonly isRenewed?: boolean
  /** It was heard until now: what keeps it from opening may be gone in a moment. */
  readonly mayRetry?: boolean
}

type Outcome = { readonly is: 'playing' | 'interrupted' } | { readonly is: 'failed'; readonly cause: unknown }

const FROM_START: Start = { positionMs: 0, paused: false, isAnnounced: false }

/** Puts tracks behind what plays, or plays them when nothing does. */
export async function addTracks(core: PlayerCore, tracks: readonly QueuedTrack[], rules: QueueRules): Promise<Queued> {
  assertOpen(core)
  assertNode(core)
  const { rotation, position, added } = enqueue(core.rotation, tracks, rules)
  if (added === 0)
    throw new Fault('conflict', 'The queue is full. Skip or remove tracks first.', { reason: 'queue_full' })
  core.rotation = rotation
  save(core)
  const failure = position === 0 ? await startCurrent(core, FROM_START) : null
  if (position > 0) prepareNext(core)
  return { position, added, failure }
}

/** Leaves the current track. @returns what plays now, or null. */
export async function skip(core: PlayerCore): Promise<Track | null> {
  assertOpen(core)
  if (core.rotation.current === null) throw nothingPlaying('nothing to skip')
  assertNode(core)
  const after = rotationAfter(core, 'skipped')
  // Stopped first, so that the old track is not heard while a slow source opens the next one.
  if (!core.isAdrift) await core.parts.node.stop(core.parts.ref)
  leave(core, 'skipped', after.current ? 'replaced' : 'stopped')
  await startCurrent(core, FROM_START)
  return core.rotation.current && toTrack(core.rotation.current.info)
}

/** Goes back to the track before. @returns what plays now, or null. */
export async function previous(core: PlayerCore): Promise<Track | null> {
  assertOpen(core)
  const before = stepBack(core.rotation)
  if (!before) throw new Fault('conflict', 'No track was played before this one.', { reason: 'nothing_before' })
  assertNode(core)
  if (core.rotation.current === null) {
    core.rotation = before
  } else {
    if (!core.isAdrift) await core.parts.node.stop(core.parts.ref)
    replace(core, before, 'replaced')
  }
  await startCurrent(core, FROM_START)
  return core.rotation.current && toTrack(core.rotation.current.info)
}

/** The audio node says that a play is over. Late words about earlier plays change nothing. */
export async function trackEnded(core: PlayerCore, { playId, reason, followedBy }: TrackEnd): Promise<void> {
  if (core.isClosing || playOf(core.phase) !== playId || core.rotation.current === null) return
  if (reason === 'loadFailed' && mayGoOn(core)) return goOn(core)
  const { prepared } = core
  leave(core, reason === 'finished' && !wasEmpty(core) ? 'ended' : 'failed', reason)
  if (followedBy !== undefined) {
    if (prepared?.playId === followedBy && prepared.track === core.rotation.current) return adopt(core, prepared)
    // It was decided otherwise a moment too late.
    await core.parts.node.stop(core.parts.ref)
  }
  await startCurrent(core, FROM_START)
}

/** Opens the current track anew where it broke off; nobody is told, since nobody need hear more than a gap. */
async function goOn(core: PlayerCore): Promise<void> {
  const positionMs = core.rotation.current?.info.isStream ? 0 : positionOf(core)
  core.parts.log.info({ positionMs }, 'track opened anew')
  const start = { positionMs, paused: soundOf(core).paused, isAnnounced: true, isRenewed: true, mayRetry: true }
  await startCurrent(core, start)
}

/** Puts the current track on again where it was, after its sound or its player was lost. */
export async function resume(core: PlayerCore, positionMs: number, paused: boolean): Promise<void> {
  await startCurrent(core, { positionMs, paused, isAnnounced: core.started !== null })
}

/** @throws {Fault} `conflict` for what needs a track when none plays. Nothing is changed then. */
export async function patch(core: PlayerCore, wish: PlayerPatch): Promise<void> {
  assertOpen(core)
  assertPossible(core, wish)
  const { paused, volume, loop, positionMs, filters } = wish
  if (paused !== undefined || volume !== undefined || filters !== undefined) {
    const level = setLevel(core.volume, volume ?? core.volume.level)
    const sound = { volume: level, paused: paused ?? soundOf(core).paused }
    const wanted = { ...sound, filters: filters ? spelledOut(filters) : core.filters }
    await renewing(core, positionOf(core), () => applySound(core, wanted))
  }
  if (positionMs !== undefined) await seek(core, positionMs)
  if (loop !== undefined) core.rotation = setLoop(core.rotation, loop)
  save(core)
}

async function seek(core: PlayerCore, positionMs: number): Promise<void> {
  assertNode(core)
  const playId = playOf(core.phase)
  if (playId === null) return
  if (core.isAdrift) return applyEvent(core, { type: 'loading', playId, positionMs, paused: soundOf(core).paused })
  await renewing(core, positionMs, () => core.parts.node.seek(core.parts.ref, positionMs))
  applyEvent(core, { type: 'measured', playId: playOf(core.phase) ?? playId, positionMs })
}

/** What opens the current track a second time, which needs a new address when the first one has expired. */
async function renewing(core: PlayerCore, positionMs: number, work: () => Promise<void>): Promise<void> {
  try {
    return await work()
  } catch (error) {
    if (!isOutdated(error) || core.rotation.current === null) throw error
  }
  const start = { positionMs, paused: soundOf(core).paused, isAnnounced: true, isRenewed: true }
  const { current } = core.rotation
  await startCurrent(core, start)
  // Otherwise it is gone for good, and what follows plays as it is.
  if (core.rotation.current === current) await work()
}

function assertPossible(core: PlayerCore, { paused, positionMs }: PlayerPatch): void {
  const { current } = core.rotation
  if (current === null) {
    if (paused) throw nothingPlaying('nothing to pause')
    if (positionMs !== undefined) throw nothingPlaying('no position to set')
    return
  }
  if (positionMs === undefined) return
  const { isStream, lengthMs } = current.info
  if (isStream) {
    throw new Fault('conflict', 'The current track is a live stream, which has no positions.', {
      reason: 'no_positions',
    })
  }
  if (lengthMs > 0 && positionMs > lengthMs) {
    const message = `The current track is ${lengthMs} ms long; a position must lie within it.`
    throw unprocessable('body.positionMs', message, { reason: 'no_such_position' })
  }
}

function nothingPlaying(what: string): Fault {
  return new Fault('conflict', `Nothing is playing, so there is ${what}.`, { reason: 'nothing_playing' })
}

/**
 * Plays the current track. One that cannot be played is dropped, and the next is tried, until one plays or none is left.
 * @returns why nothing plays; null when something does, or when somebody else has taken over.
 */
async function startCurrent(core: PlayerCore, start: Start): Promise<unknown> {
  let how = start
  let { mayRetry = false } = start
  let failure: unknown = null
  while (core.rotation.current !== null && !core.isClosing) {
    const outcome = await load(core, core.rotation.current, how)
    if (outcome.is !== 'failed') return null
    failure = outcome.cause
    // The node or the connection is to blame, not the track.
    if (!core.parts.node.isAlive || core.isClosing) break
    const isTriedAgain = mayRetry && !isOutdated(failure)
    mayRetry = false
    if (isTriedAgain) continue
    leave(core, 'failed', 'loadFailed')
    how = FROM_START
  }
  return failure
}

async function load(core: PlayerCore, track: QueuedTrack, start: Start): Promise<Outcome> {
  const { node, ref, log } = core.parts
  const { positionMs, paused } = start
  core.lastPlayId += 1
  core.layers = []
  core.prepared = null
  const playId = core.lastPlayId
  applyEvent(core, { type: 'loading', playId, positionMs, paused })
  if (core.isAdrift) return { is: 'interrupted' }
  const interrupted = new AbortController()
  core.loading = interrupted
  const askedAtMs = core.parts.clock.nowMs()
  try {
    const signal = AbortSignal.any([interrupted.signal, AbortSignal.timeout(OPEN_TIMEOUT_MS)])
    const playable = await abortable(openTrack(core, track, signal, start.isRenewed), signal)
    const play = node.play({ ...ref, ...audible(core, soundOf(core)), playId, playable, positionMs })
    await abortable(play, interrupted.signal)
  } catch (err) {
    if (interrupted.signal.aborted) return { is: 'interrupted' }
    log.warn({ err, uri: track.info.uri, sourceName: track.info.sourceName }, 'track failed to load')
    tell(core, track, 'failed', askedAtMs)
    return { is: 'failed', cause: err }
  } finally {
    core.loading = null
  }
  begin(core, playId, start)
  tell(core, track, 'playing', askedAtMs)
  return { is: 'playing' }
}

function tell({ parts }: PlayerCore, { info }: QueuedTrack, outcome: 'playing' | 'failed', askedAtMs: number): void {
  const { observer, ref, projectId, clock } = parts
  const durationMs = clock.nowMs() - askedAtMs
  observer.opened({ ...ref, projectId, source: info.sourceName, outcome, durationMs })
}

/** What the audio node went on with by itself is the current track. */
function adopt(core: PlayerCore, { playId }: NonNullable<PlayerCore['prepared']>): void {
  const start = { ...FROM_START, paused: soundOf(core).paused }
  applyEvent(core, { type: 'loading', playId, positionMs: 0, paused: start.paused })
  begin(core, playId, start)
  tell(core, core.rotation.current!, 'playing', core.parts.clock.nowMs())
}

/** The first frame of the current track is there. */
function begin(core: PlayerCore, playId: number, { positionMs, isAnnounced }: Start): void {
  const { clock, log } = core.parts
  const { info } = core.rotation.current!
  core.started = { atMs: clock.nowMs(), positionMs }
  applyEvent(core, { type: 'started', playId })
  if (!isAnnounced) emit(core, { type: 'trackStarted', track: toTrack(info) })
  log.info({ uri: info.uri, positionMs }, 'track started')
  prepareNext(core)
}

/** Tells that the current track is over and moves the rotation on. */
function leave(core: PlayerCore, leaving: EndReason, reason: TrackEndReason): void {
  const after = rotationAfter(core, leaving)
  core.nextTrack = null
  replace(core, after, reason)
}

/** Tells that the current track is over; the rotation is `after` from now on. */
function replace(core: PlayerCore, after: Queue<QueuedTrack>, reason: TrackEndReason): void {
  const positionMs = positionOf(core)
  core.rotation = after
  core.started = null
  core.layers = []
  core.prepared = null
  core.streamTitle = null
  core.parts.log.info({ reason, positionMs }, 'track ended')
  emit(core, { type: 'trackEnded', reason })
  if (core.rotation.current !== null) return
  applyEvent(core, { type: 'emptied' })
  emit(core, { type: 'queueEmptied' })
}

function wasEmpty({ started, parts }: PlayerCore): boolean {
  return started !== null && started.positionMs === 0 && parts.clock.nowMs() - started.atMs < SHORTEST_PLAY_MS
}
