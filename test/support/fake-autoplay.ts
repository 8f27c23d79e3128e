import type { AutoplayHooks } from '../../bot/player/player-parts.ts'

/** Can be set on and off, and never chooses anything. */
export function createFakeAutoplay(): AutoplayHooks {
  let isOn = false
  return {
    get isOn() {
      return isOn
    },
    async set(value) {
      isOn = value
    },
    onDue: () => undefined,
    onTrackEnded: () => undefined,
  }
}
