import { Fault } from '../../lib/errors.ts'
import type { AudioNode } from '../audio/node/protocol.ts'
import type { JoinPurpose } from '../discord/joins/join-turns.ts'
import { assertOpen, emit, type PlayerState } from './player-state.ts'
import { reportEnd } from './queue/ended-track.ts'
import type { TrackEndReason } from '../events.ts'
import type { EarlyPlay } from './opening.ts'
import { resume } from './playback.ts'
import { channelOf } from './phase.ts'
import { toTrack } from '../tracks/track.ts'

export interface CloseReason {
  readonly why: 'idle' | 'disconnected'
  /** The end reason of the track in events. */
  readonly track: Extract<TrackEndReason, 'stopped' | 'cleanup'>
  /** Whether the saved state stays, so that the player comes back after a restart. */
  readonly isSavedFor: 'nothing' | 'restart'
  /** Whether the player continues in another service, so listeners are not notified of an end. */
  readonly isMoved?: boolean
}

export const IDLE: CloseReason = { why: 'idle', track: 'cleanup', isSavedFor: 'nothing' }
export const DISCONNECTED: CloseReason = { why: 'disconnected', track: 'cleanup', isSavedFor: 'nothing' }
export const STOPPED: CloseReason = { why: 'disconnected', track: 'stopped', isSavedFor: 'nothing' }
export const SHUTDOWN: CloseReason = { why: 'disconnected', track: 'cleanup', isSavedFor: 'restart' }

export const MOVED: CloseReason = { ...SHUTDOWN, isMoved: true }

/**
 * Joins the channel for the first time. A failed join leaves nothing behind; only the caller gets the error.
 * @param early is begun as soon as the audio node knows the player.
 */
export async function join(state: PlayerState, purpose: JoinPurpose, early: EarlyPlay | null = null): Promise<void> {
  assertOpen(state)
  const { node, ref, projectId, log } = state.parts
  const channelId = channelOf(state.phase) ?? ''
  try {
    await state.parts.joinTurn(purpose)
    const joined = state.isClosing ? undefined : node.join({ ...ref, projectId, channelId })
    if (joined) early?.begin()
    await joined
    if (state.isClosing) throw new Fault('conflict', 'The player closed while joining the channel.')
  } catch (err) {
    early?.abort()
    state.set({ isClosing: true })
    await leaveVoice(state)
    state.apply({ type: 'closed', why: 'disconnected' })
    state.gone.resolve()
    throw err
  }
  state.apply({ type: 'voiceReady', channelId })
  log.info({ channelId }, 'voice joined')
}

/** Runs an operation of the player in its turn; what it throws is logged. */
export type RunAutomatic = (operation: () => Promise<void>) => void

/** Recovers a player whose audio node or bot came back without knowing it. */
export function beginRecovery(state: PlayerState, runAutomatic: RunAutomatic): void {
  state.loseVoice()
  runAutomatic(() => recover(state, () => beginRecovery(state, runAutomatic)))
}

/** Joins by another audio node, and plays there from its position on. */
export function moveTo(state: PlayerState, node: AudioNode, runAutomatic: RunAutomatic): void {
  const { parts } = state
  const former = parts.node
  state.setNode(node)
  // A draining node would be audible beside the new one.
  runAutomatic(() => former.leave(parts.ref).catch(() => undefined))
  beginRecovery(state, runAutomatic)
}

/** Until a player joins again whose audio thread did not respond in time. */
const RETRY_MS = 2000

/**
 * Joins again and plays where it was. Ends the player if Discord refuses it. Calls `retry` later if the audio thread did
 * not answer in time, since nothing else tells when it does.
 */
async function recover(state: PlayerState, retry: () => void): Promise<void> {
  const { node, ref, projectId, log, clock, isBotConnected } = state.parts
  const channelId = channelOf(state.phase)
  if (state.isClosing || channelId === null || !state.isAdrift) return
  const positionMs = state.positionMs
  const { paused } = state.sound
  try {
    // A connection that the node still holds belongs to a session with Discord that is over.
    await node.leave(ref)
    await state.parts.joinTurn('player')
    if (state.isClosing || !state.isAdrift) return
    await node.join({ ...ref, projectId, channelId })
  } catch (err) {
    log.warn({ err, channelId }, 'restoring voice connection failed')
    // A node or gateway emits an event when it is back, which starts recovery again.
    if (!node.isAlive || !isBotConnected()) return
    // Discord was asked twice: it may be that the channel is gone.
    if (err instanceof Fault && err.code === 'service_unavailable' && err.reason !== 'no_answer') {
      clock.after(RETRY_MS, () => state.isAdrift && retry())
    } else await end(state, DISCONNECTED)
    return
  }
  if (state.isClosing) return
  state.regainVoice(channelId)
  await resume(state, positionMs, { paused })
}

/**
 * Ends the player: the track first, then voice, then the word that it is over. Safe to repeat.
 * @throws {Fault} when a caller dismissed it, which could not be saved; it is over all the same.
 */
export async function end(state: PlayerState, ending: CloseReason): Promise<void> {
  state.set({ isClosing: true })
  if (state.phase.at === 'closed') return
  const { log } = state.parts
  const hadJoined = state.phase.at !== 'joining'
  if (ending.isSavedFor === 'nothing') reportEnd(state, 'closed')
  state.endSaving(ending.isSavedFor === 'restart')
  state.apply({ type: 'closed', why: ending.why })
  const { isMoved = false } = ending
  announceBeforeMove(state, isMoved)
  if (state.rotation.current !== null && !isMoved) emit(state, { type: 'trackEnded', reason: ending.track })
  if (hadJoined && !isMoved) await state.parts.beforeLeaving()
  await leaveVoice(state)
  log.info({ why: ending.why, isMoved }, 'player closed')
  if (hadJoined && !isMoved) emit(state, { type: 'playerClosed', reason: ending.why })
  state.gone.resolve()
  if (ending === STOPPED) await state.parts.states.written(state.parts.ref)
}

/** The next owner continues the track that is being opened, and takes its start for told. */
function announceBeforeMove(state: PlayerState, isMoved: boolean): void {
  const { current } = state.rotation
  if (isMoved && state.isUnannounced && current) emit(state, { type: 'trackStarted', track: toTrack(current.info) })
  state.set({ isUnannounced: false })
}

export function onVoiceLost(state: PlayerState, closeAutomatic: (reason: CloseReason) => void): void {
  // A first join that fails rejects for the caller.
  if (state.phase.at === 'joining') return
  // Discord ends the voice of a bot whose session is being renewed: it joins again when that is done.
  if (state.parts.isBotConnected()) closeAutomatic(DISCONNECTED)
  else state.loseVoice()
}

/** A moderator moved the bot, or disconnected it (null). */
export function isKick(state: PlayerState, channelId: string | null): boolean {
  if (channelId === null) return state.phase.at !== 'joining' && state.phase.at !== 'closed' && !state.isAdrift
  state.apply({ type: 'moved', channelId })
  state.countListeners()
  return false
}

async function leaveVoice(state: PlayerState): Promise<void> {
  const { node, ref, log } = state.parts
  if (!node.isAlive) return
  try {
    await node.leave(ref)
  } catch (err) {
    log.warn({ err }, 'leaving voice channel failed')
  }
}
