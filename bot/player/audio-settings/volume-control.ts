import { isDeepStrictEqual } from 'node:util'
import type { Filters } from './filters.ts'
import { playOf } from '../phase.ts'
import type { Silence } from '../../music.ts'
import {
  assertNode,
  assertOpen,
  audible,
  applyEvent,
  positionOf,
  save,
  soundOf,
  type PlayerCore,
} from '../player-state.ts'
import { setMuted, unmute, type Volume } from './volume.ts'

export async function mute(core: PlayerCore, muted: boolean): Promise<boolean> {
  assertOpen(core)
  await applySound(core, { ...soundWishOf(core), volume: setMuted(core.volume, muted) })
  return core.volume.muted
}

export async function endMute(core: PlayerCore): Promise<boolean> {
  assertOpen(core)
  await applySound(core, { ...soundWishOf(core), volume: unmute(core.volume) })
  return core.volume.muted
}

interface SoundWish {
  readonly volume: Volume
  readonly paused: boolean
  readonly filters: Filters
}

function soundWishOf(core: PlayerCore): SoundWish {
  return { volume: core.volume, paused: soundOf(core).paused, filters: core.filters }
}

/** Lets the audio node sound so, then remembers it. */
export async function applySound(core: PlayerCore, { volume, paused, filters }: SoundWish): Promise<void> {
  const before = soundOf(core)
  const sound = { ...before, volume: volume.level, muted: volume.muted, paused, filters }
  const isNew = !isDeepStrictEqual(sound, before)
  // With nothing on, the next `play` carries the sound.
  if (isNew && playOf(core.phase) !== null && !core.isAdrift) {
    assertNode(core)
    await core.parts.node.setSound(core.parts.ref, audible(core, sound))
  }
  core.volume = volume
  core.filters = filters
  if (paused !== before.paused) applyEvent(core, { type: paused ? 'paused' : 'resumed' })
  save(core)
}

/** Discord lets nobody hear the bot, or everybody again. @returns whether that is new. */
export function setSilence(core: PlayerCore, silenced: Silence | null): boolean {
  if (core.silenced === silenced) return false
  const positionMs = positionOf(core)
  const playId = playOf(core.phase)
  core.silenced = silenced
  // It has stood still: it runs on from here.
  if (playId !== null) applyEvent(core, { type: 'measured', playId, positionMs })
  core.parts.log.info({ silenced }, silenced === null ? 'heard again' : 'silenced by Discord')
  return true
}

/** Lets the audio node wait or go on, as Discord wants it by now. */
export async function waitOrGoOn(core: PlayerCore): Promise<void> {
  const { node, ref } = core.parts
  if (core.isClosing || core.isAdrift || playOf(core.phase) === null || !node.isAlive) return
  await node.setSound(ref, audible(core, soundOf(core)))
}
