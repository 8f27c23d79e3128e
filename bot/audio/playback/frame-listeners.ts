import { Fault } from '../../../lib/errors.ts'
import type { FrameListener, PlayerRef } from '../node/protocol.ts'
import type { Batch } from './frame-tee.ts'
import { guildKey } from '../../guild-key.ts'

const MOST_OF_A_PLAYER = 4
const MOST_OF_A_NODE = 20

/** Live listeners of the players of one node. The thread copies frames only while there are any. */
export class FrameListeners {
  readonly #listeners = new Map<string, Set<FrameListener>>()

  /**
   * @param tee starts or stops copying the player's frames in the audio thread.
   * @returns what ends it; safe to repeat.
   * @throws {Fault} `service_unavailable` when as many listen as may.
   */
  async add(player: PlayerRef, listener: FrameListener, tee: (isOpen: boolean) => Promise<unknown>) {
    const name = guildKey(player)
    const own = this.#listeners.get(name) ?? new Set<FrameListener>()
    const all = [...this.#listeners.values()].reduce((sum, { size }) => sum + size, 0)
    if (own.size >= MOST_OF_A_PLAYER || all >= MOST_OF_A_NODE) {
      throw new Fault('service_unavailable', 'Too many listeners. Try again later.')
    }
    this.#listeners.set(name, own.add(listener))
    const end = () => {
      if (!own.delete(listener) || own.size > 0) return
      this.#listeners.delete(name)
      // A thread that is gone copies nothing.
      tee(false).catch(() => undefined)
    }
    try {
      if (own.size === 1) await tee(true)
    } catch (error) {
      this.#end(name, own)
      throw error
    }
    return end
  }

  onBatch(player: PlayerRef, batch: Batch | null): void {
    let at = 0
    this.onFrames(player, batch && batch.sizes.map((size) => batch.bytes.subarray(at, (at += size))))
  }

  /** Null: there will be no more. */
  onFrames(player: PlayerRef, frames: readonly Uint8Array[] | null): void {
    const own = this.#listeners.get(guildKey(player))
    if (!own) return
    if (!frames) return this.#end(guildKey(player), own)
    for (const listener of own) listener(frames)
  }

  /** The thread is gone, and what it knew with it. */
  endAll(): void {
    for (const [name, own] of this.#listeners) this.#end(name, own)
  }

  #end(name: string, own: Set<FrameListener>): void {
    this.#listeners.delete(name)
    const listeners = [...own]
    own.clear()
    for (const listener of listeners) listener(null)
  }
}
