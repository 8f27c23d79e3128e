import type { PlayerLoad } from './player-load.ts'

/** From this utilization on a thread has too little left for a moment with more work. */
const FULL = 0.8
/** Players leave a full thread until it is below this. */
const RELIEVED = 0.65
/** A shorter peak is none: players start, or much is collected. */
const FULL_FOR_MS = 5000
/** Nor does a thread take players that would bring it above this. */
const ROOM = 0.6
/** A player that moved, or could not, is left alone for so long. */
const REST_MS = 60_000

export interface ThreadLoad<P> {
  readonly id: string
  /** 0 to 1. */
  readonly utilization: number
  readonly players: readonly MovablePlayer<P>[]
}

export interface MovablePlayer<P> extends Pick<PlayerLoad, 'weight' | 'isMovable'> {
  readonly player: P
  /** When it was to move; null: never. */
  readonly triedAtMs: number | null
}

/** Since when threads are full, by id. */
export type FullSince = ReadonlyMap<string, number>

export interface Move<P> {
  readonly player: P
  readonly from: string
  readonly to: string
}

/**
 * The next player to move: the heaviest that fits from the fullest thread that has been full for some seconds, to the
 * least busy one, if that has clearly room. A pure function: `fullSince` is what it returned the last time.
 */
export function planMove<P>(
  threads: readonly ThreadLoad<P>[],
  fullSince: FullSince,
  nowMs: number,
): { readonly fullSince: FullSince; readonly move: Move<P> | null } {
  const since = new Map(
    threads.flatMap((thread) => {
      const atMs = stillFullSince(thread, fullSince.get(thread.id), nowMs)
      return atMs === null ? [] : [[thread.id, atMs] as const]
    }),
  )
  const isFull = ({ id }: ThreadLoad<P>) => nowMs - (since.get(id) ?? Infinity) >= FULL_FOR_MS
  const byLoad = threads.toSorted((one, other) => one.utilization - other.utilization)
  const [to, from] = [byLoad[0], byLoad.findLast(isFull)]
  const player = to && from && to !== from ? heaviestThatFits(from, to, nowMs) : null
  return { fullSince: since, move: player && to && from ? { player, from: from.id, to: to.id } : null }
}

function stillFullSince<P>({ utilization }: ThreadLoad<P>, sinceMs: number | undefined, nowMs: number): number | null {
  if (utilization >= FULL) return sinceMs ?? nowMs
  // Only one that was full for long enough goes on being relieved.
  const isRelieving = sinceMs !== undefined && nowMs - sinceMs >= FULL_FOR_MS && utilization >= RELIEVED
  return isRelieving ? sinceMs : null
}

function heaviestThatFits<P>(from: ThreadLoad<P>, to: ThreadLoad<P>, nowMs: number): P | null {
  const weights = from.players.reduce((sum, { weight }) => sum + weight, 0)
  const fits = ({ weight, isMovable, triedAtMs }: MovablePlayer<P>): boolean => {
    const share = (from.utilization * weight) / weights
    const after = to.utilization + share
    const isRested = triedAtMs === null || nowMs - triedAtMs >= REST_MS
    return isMovable && isRested && after <= ROOM && after < from.utilization - share
  }
  const fitting = from.players.filter(fits).toSorted((one, other) => other.weight - one.weight)
  return fitting[0]?.player ?? null
}
