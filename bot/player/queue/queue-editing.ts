import { unprocessable, type Fault, type FaultReason } from '../../../lib/errors.ts'
import { queueOf, type QueueInfo } from '../player-info.ts'
import type { QueuedTrack } from '../player-parts.ts'
import { skip } from '../playback.ts'
import { assertNode, assertOpen, type PlayerState } from '../player-state.ts'
import { prepareNext } from './next-track.ts'
import { moveTrack, passOverTo, removeAt, type Queue } from './queue.ts'

/** Changes the queue; the current track keeps playing. */
export function editQueue(state: PlayerState, change: (before: Queue<QueuedTrack>) => Queue<QueuedTrack>): QueueInfo {
  assertOpen(state)
  state.setRotation(change(state.rotation))
  prepareNext(state)
  return queueOf(state)
}

/** @throws {Fault} `validation_error` for a position that there is not. */
export function removeFromQueue(rotation: Queue<QueuedTrack>, position: number): Queue<QueuedTrack> {
  const after = removeAt(rotation, position)
  if (!after) throw noPosition(rotation.queue.length)
  return after
}

/** @throws {Fault} `validation_error` for a position that there is not. */
export function moveInQueue(rotation: Queue<QueuedTrack>, from: number, to: number): Queue<QueuedTrack> {
  const { length } = rotation.queue
  const after = moveTrack(rotation, from, to)
  if (!after) throw noPosition(length, from > length ? 'no_such_position' : 'no_such_target')
  return after
}

/**
 * Leaves the current track for one that waits. What was set as the next track is passed over, too.
 * @throws {Fault} `validation_error` for a position that there is not.
 */
export async function skipTo(state: PlayerState, position: number): ReturnType<typeof skip> {
  assertOpen(state)
  assertNode(state)
  const after = passOverTo(state.rotation, position)
  if (!after) throw noPosition(state.rotation.queue.length)
  state.setNextTrack(null)
  state.setRotation(after)
  return skip(state)
}

function noPosition(length: number, reason: FaultReason = 'no_such_position'): Fault {
  const there = length === 0 ? 'The queue is empty.' : `The queue has the positions 1 to ${length}.`
  return unprocessable(reason, there)
}
