import type { PlayerState } from '../player-state.ts'
import { isMovable } from './hand-over.ts'

/** Of one whose audio ffmpeg makes: its output is read and parsed as well. */
const ENCODED = 2

/** A player as a load of its audio thread. */
export interface PlayerLoad {
  /** 1 for one that passes Opus through. */
  readonly weight: number
  /** Whether it can go to another thread of this process now. */
  readonly isMovable: boolean
  /** Since when it is on that thread. */
  readonly placedAtMs: number
  /** When it came there from another one; null if it has always been there. */
  readonly movedAtMs: number | null
}

export function loadOf(state: PlayerState): PlayerLoad {
  const { placedAtMs, movedAtMs, sound } = state
  const { volume, filters = {} } = sound
  const isPassedThrough = volume === 100 && Object.keys(filters).length === 0
  return { placedAtMs, movedAtMs, isMovable: isMovable(state), weight: isPassedThrough ? 1 : ENCODED }
}
