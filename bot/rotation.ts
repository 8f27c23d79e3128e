import type { Loop } from './music.ts'

/** What plays, what follows, and what happens at the end. */
export interface Rotation<T> {
  readonly current: T | null
  /** The next one up first. */
  readonly queue: readonly T[]
  readonly loop: Loop
  /** What was played before, the last one first. */
  readonly past: readonly T[]
}

/** Why the current track is left. */
export type Leaving = 'ended' | 'skipped' | 'failed'

/** More than any playlist worth hearing; bounds what one player keeps in memory and on disk. */
export const LONGEST_QUEUE = 5000

/** How far `stepBack` goes. */
export const LONGEST_PAST = 50

export const EMPTY: Rotation<never> = { current: null, queue: [], loop: 'off', past: [] }

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
 * Puts tracks in by turns: everyone's first waiting track before anyone's second, and so on. What waits already keeps its
 * order. The current track counts as a turn of whoever asked for it.
 */
export function addByTurns<T>(rotation: Rotation<T>, tracks: readonly T[], ownerOf: (track: T) => unknown): Added<T> {
  const [first, ...rest] = tracks
  if (rotation.current === null && first !== undefined) {
    const started = addByTurns({ ...rotation, current: first }, rest, ownerOf)
    return { ...started, position: 0, added: started.added + 1 }
  }
  const fitting = tracks.slice(0, LONGEST_QUEUE - rotation.queue.length)
  let { queue } = rotation
  let position = queue.length + 1
  for (const [index, track] of fitting.entries()) {
    const at = placeByTurns({ ...rotation, queue }, track, ownerOf)
    queue = queue.toSpliced(at, 0, track)
    if (index === 0) position = at + 1
  }
  return { rotation: { ...rotation, queue }, position, added: fitting.length }
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
  const past = leaving === 'failed' ? rotation.past : [current, ...rotation.past].slice(0, LONGEST_PAST)
  return { current: following ?? null, queue: rest, loop, past }
}

/**
 * The rotation with the track before as the current one, and the current one next up; null when nothing was before.
 * Under `loop: queue` the track before waits at the back already and is taken from there.
 */
export function stepBack<T>({ current, queue, loop, past }: Rotation<T>): Rotation<T> | null {
  const [before, ...earlier] = past
  if (before === undefined) return null
  const waitingAt = loop === 'queue' ? queue.lastIndexOf(before) : -1
  const line = waitingAt === -1 ? queue : queue.toSpliced(waitingAt, 1)
  const room = current === null ? line : [current, ...line.slice(0, LONGEST_QUEUE - 1)]
  return { current: before, queue: room, loop, past: earlier }
}

/** `random` gives numbers from 0 up to, but not including, 1. */
export function shuffle<T>(rotation: Rotation<T>, random: () => number): Rotation<T> {
  const queue = [...rotation.queue]
  for (let left = queue.length - 1; left > 0; left -= 1) {
    const chosen = Math.floor(random() * (left + 1))
    ;[queue[left], queue[chosen]] = [queue[chosen] as T, queue[left] as T]
  }
  return { ...rotation, queue }
}

export function clear<T>(rotation: Rotation<T>): Rotation<T> {
  return rotation.queue.length === 0 ? rotation : { ...rotation, queue: [] }
}

/** `position` 1 is the next one up; null where the queue has no such position. */
export function removeAt<T>(rotation: Rotation<T>, position: number): Rotation<T> | null {
  if (!hasPosition(rotation, position)) return null
  return { ...rotation, queue: rotation.queue.toSpliced(position - 1, 1) }
}

/** Takes the track at `from` out and puts it in again so that it is at `to`; null where either is no position. */
export function moveTrack<T>(rotation: Rotation<T>, from: number, to: number): Rotation<T> | null {
  const track = rotation.queue[from - 1]
  if (track === undefined || !hasPosition(rotation, to)) return null
  return { ...rotation, queue: rotation.queue.toSpliced(from - 1, 1).toSpliced(to - 1, 0, track) }
}

/** Behind the last track whose turn is no later than the new one's. */
function placeByTurns<T>({ current, queue }: Rotation<T>, track: T, ownerOf: (track: T) => unknown): number {
  const turns = new Map<unknown, number>()
  const takeTurn = (owner: unknown): number => {
    const turn = turns.get(owner) ?? 0
    turns.set(owner, turn + 1)
    return turn
  }
  if (current !== null) takeTurn(ownerOf(current))
  const waiting = queue.map((it) => takeTurn(ownerOf(it)))
  const mine = takeTurn(ownerOf(track))
  return waiting.findLastIndex((turn) => turn <= mine) + 1
}

function hasPosition({ queue }: Rotation<unknown>, position: number): boolean {
  return Number.isInteger(position) && position >= 1 && position <= queue.length
}

export function setLoop<T>(rotation: Rotation<T>, loop: Loop): Rotation<T> {
  return rotation.loop === loop ? rotation : { ...rotation, loop }
}
