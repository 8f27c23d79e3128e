import { NO_FILTERS } from '../../player/audio-settings/filters.ts'
import type { Playable } from '../../sources/source.ts'
import { filterGraphOf, isLive, type FilterGraph } from '../ffmpeg/filter-graph.ts'
import type { Sound } from '../node/protocol.ts'

/** How a player is to sound. */
export class WantedSound {
  #sound: Sound = { volume: 100, muted: false, paused: false }
  /** The last volume other than 0: muting needs no new source. */
  #volume = 100

  set(sound: Sound): void {
    this.#sound = sound
    this.#volume = sound.volume || this.#volume
  }

  get isPaused(): boolean {
    return this.#sound.paused
  }

  /** Silence goes out while the position runs on. */
  get isMuted(): boolean {
    return this.#sound.muted || this.#sound.volume === 0
  }

  /** Percent; never 0. */
  get volume(): number {
    return this.#volume
  }

  get fadeMs(): number {
    return this.isMuted ? 0 : (this.#sound.fadeMs ?? 0)
  }

  filterGraphFor(playable: Playable): FilterGraph {
    const { filters = NO_FILTERS, isLevelled = false } = this.#sound
    return { ...filterGraphOf(this.#volume, filters, isLive(playable)), isLevelled }
  }
}
