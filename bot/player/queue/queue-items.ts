import { randomInt } from 'node:crypto'
import type { QueuedTrack } from '../player-parts.ts'
import type { PlayerState } from '../player-state.ts'

/** The queue, with a number for each track that stays the same wherever the track moves. */
export interface QueueItems {
  /** Another one whenever the queue has changed. */
  readonly version: number
  /** Same length and order as `tracks`. */
  readonly ids: readonly number[]
  readonly tracks: readonly QueuedTrack[]
  readonly current: QueuedTrack | null
  /** Plays ahead of the queue. */
  readonly nextTrack: QueuedTrack | null
}

const ids = new WeakMap<object, number>()
// A page that was open across a restart must not name a track of today by a number of yesterday.
let lastId = randomInt(2 ** 31)

/** The same number for the same object for as long as the process runs. */
function idOf(object: object): number {
  const known = ids.get(object)
  if (known !== undefined) return known
  lastId += 1
  ids.set(object, lastId)
  return lastId
}

export function queueItemsOf({ rotation: { current, queue }, nextTrack }: PlayerState): QueueItems {
  return { version: idOf(queue), ids: queue.map(idOf), tracks: queue, current, nextTrack }
}
