import { isDeepStrictEqual } from 'node:util'
import { NO_FILTERS } from '../../player/audio-settings/filters.ts'
import type { Playable } from '../../sources/source.ts'
import { filterGraphOf, isLive, type FilterGraph } from '../ffmpeg/filter-graph.ts'
import type { Sound } from '../node/protocol.ts'

export class WantedSound {
  #sound: Sound = { volume: 100, muted: false, paused: false }
  /** The last volume other than 0: muting needs no new source. */
  #volume = 100

  set(sound: Sound): void {
    this.#sound = sound
    this.#volume = sound.volume || this.#volume
  }

  /** Whether at most the volume is another one then. */
  isButLouder({ paused, filters = NO_FILTERS, isLevelled = false }: Sound): boolean {
    const before = this.#sound
    if (paused !== before.paused || isLevelled !== (before.isLevelled ?? false)) return false
    return isDeepStrictEqual(filters, before.filters ?? NO_FILTERS)
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
