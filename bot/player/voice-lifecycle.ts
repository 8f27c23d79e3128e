import { Fault } from '../../lib/errors.ts'
import {
  assertOpen,
  applyEvent,
  countListeners,
  emit,
  notSaved,
  positionOf,
  save,
  soundOf,
  type PlayerCore,
} from './player-state.ts'
import type { TrackEndReason } from '../events.ts'
import { resume } from './playback.ts'
import { channelOf } from './phase.ts'

/** How a player comes to its end. */
export interface CloseReason {
  readonly why: 'idle' | 'disconnected'
  /** What is told of the track that played. */
  readonly track: Extract<TrackEndReason, 'stopped' | 'cleanup'>
  /** Whether the saved state stays, so that the player comes back after a restart. */
  readonly isSavedFor: 'nothing' | 'restart'
}

export const IDLE: CloseReason = { why: 'idle', track: 'cleanup', isSavedFor: 'nothing' }
export const DISCONNECTED: CloseReason = { why: 'disconnected', track: 'cleanup', isSavedFor: 'nothing' }
export const STOPPED: CloseReason = { why: 'disconnected', track: 'stopped', isSavedFor: 'nothing' }
export const SHUTDOWN: CloseReason = { why: 'disconnected', track: 'cleanup', isSavedFor: 'restart' }

/** Joins the channel for the first time. A join that fails leaves nothing behind and tells no one but the caller. */
export async function join(core: PlayerCore): Promise<void> {
  assertOpen(core)
  const { node, ref, projectId, log } = core.parts
  const channelId = channelOf(core.phase) ?? ''
  try {
    await node.join({ ...ref, projectId, channelId })
    if (core.isClosing) throw new Fault('conflict', 'The player was closed while it joined the channel.')
  } catch (err) {
    core.isClosing = true
    await leaveVoice(core)
    applyEvent(core, { type: 'closed', why: 'disconnected' })
    core.gone.resolve()
    throw err
  }
  applyEvent(core, { type: 'voiceReady', channelId })
  log.info({ channelId }, 'voice joined')
}

/** The audio node has nothing of this player any more, and it is meant to go on: everything waits for `recover`. */
export function detachFromVoice(core: PlayerCore): void {
  applyEvent(core, { type: 'voiceRestoring' })
  core.isAdrift = true
  core.loading?.abort()
}

/** Until a player joins again whose audio thread did not answer in time. */
const RETRY_MS = 2000

/**
 * Joins again and plays where it was. Ends the player if Discord refuses it. Calls `retry` later if the audio thread did
 * not answer in time, since nothing else tells when it does.
 */
export async function recover(core: PlayerCore, retry: () => void): Promise<void> {
  const { node, ref, projectId, log, clock, isBotConnected } = core.parts
  const channelId = channelOf(core.phase)
  if (core.isClosing || channelId === null || !core.isAdrift) return
  const positionMs = positionOf(core)
  const { paused } = soundOf(core)
  try {
    // A connection that the node still holds belongs to a session with Discord that is over.
    await node.leave(ref)
    await node.join({ ...ref, projectId, channelId })
  } catch (err) {
    log.warn({ err, channelId }, 'voice not restored')
    // A node or a gateway that is away tells when it is back, and recovery begins again.
    if (!node.isAlive || !isBotConnected()) return
    if (err instanceof Fault && err.code === 'service_unavailable') {
      clock.after(RETRY_MS, () => core.isAdrift && retry())
    } else await end(core, DISCONNECTED)
    return
  }
  if (core.isClosing) return
  core.isAdrift = false
  applyEvent(core, { type: 'voiceReady', channelId })
  await resume(core, positionMs, paused)
}

/**
 * Ends the player: the track first, then voice, then the word that it is over. Safe to repeat.
 * @throws {Fault} when a caller dismissed it, which could not be saved; it is over all the same.
 */
export async function end(core: PlayerCore, ending: CloseReason): Promise<void> {
  core.isClosing = true
  if (core.phase.at === 'closed') return
  const { states, ref, projectId, log } = core.parts
  const hadJoined = core.phase.at !== 'joining'
  core.cancelTimers()
  if (ending.isSavedFor === 'restart') save(core)
  else if (hadJoined) core.isUnsaved = !states.remove(projectId, ref.botId, ref.guildId)
  applyEvent(core, { type: 'closed', why: ending.why })
  if (core.rotation.current !== null) emit(core, { type: 'trackEnded', reason: ending.track })
  if (hadJoined) await core.parts.beforeLeaving()
  await leaveVoice(core)
  log.info({ why: ending.why }, 'player closed')
  if (hadJoined) emit(core, { type: 'playerClosed', reason: ending.why })
  core.gone.resolve()
  if (ending === STOPPED && core.isUnsaved) throw notSaved()
}

/** Somebody moved the bot, or it was thrown out (null). */
export function isKick(core: PlayerCore, channelId: string | null): boolean {
  if (channelId === null) return core.phase.at !== 'joining' && core.phase.at !== 'closed' && !core.isAdrift
  applyEvent(core, { type: 'moved', channelId })
  countListeners(core)
  return false
}

async function leaveVoice(core: PlayerCore): Promise<void> {
  const { node, ref, log } = core.parts
  if (!node.isAlive) return
  try {
    await node.leave(ref)
  } catch (err) {
    log.warn({ err }, 'voice not left')
  }
}
