import { isDeepStrictEqual } from 'node:util'
import type { Filters } from './filters.ts'
import { playOf } from '../phase.ts'
import type { Silence } from '../player-parts.ts'
import { assertNode, assertOpen, audible, type PlayerState } from '../player-state.ts'
import { setMuted, unmute, type Volume } from './volume-state.ts'

export async function mute(state: PlayerState, muted: boolean): Promise<{ muted: boolean }> {
  assertOpen(state)
  await applySound(state, { ...currentSoundOf(state), volume: setMuted(state.volume, muted) })
  return { muted: state.volume.muted }
}

export async function endMute(state: PlayerState): Promise<{ muted: boolean }> {
  assertOpen(state)
  await applySound(state, { ...currentSoundOf(state), volume: unmute(state.volume) })
  return { muted: state.volume.muted }
}

interface SoundChange {
  readonly volume: Volume
  readonly paused: boolean
  readonly filters: Filters
}

function currentSoundOf(state: PlayerState): SoundChange {
  return { volume: state.volume, paused: state.sound.paused, filters: state.filters }
}

/** Lets the audio node sound so, then remembers it. */
export async function applySound(state: PlayerState, { volume, paused, filters }: SoundChange): Promise<void> {
  const before = state.sound
  const sound = { ...before, volume: volume.level, muted: volume.muted, paused, filters }
  const isNew = !isDeepStrictEqual(sound, before)
  // Without a track, the next `play` carries the sound.
  if (isNew && playOf(state.phase) !== null && !state.isAdrift) {
    assertNode(state)
    await state.parts.node.setSound(state.parts.ref, audible(state, sound))
  }
  state.setSound(volume, filters)
  if (paused !== before.paused) state.apply({ type: paused ? 'paused' : 'resumed' })
  state.save()
}

/** Discord mutes or unmutes the bot. @returns whether that is new. */
export function setSilence(state: PlayerState, silenced: Silence | null): boolean {
  if (state.silenced === silenced) return false
  const positionMs = state.positionMs
  const playId = playOf(state.phase)
  state.set({ silenced })
  // The position stood still until now.
  if (playId !== null) state.apply({ type: 'measured', playId, positionMs })
  state.parts.log.info({ silenced }, silenced === null ? 'voice recovered' : 'bot muted or suppressed')
  return true
}

/** Has the audio node sound as it should by now, whether Discord or a setting changed that. */
export async function refreshSound(state: PlayerState): Promise<void> {
  const { node, ref } = state.parts
  if (state.isClosing || state.isAdrift || playOf(state.phase) === null || !node.isAlive) return
  await node.setSound(ref, audible(state, state.sound))
}
