import { knownCategories, type SegmentCategory } from '../../../lib/music/segment-categories.ts'
import { behindSegments, type Segment } from '../../tracks/segments.ts'
import { playOf } from '../phase.ts'
import type { QueuedTrack } from '../player-parts.ts'
import { emit, type PlayerState } from '../player-state.ts'
import { waitAtMost } from '../timers.ts'

/** A track does not wait longer to begin; what is found later is passed over from then on. */
const PATIENCE_MS = 1500

/** Resolves a track to a playable and a start position, which is after the segments skipped there. */
export async function openSound(
  state: PlayerState,
  track: QueuedTrack,
  { positionMs, isRenewed }: { readonly positionMs: number; readonly isRenewed?: boolean },
  signal: AbortSignal,
) {
  const opening = state.parts.openTrack(track, signal, isRenewed)
  const [playable, startMs] = await Promise.all([opening, findSoundStart(state, track, positionMs)])
  return { playable, positionMs: startMs }
}

async function findSoundStart(state: PlayerState, track: QueuedTrack, positionMs: number): Promise<number> {
  const { parts } = state
  if (parts.segments.categories.length === 0) return positionMs
  await waitAtMost(parts.clock, PATIENCE_MS, loadSegments(state, track))
  if (state.rotation.current !== track) return positionMs
  const start = behind(state, positionMs)
  state.marks.skippedAtStart = start.over
  return start.positionMs
}

/** On start of a track: emits the segments already skipped; the audio node skips the rest. */
export async function followSegments(state: PlayerState): Promise<void> {
  const { current } = state.rotation
  const over = state.marks.skippedAtStart
  state.marks.skippedAtStart = null
  if (over) emit(state, { type: 'segmentSkipped', segment: over })
  if (current) await loadSegments(state, current)
  if (state.marks.segments.length > 0) await sendSegments(state)
}

/** The audio node passed over a segment. */
export function emitSkipped(state: PlayerState, segment: Segment): void {
  const lengthMs = state.rotation.current?.info.lengthMs ?? 0
  emit(state, { type: 'segmentSkipped', segment: { ...segment, endMs: Math.min(segment.endMs, lengthMs || Infinity) } })
}

/** The members of the guild have changed what is passed over. */
export async function renewSegments(state: PlayerState): Promise<void> {
  const { current } = state.rotation
  if (current === null || state.isClosing) return
  await loadSegments(state, current)
  await sendSegments(state)
}

/** Sets the segment categories to skip in this guild. */
export async function setSponsorBlock(state: PlayerState, categories: readonly SegmentCategory[]): Promise<void> {
  await state.parts.segments.set(knownCategories(categories))
  await renewSegments(state)
}

/** The target of a seek; emits `segmentSkipped` if that is behind a segment. */
export function jumpBehindSegments(state: PlayerState, positionMs: number): number {
  const target = behind(state, positionMs)
  if (target.over) emit(state, { type: 'segmentSkipped', segment: target.over })
  return target.positionMs
}

/** Whether a track that is to follow begins behind a segment: then it is opened there, not joined at its beginning. */
export async function beginsBehindSegment({ parts }: PlayerState, track: QueuedTrack): Promise<boolean> {
  const segments = parts.segments.categories.length === 0 ? [] : await parts.segments.find(track.info)
  return behindSegments(segments, 0).over !== null
}

/** The track ends naturally. */
function behind({ marks, rotation }: PlayerState, positionMs: number) {
  const target = behindSegments(marks.segments, positionMs)
  return isToEnd(target.over, rotation.current) ? { positionMs, over: null } : target
}

async function loadSegments(state: PlayerState, track: QueuedTrack): Promise<void> {
  const found = await state.parts.segments.find(track.info)
  if (state.rotation.current === track && !state.isClosing) state.marks.segments = found
}

async function sendSegments(state: PlayerState): Promise<void> {
  const { node, ref, log } = state.parts
  const playId = playOf(state.phase)
  const { current } = state.rotation
  if (playId === null || state.isAdrift || !node.isAlive) return
  const open = state.marks.segments.map((one) => (isToEnd(one, current) ? { ...one, endMs: Infinity } : one))
  await node.setSegments(ref, playId, open).catch((err: unknown) => log.warn({ err }, 'segment lookup failed'))
}

function isToEnd(segment: Segment | null, track: QueuedTrack | null): boolean {
  const lengthMs = track?.info.lengthMs ?? 0
  return segment !== null && lengthMs > 0 && segment.endMs >= lengthMs
}
