import { Fault } from '../../../lib/errors.ts'
import type { FrameListener, PlayerRef } from '../node/protocol.ts'
import type { Batch } from './frame-tee.ts'
import { guildKey } from '../../guild-key.ts'

const MOST_OF_A_PLAYER = 4
const MOST_OF_A_NODE = 20

/** Live listeners of the players of one node. The thread copies frames only while there are any. */
export class FrameListeners {
  readonly #ears = new Map<string, Set<FrameListener>>()

  /**
   * @param tap makes the thread copy the player's sound, or stop it.
   * @returns what ends it; safe to repeat.
   * @throws {Fault} `service_unavailable` when as many listen as may.
   */
  async add(player: PlayerRef, ear: FrameListener, tap: (isOpen: boolean) => Promise<unknown>): Promise<() => void> {
    const name = guildKey(player)
    const own = this.#ears.get(name) ?? new Set<FrameListener>()
    const all = [...this.#ears.values()].reduce((sum, { size }) => sum + size, 0)
    if (own.size >= MOST_OF_A_PLAYER || all >= MOST_OF_A_NODE) {
      throw new Fault('service_unavailable', 'As many listen along already as may. Try again later.')
    }
    this.#ears.set(name, own.add(ear))
    const end = () => {
      if (!own.delete(ear) || own.size > 0) return
      this.#ears.delete(name)
      // A thread that is gone copies nothing.
      tap(false).catch(() => undefined)
    }
    try {
      if (own.size === 1) await tap(true)
    } catch (error) {
      this.#end(name, own)
      throw error
    }
    return end
  }

  onBatch(player: PlayerRef, batch: Batch | null): void {
    const own = this.#ears.get(guildKey(player))
    if (!own) return
    if (!batch) return this.#end(guildKey(player), own)
    let at = 0
    const frames = batch.sizes.map((size) => batch.bytes.subarray(at, (at += size)))
    for (const ear of own) ear(frames)
  }

  /** The thread is gone, and what it knew with it. */
  endAll(): void {
    for (const [name, own] of this.#ears) this.#end(name, own)
  }

  #end(name: string, own: Set<FrameListener>): void {
    this.#ears.delete(name)
    const ears = [...own]
    own.clear()
    for (const ear of ears) ear(null)
  }
}
