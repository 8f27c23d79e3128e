import { Fault } from '../../../lib/errors.ts'
import type { PlayerState } from '../player-state.ts'

export interface SleepInfo {
  readonly endsAt: string | null
}

/**
 * @param minutes 0 ends the timer; null: at the end of the track that plays.
 * @throws {Fault} `conflict` if no track plays, or a live stream.
 */
export function setSleep(state: PlayerState, minutes: number | null): { sleep: SleepInfo | null } {
  const { current } = state.rotation
  if (minutes === null && current === null) {
    throw new Fault('conflict', 'Nothing is playing. Send the minutes, or play a track first.', {
      reason: 'nothing_playing',
    })
  }
  if (minutes === null && current?.info.isStream) {
    throw new Fault('conflict', 'A live stream has no end. Send the minutes instead.', { reason: 'endless' })
  }
  const endsAtMs = minutes === null ? null : state.parts.clock.dateMs() + minutes * 60_000
  state.sleep.set(minutes === 0 ? null : { endsAtMs })
  state.save()
  return { sleep: sleepInfoOf(state) }
}

export function sleepInfoOf({ sleep: { setting } }: PlayerState): SleepInfo | null {
  if (setting === null) return null
  return { endsAt: setting.endsAtMs === null ? null : new Date(setting.endsAtMs).toISOString() }
}

export function endsWithTrack({ sleep: { setting } }: PlayerState): boolean {
  return setting !== null && setting.endsAtMs === null
}
