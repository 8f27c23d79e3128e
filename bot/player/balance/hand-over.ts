import { abortable } from '../../../lib/deadline.ts'
import { Fault } from '../../../lib/errors.ts'
import { handoverOf, type HandoverMethods } from '../../audio/handover/handover-methods.ts'
import type { AudioNode } from '../../audio/node/protocol.ts'
import { channelOf, playOf } from '../phase.ts'
import { audible, type PlayerState } from '../player-state.ts'
import { renewSegments } from '../position/skip-segments.ts'
import { prepareAgain } from '../queue/next-track.ts'
import { beginRecovery, type RunAutomatic } from '../voice-lifecycle.ts'

/** All of the preparation: opening the track and a connection have limits of their own, which are shorter. */
const PREPARE_TIMEOUT_MS = 10_000
/** The new thread opens the track so much earlier than the old one has come: what both have is dropped. */
const LEAD_MS = 100

interface HandOver {
  readonly to: AudioNode
  readonly runAutomatic: RunAutomatic
  /** Aborts when something else is wanted of the player: the move is given up if the old thread still sounds. */
  readonly signal: AbortSignal
}

/**
 * Moves a playing player to another audio thread of this process. The old thread sounds until the new one has opened the
 * track and a connection to the voice server; then the new one goes on with the frame behind the last one.
 * @returns whether it did: false leaves everything as it was.
 */
export async function handOver(state: PlayerState, { to, runAutomatic, signal }: HandOver): Promise<boolean> {
  const { node: from, ref, log } = state.parts
  const [old, next] = [handoverOf(from), handoverOf(to)]
  if (!isMovable(state) || !old || !next || !to.isAlive || from === to) return false
  const channelId = channelOf(state.phase)
  const content = await prepare(state, { from, old, next }, signal)
  // Not awaited: the thread may hang.
  const forgetOn = (side: HandoverMethods) => void side.forget(ref).catch(() => undefined)
  if (content === null) {
    forgetOn(next)
    return false
  }
  state.setNode(to)
  try {
    // Discord told the old thread of the new channel, and it was not there any more.
    if (channelOf(state.phase) !== channelId) throw new Fault('conflict', 'The player changed its channel meanwhile.')
    if (!state.isClosing) await next.takeOver(ref, content, audible(state, state.sound))
  } catch (err) {
    log.warn({ err, nodeId: to.id }, 'taking over a player failed')
    beginRecovery(state, runAutomatic)
  }
  forgetOn(old)
  prepareAgain(state)
  void renewSegments(state)
  return true
}

/** Whether it plays something that can be opened twice, with nothing mixed in and nothing else under way. */
export function isMovable(state: PlayerState): boolean {
  const { phase, rotation, layers, prepared } = state
  const isSteady = phase.at === 'playing' && state.started !== null && state.silenced === null
  const isBusy = state.isClosing || state.isAdrift || state.loading !== null || prepared !== null || layers.length > 0
  return isSteady && !isBusy && rotation.current !== null && !rotation.current.info.isStream
}

interface Sides {
  readonly from: AudioNode
  readonly old: HandoverMethods
  readonly next: HandoverMethods
}

/** @returns from where the new thread goes on, once the old one is silent; null if it cannot be done now. */
async function prepare(state: PlayerState, { from, old, next }: Sides, givenUp: AbortSignal): Promise<number | null> {
  const { ref, projectId, log } = state.parts
  const [playId, channelId] = [playOf(state.phase), channelOf(state.phase)]
  const { current } = state.rotation
  if (playId === null || channelId === null || current === null) return null
  const signal = AbortSignal.any([givenUp, AbortSignal.timeout(PREPARE_TIMEOUT_MS)])
  try {
    const voice = await abortable(old.voiceOf(ref), signal)
    if (!voice || voice.channelId !== channelId) return null
    const positionMs = Math.max(0, (await abortable(from.position(ref), signal)) - LEAD_MS)
    const playable = await abortable(state.parts.openTrack(current, signal), signal)
    const play = { ...ref, ...audible(state, state.sound), playId, playable, positionMs }
    await abortable(next.adopt({ join: { ...ref, projectId, channelId }, voice, play }), signal)
  } catch (err) {
    log.info({ err }, 'player stays on its audio thread')
    return null
  }
  const isSame = isMovable(state) && playOf(state.phase) === playId && state.parts.node === from
  if (!isSame || signal.aborted || channelOf(state.phase) !== channelId) return null
  return old.release(ref, playId).catch(() => null)
}
