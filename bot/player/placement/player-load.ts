import type { PlayerState } from '../player-state.ts'

/** Weight of a player whose audio ffmpeg makes: its output is read and parsed as well. */
const ENCODED = 2

export interface PlayerLoad {
  readonly queueLength: number
  /** 1 for one that passes Opus through. */
  readonly weight: number
  /** Since when it is on that thread. */
  readonly placedAtMs: number
}

export function loadOf(state: PlayerState): PlayerLoad {
  const { placedAtMs, sound, rotation } = state
  const { volume, filters = {} } = sound
  const isPassedThrough = volume === 100 && Object.keys(filters).length === 0
  return { queueLength: rotation.queue.length, placedAtMs, weight: isPassedThrough ? 1 : ENCODED }
}
