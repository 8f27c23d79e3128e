import type { SavedPlayer } from '../../../db/music/players.ts'
import type { Clock } from '../timers.ts'

/** Length of the fade at the end of the timer. */
const FADE_MS = 12_000
/** The level falls by 3 dB with each step, which is heard as a slope. */
const STEP_MS = 1000
const DECIBELS_PER_STEP = 3

/** When the sleep timer stops the music. `endsAtMs` is a wall-clock time; null means the end of the current track. */
type SleepSetting = NonNullable<SavedPlayer['sleep']>

export type SleepTimer = ReturnType<typeof createSleepTimer>

interface SleepHooks {
  /** The level has changed. */
  readonly onFade: () => void
  readonly onElapsed: () => void
}

export function createSleepTimer(clock: Clock, { onFade, onElapsed }: SleepHooks) {
  let setting: SleepSetting | null = null
  let level = 1
  let cancel: (() => void) | null = null

  function setLevel(now: number): void {
    if (now === level) return
    level = now
    onFade()
  }

  function step(endsAtMs: number): void {
    const leftMs = endsAtMs - clock.dateMs()
    if (leftMs <= 0) return onElapsed()
    const steps = leftMs > FADE_MS ? 0 : Math.floor((FADE_MS - leftMs) / STEP_MS) + 1
    setLevel(10 ** ((-DECIBELS_PER_STEP * steps) / 20))
    const waitMs = leftMs > FADE_MS ? leftMs - FADE_MS : leftMs - (FADE_MS - steps * STEP_MS)
    cancel = clock.after(waitMs, () => step(endsAtMs))
  }

  return {
    /** Null while none runs. */
    get setting(): SleepSetting | null {
      return setting
    },
    /** A factor of the volume: under 1 while the sound fades. */
    get level(): number {
      return level
    },
    /** Begins, changes or ends it. A time that is past already is over at once. */
    set(wanted: SleepSetting | null) {
      cancel?.()
      setting = wanted
      if (wanted === null || wanted.endsAtMs === null) setLevel(1)
      else step(wanted.endsAtMs)
    },
  }
}
