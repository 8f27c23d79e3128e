import type { PlayerPatch } from '../inputs.ts'
import { playOf } from '../phase.ts'
import { startCurrent } from '../playback.ts'
import { jumpBehindSegments, setSponsorBlock } from '../position/skip-segments.ts'
import { followChapters } from '../position/follow-chapters.ts'
import { infoOf, type PlayerInfo } from '../player-info.ts'
import { assertNode, assertOpen, type PlayerState } from '../player-state.ts'
import { prepareAgain } from '../queue/next-track.ts'
import { setLoop } from '../queue/queue.ts'
import { isOutdated } from '../reopen-policy.ts'
import { spelledOut } from './filters.ts'
import { assertPossible } from './patch-check.ts'
import { applySound, refreshSound } from './volume-control.ts'
import { setLevel } from './volume-state.ts'

/** @throws {Fault} `conflict` for what needs a track when none plays. Nothing is changed then. */
export async function patch(state: PlayerState, wish: PlayerPatch): Promise<PlayerInfo> {
  assertOpen(state)
  assertPossible(state, wish)
  if (wish.autoplay !== undefined) await state.parts.autoplay.set(wish.autoplay)
  if (wish.sponsorBlock !== undefined) await setSponsorBlock(state, wish.sponsorBlock)
  const { paused, volume, loop, positionMs, filters, crossfadeMs, fadeMs } = wish
  if (crossfadeMs !== undefined || fadeMs !== undefined) await setFades(state, wish)
  if (paused !== undefined || volume !== undefined || filters !== undefined) {
    const level = setLevel(state.volume, volume ?? state.volume.level)
    const sound = { volume: level, paused: paused ?? state.sound.paused }
    const wanted = { ...sound, filters: filters ? spelledOut(filters) : state.filters }
    await renewing(state, state.positionMs, () => applySound(state, wanted))
  }
  if (positionMs !== undefined) await seek(state, positionMs)
  if (loop === undefined) state.save()
  else state.setRotation(setLoop(state.rotation, loop))
  return infoOf(state)
}

/** Seeks from the current position, within the track. @throws {Fault} as `patch`. */
export async function seekBy(state: PlayerState, stepMs: number): Promise<PlayerInfo> {
  const lengthMs = state.rotation.current?.info.lengthMs || Infinity
  return patch(state, { positionMs: Math.min(Math.max(state.positionMs + stepMs, 0), lengthMs) })
}

async function setFades(state: PlayerState, { crossfadeMs, fadeMs }: PlayerPatch): Promise<void> {
  const fades = { ...(crossfadeMs !== undefined && { crossfadeMs }), ...(fadeMs !== undefined && { fadeMs }) }
  await state.parts.fades.set(fades)
  await applySettings(state)
}

/** Applies changed settings of the guild to the current track, too. */
export async function applySettings(state: PlayerState): Promise<void> {
  state.countListeners()
  prepareAgain(state)
  await refreshSound(state)
}

async function seek(state: PlayerState, wantedMs: number): Promise<void> {
  assertNode(state)
  const playId = playOf(state.phase)
  if (playId === null) return
  const positionMs = jumpBehindSegments(state, wantedMs)
  if (state.isAdrift) return state.apply({ type: 'loading', playId, positionMs, paused: state.sound.paused })
  await renewing(state, positionMs, () => state.parts.node.seek(state.parts.ref, positionMs))
  state.apply({ type: 'measured', playId: playOf(state.phase) ?? playId, positionMs })
  followChapters(state)
}

/** Runs an operation that opens the current track a second time, and resolves a new address if the first one has expired. */
async function renewing(state: PlayerState, positionMs: number, work: () => Promise<void>): Promise<void> {
  try {
    return await work()
  } catch (error) {
    if (!isOutdated(error) || state.rotation.current === null) throw error
  }
  const start = { positionMs, paused: state.sound.paused, isAnnounced: true, isRenewed: true }
  const { current } = state.rotation
  await startCurrent(state, start)
  // Otherwise it is removed, and later tracks play without it.
  if (state.rotation.current === current) await work()
}
