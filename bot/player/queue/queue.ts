import { LONGEST_QUEUE, type Loop } from '../inputs.ts'

/** The current track, the following ones, and the loop at the end. */
export interface Queue<T> {
  readonly current: T | null
  /** The next one up first. */
  readonly queue: readonly T[]
  readonly loop: Loop
  /** The tracks played before, the last one first. */
  readonly past: readonly T[]
}

/** Why the current track is left. */
export type EndReason = 'ended' | 'skipped' | 'failed'

/** Number of tracks that `stepBack` can go back. */
export const MAX_HISTORY = 50

export const EMPTY_QUEUE: Queue<never> = { current: null, queue: [], loop: 'off', past: [] }

export interface Added<T> {
  readonly rotation: Queue<T>
  /** Position of the first added track: 0 is the current track, 1 the next one up. */
  readonly position: number
  readonly added: number
}

/** Puts tracks behind all others; the first becomes current where nothing is. */
export function add<T>(rotation: Queue<T>, tracks: readonly T[]): Added<T> {
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

/** Puts tracks ahead of what waits; the first becomes current where nothing is. */
export function addInFront<T>(rotation: Queue<T>, tracks: readonly T[]): Added<T> {
  if (rotation.current === null) return add(rotation, tracks)
  const fitting = tracks.slice(0, LONGEST_QUEUE - rotation.queue.length)
  return { rotation: { ...rotation, queue: [...fitting, ...rotation.queue] }, position: 1, added: fitting.length }
}

/**
 * Puts tracks in by turns: everyone's first waiting track before anyone's second, and so on. What waits already keeps its
 * order. The current track counts as a turn of its requester.
 */
export function addByTurns<T>(rotation: Queue<T>, tracks: readonly T[], ownerOf: (track: T) => unknown): Added<T> {
  const [first, ...rest] = tracks
  if (rotation.current === null && first !== undefined) {
    const started = addByTurns({ ...rotation, current: first }, rest, ownerOf)
    return { ...started, position: 0, added: started.added + 1 }
  }
  const { current, queue } = rotation
  const fitting = tracks.slice(0, LONGEST_QUEUE - queue.length)
  const takeTurn = turnTaker<T>(ownerOf)
  if (current !== null) takeTurn(current)
  const slotOf = slotFinder(queue.map(takeTurn))
  // Tracks at the same place are sorted by turn, and by arrival within a turn.
  const placed = fitting.map((track) => ({ track, turn: takeTurn(track) })).toSorted((a, b) => a.turn - b.turn)
  const [earliest] = fitting
  const position = placed.find(({ track }) => track === earliest)
  return {
    rotation: { ...rotation, queue: merged(queue, placed, slotOf) },
    position: position ? slotOf(position.turn) + 1 : queue.length + 1,
    added: fitting.length,
  }
}

/**
 * The rotation after the current track was left. An ended track repeats under `loop: track` and goes to the back under
 * `loop: queue`; a skipped one is left under `loop: track` and goes to the back under `loop: queue`; one that failed is
 * dropped under every loop, so that broken tracks run out instead of going round.
 */
export function advance<T>(rotation: Queue<T>, leaving: EndReason): Queue<T> {
  const { current, queue, loop } = rotation
  if (current === null) return rotation
  if (loop === 'track' && leaving === 'ended') return rotation
  const line = loop === 'queue' && leaving !== 'failed' ? [...queue, current] : queue
  const [following, ...rest] = line
  const past = leaving === 'failed' ? rotation.past : [current, ...rotation.past].slice(0, MAX_HISTORY)
  return { current: following ?? null, queue: rest, loop, past }
}

/** Like `advance`, past the first `passed` of the queue, which follow the current track to the back under `loop: queue`. */
export function advancePast<T>(rotation: Queue<T>, leaving: EndReason, passed: number): Queue<T> {
  const { queue, loop } = rotation
  const after = advance({ ...rotation, queue: queue.slice(passed) }, leaving)
  return loop === 'queue' ? { ...after, queue: [...after.queue, ...queue.slice(0, passed)] } : after
}

/**
 * The rotation with the previous track as the current one, and the current one next up; null when nothing was before.
 * Under `loop: queue` the previous track waits at the back already and is taken from there.
 */
export function stepBack<T>({ current, queue, loop, past }: Queue<T>): Queue<T> | null {
  const [before, ...earlier] = past
  if (before === undefined) return null
  const waitingAt = loop === 'queue' ? queue.lastIndexOf(before) : -1
  const line = waitingAt === -1 ? queue : queue.toSpliced(waitingAt, 1)
  const room = current === null ? line : [current, ...line.slice(0, LONGEST_QUEUE - 1)]
  return { current: before, queue: room, loop, past: earlier }
}

/** `random` gives numbers from 0 up to, but not including, 1. */
export function shuffle<T>(rotation: Queue<T>, random: () => number): Queue<T> {
  const queue = [...rotation.queue]
  for (let left = queue.length - 1; left > 0; left -= 1) {
    const chosen = Math.floor(random() * (left + 1))
    ;[queue[left], queue[chosen]] = [queue[chosen] as T, queue[left] as T]
  }
  return { ...rotation, queue }
}

export function clear<T>(rotation: Queue<T>): Queue<T> {
  return rotation.queue.length === 0 ? rotation : { ...rotation, queue: [] }
}

/** Removes tracks; position 1 is the next one up. Returns null if a position is out of range. */
export function removeTracks<T>(rotation: Queue<T>, positions: readonly number[]): Queue<T> | null {
  if (!positions.every((position) => hasPosition(rotation, position))) return null
  const gone = new Set(positions)
  return { ...rotation, queue: rotation.queue.filter((_, at) => !gone.has(at + 1)) }
}

/**
 * Takes tracks out and puts them in again one behind the other, in the order in which they wait, so that the first of them
 * is at `to`, or as near to it as the others leave room; null if one of them, or `to`, is no position.
 */
export function moveTracks<T>(rotation: Queue<T>, positions: readonly number[], to: number): Queue<T> | null {
  const others = removeTracks(rotation, positions)
  if (!others || !hasPosition(rotation, to)) return null
  const moved = new Set(positions)
  const tracks = rotation.queue.filter((_, at) => moved.has(at + 1))
  return { ...rotation, queue: others.queue.toSpliced(to - 1, 0, ...tracks) }
}

/** Tracks whose token is among neither `known` nor those before them. */
export function withoutDuplicates<T extends { readonly encoded: string }>(
  tracks: readonly T[],
  known: readonly (T | null)[],
): readonly T[] {
  const seen = new Set(known.map((track) => track?.encoded))
  return tracks.filter(({ encoded }) => !seen.has(encoded) && seen.add(encoded))
}

/** Counts the turns of each owner, beginning with 0. */
function turnTaker<T>(ownerOf: (track: T) => unknown): (track: T) => number {
  const operations = new Map<unknown, number>()
  return (track) => {
    const owner = ownerOf(track)
    const turn = operations.get(owner) ?? 0
    operations.set(owner, turn + 1)
    return turn
  }
}

/** The place of a track of this turn in the queue: behind the last one of the same or an earlier turn. */
function slotFinder(operations: readonly number[]): (turn: number) => number {
  const slots: number[] = []
  for (const [at, turn] of operations.entries()) slots[turn] = at + 1
  for (let turn = 1; turn < slots.length; turn++) slots[turn] = Math.max(slots[turn] ?? 0, slots[turn - 1] ?? 0)
  return (turn) => (turn < slots.length ? (slots[turn] ?? 0) : operations.length)
}

function merged<T>(
  queue: readonly T[],
  placed: readonly { readonly track: T; readonly turn: number }[],
  slotOf: (turn: number) => number,
): readonly T[] {
  const line: T[] = []
  let at = 0
  for (const { track, turn } of placed) {
    while (at < slotOf(turn)) line.push(queue[at++] as T)
    line.push(track)
  }
  return line.concat(queue.slice(at))
}

function hasPosition({ queue }: Queue<unknown>, position: number): boolean {
  return Number.isInteger(position) && position >= 1 && position <= queue.length
}

export function setLoop<T>(rotation: Queue<T>, loop: Loop): Queue<T> {
  return rotation.loop === loop ? rotation : { ...rotation, loop }
}
