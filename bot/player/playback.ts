import { setTimeout as sleep } from 'node:timers/promises'
import { declareEffect, withdrawEffect } from '../../lib/idempotency/effect.ts'
import { Fault } from '../../lib/errors.ts'
import { enqueue, type QueueRules } from './queue/queue-limits.ts'
import type { EndedTrack, QueuedTrack } from './player-parts.ts'
import { assertNode, assertOpen, emit, type PlayerState } from './player-state.ts'
import type { TrackException } from '../audio/node/protocol.ts'
import type { AlbumPlace } from '../sources/source.ts'
import type { TrackEndReason } from '../events.ts'
import type { When } from './inputs.ts'
import { rejectArtist, reportEnd, reportOpened, wasEmpty } from './queue/ended-track.ts'
import { passOverNextTrack, prepareNext, rotationAfter } from './queue/next-track.ts'
import { openPlay, type EarlyPlay, type OpenedPlay } from './opening.ts'
import { playOf } from './phase.ts'
import { loadChapters } from './position/follow-chapters.ts'
import { followSegments } from './position/skip-segments.ts'
import { isOutdated, canReopen } from './reopen-policy.ts'
import { stepBack, type EndReason, type Queue } from './queue/queue.ts'
import { toTrack, type Track } from '../tracks/track.ts'
import { nothingPlaying } from './audio-settings/patch-check.ts'
import { abortable } from '../../lib/deadline.ts'

/** Tracks in a row that may fail without a pause. */
const FAST_FAILURES = 5
const FAILURE_PAUSE_MS = 50

export interface Queued {
  readonly position: number
  readonly added: number
  /** Why none of the added tracks could be played at once; null when one plays or all wait. */
  readonly failure: unknown
}

/** The rules by which tracks are added, and their place. */
export interface Placing {
  readonly rules: QueueRules
  readonly when: When
  /** Length of the list that they are from; null for a single track. */
  readonly total: number | null
}

/** The audio node's report of the end of a play. */
interface TrackEnd {
  readonly playId: number
  readonly reason: 'finished' | 'loadFailed'
  readonly exception?: TrackException
  /** The prepared play that sounds already. */
  readonly followedBy?: number
}

/** The start of a track: from the beginning, or again at its position. */
interface Start {
  readonly positionMs: number
  readonly paused: boolean
  /** Whether `trackStarted` has been emitted. */
  readonly isAnnounced: boolean
  /** The address that it was opened by does not do any more. */
  readonly isRenewed?: boolean
  /** Whether to retry: the track was audible until now, so the error may be gone in a moment. */
  readonly mayRetry?: boolean
  /** The play that was opened while the player joined. */
  readonly early?: EarlyPlay | null
}

type Beginning = Start & { readonly album: AlbumPlace | null }

type Outcome = { readonly is: 'playing' | 'interrupted' } | { readonly is: 'failed'; readonly cause: unknown }

const FROM_START: Start = { positionMs: 0, paused: false, isAnnounced: false }

/** Puts tracks behind what plays, or plays them when nothing does. */
export async function addTracks(state: PlayerState, tracks: readonly QueuedTrack[], { rules, when, total }: Placing) {
  assertOpen(state)
  assertNode(state)
  const { rotation, position, added } = enqueue(state.rotation, tracks, rules, when)
  if (added === 0)
    throw new Fault('conflict', 'The queue is full. Skip or remove tracks first.', { reason: 'queue_full' })
  declareEffect(() => ({ ...startOf(state, tracks), position: when === 'now' ? 0 : position, added, total }))
  state.setRotation(rotation)
  const failureOf = async (start: Promise<unknown>) => {
    const failure = await start
    if (failure === null) state.set({ isUsed: true })
    if (failure === null || tracks.some((track) => track === state.rotation.current)) return null
    withdrawEffect()
    return failure
  }
  if (when === 'now' && position > 0) {
    passOverNextTrack(state, added)
    return { position: 0, added, failure: await failureOf(leaveForNext(state)) }
  }
  const failure = position === 0 ? await failureOf(startCurrent(state, FROM_START)) : null
  if (position > 0) {
    state.set({ isUsed: true })
    prepareNext(state)
  }
  return { position, added, failure }
}

