import { unprocessable, type Fault } from '../../../lib/errors.ts'
import type { QueueEdit, QueueInfo } from '../../music.ts'
import { prepareNext } from './next-track.ts'
import { assertOpen, queueOf, save, type PlayerCore, type QueuedTrack } from '../player-state.ts'
import { clear, moveTrack, removeAt, shuffle, type Queue } from './queue.ts'

/** Changes what waits; what plays goes on. @throws {Fault} `validation_error` for a position that there is not. */
export function editQueue(core: PlayerCore, edit: QueueEdit): QueueInfo {
  assertOpen(core)
  core.rotation = edited(core.rotation, edit)
  save(core)
  prepareNext(core)
  return queueOf(core)
}

function edited(rotation: Queue<QueuedTrack>, edit: QueueEdit): Queue<QueuedTrack> {
  const { length } = rotation.queue
  switch (edit.type) {
    case 'shuffle':
      return shuffle(rotation, Math.random)
    case 'clear':
      return clear(rotation)
    case 'remove': {
      const after = removeAt(rotation, edit.position)
      if (!after) throw noPosition('path.position', length)
      return after
    }
    case 'move': {
      const after = moveTrack(rotation, edit.from, edit.to)
      if (!after) throw noPosition(edit.from > length ? 'body.from' : 'body.to', length)
      return after
    }
  }
}

function noPosition(field: string, length: number): Fault {
  const there = length === 0 ? 'The queue is empty.' : `The queue has the positions 1 to ${length}.`
  return unprocessable(field, there, { reason: 'no_such_position' })
}
