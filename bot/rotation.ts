import type { Loop } from './music.ts'

/** What plays, what follows, and what happens at the end. */
export interface Rotation<T> {
  readonly current: T | null
  /** The next one up first. */
  readonly queue: readonly T[]
  readonly loop: Loop
}

/** Why the current track is left. */
export type Leaving = 'ended' | 'skipped' | 'failed'

/** More than any playlist worth hearing; bounds what one player keeps in memory and on disk. */
export const LONGEST_QUEUE = 5000

export const EMPTY: Rotation<never> = { current: null, queue: [], loop: 'off' }

export interface Added<T> {
  readonly rotation: Rotation<T>
  /** Where the first of them went: 0 is the current track, 1 the next one up. */
  readonly position: number
  /** How many found room. */
  readonly added: number
}

/** Puts tracks behind all others; the first becomes current where nothing is. */
export function add<T>(rotation: Rotation<T>, tracks: readonly T[]): Added<T> {
  const room = LONGEST_QUEUE - rotation.queue.length + (rotation.current === null ? 1 : 0)
  const fitting = tracks.slice(0, room)
  const [first, ...rest] = fitting
  const added = fitting.length
  if (first === undefined) return { rotation, position: rotation.queue.length + 1, added }
  if (rotation.current === null) {
    return { rotation: { ...rotation, current: first, queue: [...rotation.queue, ...rest] }, position: 0, added }
  }
  const position = rotation.queue.length + 1
  return { rotation: { ...rotation, queue: [...rotation.queue, ...fitting] }, position, added }
}

/**
 * The rotation after the current track was left. An ended track repeats under `loop: track` and goes to the back under
 * `loop: queue`; a skipped one is left under `loop: track` and goes to the back under `loop: queue`; one that failed is
 * dropped under every loop, so that broken tracks run out instead of going round.
 */
export function advance<T>(rotation: Rotation<T>, leaving: Leaving): Rotation<T> {
  const { current, queue, loop } = rotation
  if (current === null) return rotation
  if (loop === 'track' && leaving === 'ended') return rotation
  const line = loop === 'queue' && leaving !== 'failed' ? [...queue, current] : queue
  const [following, ...rest] = line
  return { current: following ?? null, queue: rest, loop }
}

export function setLoop<T>(rotation: Rotation<T>, loop: Loop): Rotation<T> {
  return rotation.loop === loop ? rotation : { ...rotation, loop }
}
