import { isDeepStrictEqual } from 'node:util'
import type { Filters } from './filters.ts'
import { playOf } from './phase.ts'
import { assertNode, assertOpen, change, save, soundOf, type Core } from './player-core.ts'
import { setMuted, unmute, type Volume } from './volume.ts'

export async function mute(core: Core, muted: boolean): Promise<boolean> {
  assertOpen(core)
  await applySound(core, { ...soundWishOf(core), volume: setMuted(core.volume, muted) })
  return core.volume.muted
}

export async function endMute(core: Core): Promise<boolean> {
  assertOpen(core)
  await applySound(core, { ...soundWishOf(core), volume: unmute(core.volume) })
  return core.volume.muted
}

interface SoundWish {
  readonly volume: Volume
  readonly paused: boolean
  readonly filters: Filters
}

function soundWishOf(core: Core): SoundWish {
  return { volume: core.volume, paused: soundOf(core).paused, filters: core.filters }
}

/** Lets the audio node sound so, then remembers it. */
export async function applySound(core: Core, { volume, paused, filters }: SoundWish): Promise<void> {
  const before = soundOf(core)
  const sound = { volume: volume.level, muted: volume.muted, paused, filters }
  const isNew = !isDeepStrictEqual(sound, before)
  // With nothing on, the next `play` carries the sound.
  if (isNew && playOf(core.phase) !== null && !core.isAdrift) {
    assertNode(core)
    await core.parts.node.setSound(core.parts.ref, sound)
  }
  core.volume = volume
  core.filters = filters
  if (paused !== before.paused) change(core, { type: paused ? 'paused' : 'resumed' })
  save(core)
}
