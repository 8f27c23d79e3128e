import { Fault } from '../../../lib/errors.ts'
import type { Playable } from '../../sources/source.ts'
import type { FrameSource } from './frame-buffer.ts'
import type { OpenFrames } from '../input/open-frames.ts'
import { FRAME_MS, SAMPLES_PER_FRAME } from '../containers/opus.ts'
import type { LayerPosition, LayerRequest } from '../node/protocol.ts'
import { PLAIN, type LayerInput, type FilterGraph } from '../ffmpeg/filter-graph.ts'

/** A new layer begins so much later: in that time the mixed sound is made ready, so that its beginning is heard. */
const LEAD_FRAMES = 300 / FRAME_MS

interface Layer {
  readonly id: string
  readonly playable: Playable
  /** The layer's own source, read in step with the mix, for its position and its end. */
  readonly source: FrameSource
  volume: number
  waitFrames: number
  takenFrames: number
}

interface LayersOptions {
  readonly open: OpenFrames
  /** Other layers are wanted now; resolves when they are heard. */
  readonly onChange: () => Promise<void>
  readonly isPlaying: () => boolean
}

export class Layers {
  readonly #options: LayersOptions
  readonly #layers = new Map<string, Layer>()
  #closing = new AbortController()

  constructor(options: LayersOptions) {
    this.#options = options
  }

  /** Resolves when it is a part of what is sent; its first sound comes a moment later at most. */
  async add({ id, playable, volume }: LayerRequest): Promise<void> {
    const { signal } = this.#closing
    const request = { startSamples: 0, filterGraph: PLAIN, onTitle: () => undefined }
    const source = await this.#options.open(playable, request, signal)
    if (signal.aborted || !this.#options.isPlaying()) {
      source.close()
      throw new Fault('conflict', 'The track under this layer has ended.', { reason: 'nothing_playing' })
    }
    this.#layers.set(id, { id, playable, source, volume, waitFrames: LEAD_FRAMES, takenFrames: 0 })
    await this.#options.onChange()
  }

  async setVolume(id: string, volume: number): Promise<void> {
    const layer = this.#layers.get(id)
    if (!layer) return
    layer.volume = volume
    await this.#options.onChange()
  }

  async remove(id: string): Promise<void> {
    this.#layers.get(id)?.source.close()
    if (this.#layers.delete(id)) await this.#options.onChange()
  }

  get isEmpty(): boolean {
    return this.#layers.size === 0
  }

  clear(): void {
    this.#closing.abort()
    this.#closing = new AbortController()
    for (const { source } of this.#layers.values()) source.close()
    this.#layers.clear()
  }

  positions(): readonly LayerPosition[] {
    return Array.from(this.#layers.values(), ({ id, takenFrames }) => ({ id, positionMs: takenFrames * FRAME_MS }))
  }

  /** The sound of the track with the layers over it, from this moment on. @param heard what is sent so far. */
  over(filterGraph: FilterGraph, volume: number, heard: FilterGraph): FilterGraph {
    if (this.#layers.size === 0) return filterGraph
    const layers = Array.from(this.#layers.values(), (layer): LayerInput => {
      if (layer.takenFrames === 0 && !heard.layers?.some(({ id }) => id === layer.id)) layer.waitFrames = LEAD_FRAMES
      const { id, playable, waitFrames, takenFrames } = layer
      const gain = (layer.volume * volume) / 100
      const at = { fromSamples: takenFrames * SAMPLES_PER_FRAME, delaySamples: waitFrames * SAMPLES_PER_FRAME }
      return { id, playable, gain, ...at }
    })
    return { ...filterGraph, layers }
  }

  /** A frame of the track was sent. @returns the layers that ended with it. */
  advance(): readonly string[] {
    if (this.#layers.size === 0) return []
    const ended = Array.from(this.#layers.values()).filter((layer) => isOverAfterFrame(layer))
    for (const { id, source } of ended) {
      source.close()
      this.#layers.delete(id)
    }
    // On failure the current sound continues.
    if (ended.length > 0) this.#options.onChange().catch(() => undefined)
    return ended.map(({ id }) => id)
  }
}

function isOverAfterFrame(layer: Layer): boolean {
  const { source } = layer
  if (layer.waitFrames > 0) layer.waitFrames--
  else if (source.take()) layer.takenFrames++
  return source.isDone && source.buffered === 0
}
