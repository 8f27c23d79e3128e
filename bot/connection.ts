import { Fault } from '../errors.ts'
import { assertOpen, change, countListeners, emit, positionOf, save, soundOf, type Deck } from './deck.ts'
import type { TrackEndReason } from './events.ts'
import { resume } from './playing.ts'
import { channelOf } from './phase.ts'

/** How a player comes to its end. */
export interface Ending {
  readonly why: 'idle' | 'disconnected'
  /** What is told of the track that played. */
  readonly track: Extract<TrackEndReason, 'stopped' | 'cleanup'>
  /** Whether the saved state stays, so that the player comes back after a restart. */
  readonly isSavedFor: 'nothing' | 'restart'
}

export const UNNEEDED: Ending = { why: 'idle', track: 'cleanup', isSavedFor: 'nothing' }
export const LOST: Ending = { why: 'disconnected', track: 'cleanup', isSavedFor: 'nothing' }
export const DISMISSED: Ending = { why: 'disconnected', track: 'stopped', isSavedFor: 'nothing' }
export const SHUTDOWN: Ending = { why: 'disconnected', track: 'cleanup', isSavedFor: 'restart' }

/** Joins the channel for the first time. A join that fails leaves nothing behind and tells no one but the caller. */
export async function join(deck: Deck): Promise<void> {
  assertOpen(deck)
  const { node, ref, log } = deck.parts
  const channelId = channelOf(deck.phase) ?? ''
  try {
    await node.join({ ...ref, channelId })
    if (deck.isClosing) throw new Fault('conflict', 'The player was closed while it joined the channel.')
  } catch (err) {
    deck.isClosing = true
    await leaveVoice(deck)
    change(deck, { type: 'closed', why: 'disconnected' })
    deck.gone.resolve()
    throw err
  }
  change(deck, { type: 'voiceReady', channelId })
  log.info({ channelId }, 'voice joined')
}

/** Joins and plays again where it was, after the audio node or the bot's session with Discord came back from nothing. */
export async function recover(deck: Deck): Promise<void> {
  const { node, ref, log } = deck.parts
  const channelId = channelOf(deck.phase)
  if (deck.isClosing || channelId === null || deck.phase.at === 'joining') return
  const positionMs = positionOf(deck)
  const { paused } = soundOf(deck)
  try {
    await node.join({ ...ref, channelId })
  } catch (err) {
    log.warn({ err, channelId }, 'voice not restored')
    // A node that died again tells so, and recovery begins anew.
    if (node.isAlive) await end(deck, LOST)
    return
  }
  if (deck.isClosing) return
  deck.isAdrift = false
  change(deck, { type: 'voiceReady', channelId })
  await resume(deck, positionMs, paused)
}

/** Ends the player: the track first, then voice, then the word that it is over. Safe to repeat. */
export async function end(deck: Deck, ending: Ending): Promise<void> {
  deck.isClosing = true
  if (deck.phase.at === 'closed') return
  const { states, ref, projectId, log } = deck.parts
  const hadJoined = deck.phase.at !== 'joining'
  deck.cancelTimers()
  if (ending.isSavedFor === 'restart') save(deck)
  else if (hadJoined) forget(deck, () => states.remove(projectId, ref.botId, ref.guildId))
  change(deck, { type: 'closed', why: ending.why })
  if (deck.rotation.current !== null) emit(deck, { type: 'trackEnded', reason: ending.track })
  await leaveVoice(deck)
  log.info({ why: ending.why }, 'player closed')
  if (hadJoined) emit(deck, { type: 'playerClosed', reason: ending.why })
  deck.gone.resolve()
}

/** Somebody moved the bot, or it was thrown out (null). */
export function isKick(deck: Deck, channelId: string | null): boolean {
  if (channelId === null) return deck.phase.at !== 'joining' && deck.phase.at !== 'closed'
  change(deck, { type: 'moved', channelId })
  countListeners(deck)
  return false
}

async function leaveVoice(deck: Deck): Promise<void> {
  const { node, ref, log } = deck.parts
  if (!node.isAlive) return
  try {
    await node.leave(ref)
  } catch (err) {
    log.warn({ err }, 'voice not left')
  }
}

function forget(deck: Deck, remove: () => void): void {
  try {
    remove()
  } catch (err) {
    deck.parts.log.error({ err }, 'saved player not removed')
  }
}