function startOf({ parts }: PlayerState, [first]: readonly QueuedTrack[]) {
  return { botId: parts.ref.botId, track: first && toTrack(first.info) }
}

/** Leaves the current track. @returns what plays now, or null. */
export function skip(state: PlayerState): Promise<{ track: Track | null }> {
  return skipOver(state, 0)
}

/** Leaves the current track and the first `count` that wait. @returns as `skip`. */
export async function skipOver(state: PlayerState, count: number): Promise<{ track: Track | null }> {
  assertOpen(state)
  if (state.rotation.current === null) throw nothingPlaying('nothing to skip')
  assertNode(state)
  rejectArtist(state)
  await leaveForNext(state, count)
  return currentOf(state)
}

/** @returns as `startCurrent`. */
async function leaveForNext(state: PlayerState, passed = 0): Promise<unknown> {
  const after = rotationAfter(state, 'skipped', passed)
  // Stopped first, so that the old track is not heard while a slow source opens the next one.
  if (!state.isAdrift) await state.parts.node.stop(state.parts.ref)
  declareEffect(() => currentOf(state))
  leave(state, 'skipped', after.current ? 'replaced' : 'stopped', passed)
  return startCurrent(state, FROM_START)
}

/** Goes back to the previous track. @returns what plays now, or null. */
export async function previous(state: PlayerState): Promise<{ track: Track | null }> {
  assertOpen(state)
  const before = stepBack(state.rotation)
  if (!before) throw new Fault('conflict', 'There is no previous track.', { reason: 'nothing_before' })
  assertNode(state)
  if (state.rotation.current === null) {
    declareEffect(() => currentOf(state))
    state.setRotation(before)
  } else {
    if (!state.isAdrift) await state.parts.node.stop(state.parts.ref)
    declareEffect(() => currentOf(state))
    replace(state, before, 'replaced', 'closed')
  }
  await startCurrent(state, FROM_START)
  return currentOf(state)
}

function currentOf({ rotation: { current } }: PlayerState): { track: Track | null } {
  return { track: current && toTrack(current.info) }
}

/** The audio node says that a play is over. Late words about earlier plays change nothing. */
export async function trackEnded(state: PlayerState, end: TrackEnd): Promise<void> {
  const { playId, reason, exception, followedBy } = end
  if (state.isClosing || playOf(state.phase) !== playId || state.rotation.current === null) return
  if (reason === 'loadFailed' && canReopen(state, exception)) return reopenTrack(state)
  const { prepared } = state
  leave(state, reason === 'finished' && !wasEmpty(state) ? 'ended' : 'failed', reason)
  if (followedBy !== undefined) {
    if (prepared?.playId === followedBy && prepared.track === state.rotation.current) return adopt(state, prepared)
    // The next track was changed a moment too late.
    await state.parts.node.stop(state.parts.ref)
  }
  await startCurrent(state, FROM_START)
}

/** Reopens the current track where it broke off. Emits no event: listeners hear a gap at most. */
async function reopenTrack(state: PlayerState): Promise<void> {
  const positionMs = state.rotation.current?.info.isStream ? 0 : state.positionMs
  state.parts.log.info({ positionMs }, 'track reopened')
  const start = { positionMs, paused: state.sound.paused, isAnnounced: true, isRenewed: true, mayRetry: true }
  await startCurrent(state, start)
}

/**
 * Plays the current track again at its position, after its audio or its player was lost.
 * @param isContinued another service emitted its start.
 */
export async function resume(
  state: PlayerState,
  positionMs: number,
  { paused, isContinued = false, early = null }: Pick<Start, 'paused' | 'early'> & { readonly isContinued?: boolean },
): Promise<void> {
  await startCurrent(state, { positionMs, paused, early, isAnnounced: isContinued || state.started !== null })
}

/**
 * Plays the current track. One that cannot be played is dropped, and the next is tried, until one plays or none is left.
 * @returns the error of the last track that failed; null if none failed.
 */
