import type { PlayerInfo } from '../../../../../bot/player/player-info.ts'

/** The position of a track at a moment, and its milliseconds that pass per millisecond. */
export interface PositionSent {
  readonly positionMs: number
  readonly atMs: number
  readonly rate: number
}

/** The position is sent again when it is further from where the page expects it. */
const JUMP_MS = 1000

/** The speed of the position: 2 is twice as fast, 0 while it waits. */
export function rateOf({ current, paused, silenced, filters: { timescale } }: PlayerInfo): number {
  if (current === null || paused || silenced !== null) return 0
  return timescale ? timescale.speed * timescale.rate : 1
}

/** @returns the position to send; null while the page can go on counting from the last one. */
export function positionSince(info: PlayerInfo, nowMs: number, sent: PositionSent | null): PositionSent | null {
  const rate = rateOf(info)
  const now = { positionMs: info.positionMs, atMs: nowMs, rate }
  if (!sent || sent.rate !== rate) return now
  const expectedMs = sent.positionMs + (nowMs - sent.atMs) * rate
  return Math.abs(info.positionMs - expectedMs) > JUMP_MS ? now : null
}
