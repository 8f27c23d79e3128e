import { declareEffect } from '../../../lib/idempotency/effect.ts'
import { Fault, unprocessable, type FaultReason } from '../../../lib/errors.ts'
import { queueOf, type QueueInfo } from '../player-info.ts'
import type { QueuedTrack } from '../player-parts.ts'
import { skipOver } from '../playback.ts'
import { toTrack } from '../../tracks/track.ts'
import { assertNode, assertOpen, type PlayerState } from '../player-state.ts'
import { prepareNext } from './next-track.ts'
import { moveTracks, removeTracks, type Queue } from './queue.ts'

type Tracks = readonly QueuedTrack[]

/** The queue before the last change, keyed by the queue after it. */
const before = new WeakMap<Tracks, Tracks>()

/** Changes the queue; the current track keeps playing. */
export function editQueue(state: PlayerState, change: (before: Queue<QueuedTrack>) => Queue<QueuedTrack>): QueueInfo {
  assertOpen(state)
  const { queue } = state.rotation
  const after = change(state.rotation)
  declareEffect()
  state.setRotation(after)
  if (state.rotation.queue !== queue) {
    // One step alone, or every queue that ever was would be kept.
    before.delete(queue)
    before.set(state.rotation.queue, queue)
  }
  prepareNext(state)
  return queueOf(state)
}

/**
 * Takes the last change of the queue back.
 * @throws {Fault} `conflict` when anything else has changed it since.
 */
export function undoQueueEdit(state: PlayerState): QueueInfo {
  assertOpen(state)
  const { queue } = state.rotation
  const earlier = before.get(queue)
  if (!earlier)
    throw new Fault('conflict', "The queue has changed, so undo isn't possible.", { reason: 'nothing_to_undo' })
  before.delete(queue)
  declareEffect()
  state.setRotation({ ...state.rotation, queue: earlier })
  prepareNext(state)
  return queueOf(state)
}

/** @throws {Fault} `validation_error` for a position that there is not. */
export function removeFromQueue(rotation: Queue<QueuedTrack>, positions: readonly number[]): Queue<QueuedTrack> {
  const after = removeTracks(rotation, positions)
  if (!after) throw noPosition(rotation.queue.length)
  return after
}

/** @throws {Fault} `validation_error` for a position that there is not. */
export function moveInQueue(rotation: Queue<QueuedTrack>, positions: readonly number[], to: number) {
  const { length } = rotation.queue
  const after = moveTracks(rotation, positions, to)
  if (!after) throw noPosition(length, positions.some((one) => one > length) ? 'no_such_position' : 'no_such_target')
  return after
}

/**
 * Leaves the current track for one that waits. What was set as the next track is passed over, too.
 * @throws {Fault} `validation_error` for a position that there is not.
 */
export async function skipTo(state: PlayerState, position: number): ReturnType<typeof skipOver> {
  assertOpen(state)
  assertNode(state)
  const { queue } = state.rotation
  const target = queue[position - 1]
  if (!target) throw noPosition(queue.length)
  state.set({ nextTrack: null })
  declareEffect(() => ({ track: toTrack(target.info) }))
  return skipOver(state, position - 1)
}

function noPosition(length: number, reason: FaultReason = 'no_such_position'): Fault {
  const there = length === 0 ? 'The queue is empty.' : `Must be from 1 to ${length}, a position in the queue.`
  return unprocessable(reason, there)
}