export async function startCurrent(state: PlayerState, start: Start): Promise<unknown> {
  let how = start
  let { mayRetry = false } = start
  let failure: unknown = null
  let failures = 0
  while (state.rotation.current !== null && !state.isClosing) {
    const outcome = await load(state, state.rotation.current, how)
    if (outcome.is !== 'failed') return failure
    failure = outcome.cause
    // The node or the connection is to blame, not the track.
    if (!state.parts.node.isAlive || state.isClosing) break
    const isTriedAgain = mayRetry && !isOutdated(failure)
    mayRetry = false
    if (isTriedAgain) continue
    leave(state, 'failed', 'loadFailed')
    // A long list of dead addresses must not keep the service busy with nothing else.
    if (++failures >= FAST_FAILURES) await sleep(FAILURE_PAUSE_MS)
    how = FROM_START
  }
  return failure
}

async function load(state: PlayerState, track: QueuedTrack, start: Start): Promise<Outcome> {
  const { log } = state.parts
  const { positionMs, paused } = start
  const interrupted = new AbortController()
  const early = start.early?.take(track)
  interrupted.signal.addEventListener('abort', () => start.early?.abort(), { once: true })
  const playId = state.beginLoading(interrupted, positionMs, paused, early?.playId)
  state.set({ isUnannounced: !start.isAnnounced })
  if (state.isAdrift) {
    start.early?.abort()
    return { is: 'interrupted' }
  }
  const askedAtMs = state.parts.clock.nowMs()
  let opened: OpenedPlay
  try {
    const before = early && (await abortable(early.opened, interrupted.signal))
    opened = before ?? (await openPlay(state, track, { ...start, playId }, interrupted.signal))
  } catch (err) {
    if (interrupted.signal.aborted) return { is: 'interrupted' }
    log.warn({ err, uri: track.info.uri, sourceName: track.info.sourceName }, 'track failed to load')
    reportOpened(state, track, 'failed', askedAtMs)
    return { is: 'failed', cause: err }
  } finally {
    state.set({ loading: null })
  }
  begin(state, playId, { ...start, ...opened })
  reportOpened(state, track, 'playing', askedAtMs)
  return { is: 'playing' }
}

/** Makes the track that the audio node continued with the current one. */
function adopt(state: PlayerState, { playId, album }: NonNullable<PlayerState['prepared']>): void {
  const start = { ...FROM_START, paused: state.sound.paused, album }
  state.apply({ type: 'loading', playId, positionMs: 0, paused: start.paused })
  begin(state, playId, start)
  reportOpened(state, state.rotation.current!, 'playing', state.parts.clock.nowMs())
}

/** The first frame of the current track is there. */
function begin(state: PlayerState, playId: number, { positionMs, isAnnounced, album }: Beginning): void {
  const { log } = state.parts
  const { info } = state.rotation.current!
  state.beginPlay(playId, positionMs, album)
  if (!isAnnounced && !state.isClosing) emit(state, { type: 'trackStarted', track: toTrack(info) })
  log.info({ uri: info.uri, positionMs }, 'track started')
  prepareNext(state)
  void loadChapters(state)
  void followSegments(state)
}

/** Emits the end of the current track and advances the rotation. */
function leave(state: PlayerState, leaving: EndReason, reason: TrackEndReason, passed = 0): void {
  const after = rotationAfter(state, leaving, passed)
  state.set({ nextTrack: null })
  replace(state, after, reason, leaving === 'ended' ? 'finished' : leaving)
}

/** Emits the end of the current track and sets the rotation to `after`. */
function replace(state: PlayerState, after: Queue<QueuedTrack>, reason: TrackEndReason, ended: EndedTrack['ended']) {
  const positionMs = state.positionMs
  reportEnd(state, ended)
  state.leaveTrack(after)
  // Otherwise the next track would be reported at the position of this one.
  state.apply({ type: 'left' })
  state.parts.log.info({ reason, positionMs }, 'track ended')
  emit(state, { type: 'trackEnded', reason })
  if (state.rotation.current !== null) return
  state.apply({ type: 'emptied' })
  emit(state, { type: 'queueEmptied' })
  state.parts.autoplay.onDue()
}
