import { abortable } from '../../../lib/deadline.ts'
import { handoverOf, type HandoverMethods } from '../../audio/handover/handover-methods.ts'
import type { AudioNode } from '../../audio/node/protocol.ts'
import { channelOf, playOf } from '../phase.ts'
import { audible, type PlayerState } from '../player-state.ts'
import { renewSegments } from '../position/skip-segments.ts'
import { prepareAgain } from '../queue/next-track.ts'
import { beginRecovery, type RunAutomatic } from '../voice-lifecycle.ts'

/** A source may take this long to say how a track is opened. */
const OPEN_TIMEOUT_MS = 10_000
/** The new thread opens the track so much earlier than the old one has come: what both have is dropped. */
const LEAD_MS = 100

/**
 * Moves a playing player to another audio thread of this process. The old thread sounds until the new one has opened the
 * track and a connection to the voice server; then the new one goes on with the frame behind the last one.
 * @returns whether it did: false leaves everything as it was.
 */
export async function handOver(state: PlayerState, to: AudioNode, runAutomatic: RunAutomatic): Promise<boolean> {
  const { node: from, ref, log } = state.parts
  const [old, next] = [handoverOf(from), handoverOf(to)]
  if (!isMovable(state) || !old || !next || !to.isAlive || from === to) return false
  const content = await prepare(state, { from, old, next })
  if (content === null) {
    await next.forget(ref).catch(() => undefined)
    return false
  }
  state.setNode(to)
  try {
    await next.takeOver(ref, content, audible(state, state.sound))
  } catch (err) {
    log.warn({ err, nodeId: to.id }, 'taking over a player failed')
    beginRecovery(state, runAutomatic)
  }
  await old.forget(ref).catch(() => undefined)
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
async function prepare(state: PlayerState, { from, old, next }: Sides): Promise<number | null> {
  const { ref, projectId, log } = state.parts
  const [playId, channelId] = [playOf(state.phase), channelOf(state.phase)]
  const { current } = state.rotation
  if (playId === null || channelId === null || current === null) return null
  try {
    const voice = await old.voiceOf(ref)
    if (!voice || voice.channelId !== channelId) return null
    const positionMs = Math.max(0, (await from.position(ref)) - LEAD_MS)
    const signal = AbortSignal.timeout(OPEN_TIMEOUT_MS)
    const playable = await abortable(state.parts.openTrack(current, signal), signal)
    const play = { ...ref, ...audible(state, state.sound), playId, playable, positionMs }
    await next.adopt({ join: { ...ref, projectId, channelId }, voice, play })
    const isSame = isMovable(state) && playOf(state.phase) === playId && state.parts.node === from
    return isSame && channelOf(state.phase) === channelId ? await old.release(ref, playId) : null
  } catch (err) {
    log.debug({ err }, 'moving a player to another thread failed')
    return null
  }
}
