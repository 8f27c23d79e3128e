import { Fault, unprocessable } from '../../../lib/errors.ts'
import type { VoiceLoss } from '../node/protocol.ts'

/** Reaction to a close code of the voice gateway. */
export type Reaction =
  /** Ask Discord for a new session, with back-off, at most so often per loss. */
  | { readonly act: 'rejoin'; readonly joins: number }
  /** Perhaps a move: a new voice server may be named within seconds. */
  | { readonly act: 'wait' }
  | { readonly act: 'end' }

/** Maximum join attempts per loss, over all close codes. */
export const MAX_JOINS = 5

/** Perhaps bad luck, and each join brings a new token. */
const FEW: Reaction = { act: 'rejoin', joins: 3 }
/** We, or the library, broke the protocol: doing it again would break it again. */
const ONCE: Reaction = { act: 'rejoin', joins: 1 }

const REACTIONS: ReadonlyMap<number, Reaction> = new Map<number, Reaction>([
  [4001, ONCE], // unknown opcode
  [4002, ONCE], // not decodable
  [4003, ONCE], // not authenticated
  [4004, FEW], // bad token
  [4005, ONCE], // already authenticated
  [4011, FEW], // server not found
  [4012, ONCE], // unknown protocol
  [4014, { act: 'wait' }], // kicked, channel gone, or moved
  [4016, ONCE], // unknown encryption mode
  [4017, { act: 'end' }], // end-to-end encryption required
  [4020, ONCE], // bad request
  [4021, { act: 'end' }], // rate limited
  [4022, { act: 'wait' }], // call ended, or its server changed
])

/**
 * Returns the reaction to a close code of Discord. Session invalid or timed out (4006, 4009), network trouble and unknown
 * codes request a new session. Codes that a session survives (below 4000, and 4015) are resumed first and only arrive here if
 * resuming failed.
 */
export function reactionTo(code: number | null): Reaction {
  return (code !== null && REACTIONS.get(code)) || { act: 'rejoin', joins: MAX_JOINS }
}

/** Closes after which the same credentials may do again: Lavalink's library tries these again by itself, others not. */
const RETRIED_ALONE: ReadonlySet<number> = new Set([4000, 4001, 4002, 4003, 4005, 4009, 4012, 4015, 4016, 4020])

/** Whether a voice connection whose gateway is elsewhere is tried again, with what is known of it. */
export function isRetriedAlone(code: number): boolean {
  return RETRIED_ALONE.has(code) || (code > 1000 && code < 4000)
}

/** Returns the delay before the nth join since the loss, counted from 0: none, then doubling. */
export function backOff(joins: number, firstMs: number): number {
  return joins === 0 ? 0 : firstMs * 2 ** (joins - 1)
}

/** Why voice is gone for good, in our words. */
export function lossOf(code: number | null): 'kicked' | 'refused' | 'unreachable' {
  const { act, ...more } = reactionTo(code)
  if (act === 'wait') return 'kicked'
  if (act === 'end') return 'refused'
  return 'joins' in more && more.joins < MAX_JOINS ? 'refused' : 'unreachable'
}

/** Error for an unanswered join. The channel is not the reason: room and permissions are checked before a join. */
export function silence(): Fault {
  const why = "Discord didn't respond when the bot asked to join the voice channel. Try again in a moment."
  return new Fault('service_unavailable', why, { reason: 'no_answer', retryAfterMs: 5000 })
}

/** Returns the error for the caller of a join. */
export function refusal({ why, closeCode }: VoiceLoss): Fault {
  if (closeCode === null && why === 'unreachable') return silence()
  if (why === 'kicked')
    return unprocessable('channel_not_joinable', 'Discord removed the bot from this voice channel immediately.')
  const code = closeCode === null ? '' : ` (close code ${closeCode})`
  return new Fault('service_unavailable', `Discord's voice server refused the bot${code}. Try again later.`)
}
