import type { AudioNode, JoinOptions, PlayerRef, PlayOptions, Sound, VoiceCredentials } from '../node/protocol.ts'

/** A player that plays on another audio thread of this process. */
export interface HandoverOffer {
  readonly join: JoinOptions
  /** Opened here at a position that the other thread has passed already, and silent until `takeOver`. */
  readonly play: PlayOptions
  readonly voice: VoiceCredentials
}

/**
 * Moves a player from one audio thread of this process to another, in this order: `voiceOf` the old one, `adopt` on the
 * new one, `release`, `takeOver`, and `forget` on the old one. Discord sees the same bot connect to the voice server again;
 * it is not asked to be let in again.
 */
export interface HandoverMethods {
  /** Null where there is no voice that could be handed over, or someone listens to the player's frames. */
  voiceOf(player: PlayerRef): Promise<VoiceCredentials | null>
  /** Opens the track and a connection to the voice server. @throws {Fault} when one of them fails; then `forget` it. */
  adopt(offer: HandoverOffer): Promise<void>
  /**
   * Sends nothing more. @returns the moment of the sound, in samples, at which the new thread goes on; null if this play
   * cannot be handed over now, and sounds on: it fades, is reopened, or someone listens to its frames.
   */
  release(player: PlayerRef, playId: number): Promise<number | null>
  /** Goes on there. Resolves when frames can be sent. @throws {Fault} when voice is lost for good, as `join`, or never was. */
  takeOver(player: PlayerRef, content: number, sound: Sound): Promise<void>
  /** Ends what is left of a released or an adopted player, without leaving the channel. Safe to repeat. */
  forget(player: PlayerRef): Promise<void>
}

/** Null for nodes on other machines. */
export function handoverOf(node: AudioNode & { readonly handover?: HandoverMethods }): HandoverMethods | null {
  return node.handover ?? null
}
