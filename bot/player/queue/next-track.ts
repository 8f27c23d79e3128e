import { Fault } from '../../../lib/errors.ts'
import { endsWithTrack } from '../audio-settings/sleep.ts'
import { tempoOf } from '../audio-settings/filters.ts'
import type { EncodedTrack } from '../../tracks/track.ts'
import { channelOf, playOf } from '../phase.ts'
import { beginsBehindSegment } from '../position/skip-segments.ts'
import { toEncoded } from '../player-info.ts'
import type { QueuedTrack } from '../player-parts.ts'
import { assertOpen, type PlayerState } from '../player-state.ts'
import { overlapOf } from './crossfade.ts'
import { advance, advancePast, type EndReason, type Queue } from './queue.ts'

/** Time before its end, or the overlap there, at which the next track is opened. The audio node keeps up to 18 s ahead. */
const PREPARE_MS = 30_000
const OPEN_TIMEOUT_MS = 10_000
/** Each opening is a download and a decoder: what follows may change far more often, as where a queue is shuffled. */
const OPEN_EVERY_MS = 1000
const OPEN_AT_ONCE = 5
/** When the openings of a player so far are paid for. */
const paidAtMs = new WeakMap<PlayerState, number>()

/** @throws {Fault} `conflict` when nothing plays that it could follow. */
export function setNextTrack(state: PlayerState, track: QueuedTrack | null): { track: EncodedTrack | null } {
  assertOpen(state)
  if (track !== null && state.rotation.current === null) {
    const message = 'Nothing is playing. Use POST …/play to play this track now.'
    throw new Fault('conflict', message, { reason: 'nothing_playing' })
  }
  state.set({ nextTrack: track })
  state.save()
  prepareNext(state)
  return nextTrackOf(state)
}

/** Lets the first `count` of the queue go ahead of what was set as the next track, which follows them. */
export function passOverNextTrack(state: PlayerState, count: number): void {
  const { rotation, nextTrack } = state
  if (nextTrack === null) return
  state.set({ nextTrack: null })
  state.setRotation({ ...rotation, queue: rotation.queue.toSpliced(count, 0, nextTrack) })
}

export function nextTrackOf({ nextTrack }: PlayerState): { track: EncodedTrack | null } {
  return { track: nextTrack && toEncoded(nextTrack) }
}

/**
 * The rotation after the current track was left. The next track goes before the queue, and before any repetition; what
 * autoplay suggests comes where nothing else is left.
 */
export function rotationAfter(state: PlayerState, leaving: EndReason, passed = 0): Queue<QueuedTrack> {
  const { rotation, nextTrack } = state
  if (nextTrack === null) {
    const after = advancePast(rotation, leaving, passed)
    return after.current === null ? { ...after, current: suggestionOf(state) } : after
  }
  const repeats = rotation.loop === 'track' && leaving === 'ended'
  return advance({ ...rotation, queue: [nextTrack, ...rotation.queue] }, repeats ? 'skipped' : leaving)
}

/** Returns the track that autoplay plays next, if members still want it and listen. */
function suggestionOf({ suggestion, phase, parts }: PlayerState): QueuedTrack | null {
  const channelId = channelOf(phase)
  if (suggestion === null || channelId === null || !parts.autoplay.isOn) return null
  return parts.countListeners(channelId) > 0 ? suggestion : null
}

/** Lets the audio node open what follows while the current track is near its end. Looks again whenever it is called. */
export function prepareNext(state: PlayerState): void {
  const { node, ref, log, autoplay } = state.parts
  autoplay.onDue()
  const upcoming = isNearEnd(state) && !endsWithTrack(state) ? rotationAfter(state, 'ended').current : null
  if (upcoming === (state.prepared?.track ?? null)) return
  const prepared = state.setPrepared(upcoming)
  // A track that fails to open now is opened, or reported, when its turn has come.
  const failed = (err: unknown): void => log.debug({ err }, 'next track prefetch failed')
  if (prepared) open(state, prepared).catch(failed)
  else node.prepare(ref, null).catch(failed)
}

/** Prepares the next track again after a change of the way it is joined. */
export function prepareAgain(state: PlayerState): void {
  const { node, ref, log } = state.parts
  const { prepared } = state
  if (prepared) state.setPrepared(null)
  prepareNext(state)
  if (!prepared || state.prepared) return
  node.prepare(ref, null).catch((err: unknown) => log.debug({ err }, 'next track removal failed'))
}

async function open(state: PlayerState, prepared: NonNullable<PlayerState['prepared']>): Promise<void> {
  const { node, ref, fades } = state.parts
  const { playId, track } = prepared
  if (!(await comesTurn(state, prepared))) return
  if (await beginsBehindSegment(state, track)) return
  const playable = await state.parts.openTrack(track, AbortSignal.timeout(OPEN_TIMEOUT_MS))
  const { current } = state.rotation
  if (state.prepared !== prepared || state.isClosing || !current) return
  const album = playable.album ?? null
  state.setPreparedAlbum(album)
  const how = { crossfadeMs: fades.crossfadeMs, tempo: tempoOf(state.filters) }
  const overlapMs = overlapOf(
    { info: current.info, album: state.started?.album ?? null },
    { info: track.info, album },
    how,
  )
  await node.prepare(ref, { playId, playable, isSeamless: track === state.nextTrack, overlapMs })
}

/** Waits where too many openings came before. @returns whether it is still what follows */
async function comesTurn(state: PlayerState, prepared: PlayerState['prepared']): Promise<boolean> {
  const { node, ref, clock } = state.parts
  const restMs = clock.nowMs() - OPEN_AT_ONCE * OPEN_EVERY_MS
  const paidMs = Math.max(paidAtMs.get(state) ?? restMs, restMs) + OPEN_EVERY_MS
  const waitMs = paidMs - clock.nowMs()
  if (waitMs > 0) {
    await node.prepare(ref, null)
    await new Promise<void>((resolve) => void clock.after(waitMs, resolve))
    if (state.prepared !== prepared || state.isClosing) return false
  }
  paidAtMs.set(state, paidMs)
  return true
}

function isNearEnd(state: PlayerState): boolean {
  const { current } = state.rotation
  if (current === null || state.isAdrift || state.isClosing || state.started === null) return false
  if (playOf(state.phase) === null || current.info.isStream || !state.parts.node.isAlive) return false
  const { lengthMs } = current.info
  const aheadMs = (PREPARE_MS + state.parts.fades.crossfadeMs) * tempoOf(state.filters)
  return lengthMs === 0 || lengthMs - state.positionMs <= aheadMs
}
