import { Fault } from '../../../lib/errors.ts'
import { NO_FILTERS } from '../../player/audio-settings/filters.ts'
import type { Playable } from '../../sources/source.ts'
import type { TrackPlayerNews, TrackPlayerOptions } from './track-player-options.ts'
import { GaplessNext } from './gapless-next.ts'
import { Layers } from './layers.ts'
import { ActiveTrack } from './active-track.ts'
import { FRAME_MS, onGrid, SILENCE } from '../containers/opus.ts'
import { FrameSender } from './frame-sender.ts'
import type { Segment } from '../../tracks/segments.ts'
import type { NextTrack, PlayOptions, Sound } from '../node/protocol.ts'
import { Reopener } from './reopener.ts'
import { SegmentSkips } from './segments/segment-skips.ts'
import type { Feed } from './source-swap.ts'
import { PlaybackReporter } from './playback-reporter.ts'
import { isLive, isSameFilterGraph, filterGraphOf, type FilterGraph } from '../ffmpeg/filter-graph.ts'
import { TitleQueue } from './stream-titles.ts'

/** The prefetched next track may still be replaced while so much is left of the current one. */
const CHANGE_FRAMES = 3000 / FRAME_MS

/** One player's sound: sends a frame every 20 ms and swaps sources between two of them. */
export class TrackPlayer {
  /** What is laid over the track. It goes when the track does. */
  readonly layers: Layers
  readonly #options: TrackPlayerOptions
  #sound: Sound = { volume: 100, muted: false, paused: false }
  /** The last volume that was not 0, which needs no source of its own. */
  #volume = 100
  #loaded: ActiveTrack | null = null
  #opening: AbortController | null = null
  #following: GaplessNext | null = null
  readonly #skips = new SegmentSkips()
  readonly #reopener: Reopener
  readonly #telling: PlaybackReporter
  /** The play that should be opened again as soon as it is on. */
  #betterPlayId: number | null = null
  readonly #outflow: FrameSender

  constructor(options: TrackPlayerOptions) {
    this.#options = options
    this.#reopener = new Reopener({
      open: options.open,
      mixFor: (loaded) => this.#mixFor(loaded),
      onReady: () => {
        if (!this.#outflow.isAwake) this.#trySplice()
      },
      onBetter: (playId) => this.#onBetter(playId),
    })
    this.#telling = new PlaybackReporter(options)
    this.#outflow = new FrameSender({
      ...options,
      next: () => {
        this.#trySplice()
        const loaded = this.#loaded
        const frame = loaded && !this.#sound.paused ? this.#next(loaded) : null
        return frame && { frame, isNulled: this.#loaded !== null && this.#loaded.starvedMs > 0 }
      },
      isWaiting: () => this.#loaded !== null,
      onRest: () => this.#trySplice(),
    })
    this.layers = new Layers({
      open: options.open,
      onChange: () => this.#fit(),
      isPlaying: () => this.#loaded !== null && !this.#loaded.isRetired,
    })
  }

  get positionMs(): number {
    return this.#loaded?.positionMs ?? 0
  }

  /** Resolves when the first frame is ready; until then the previous track keeps sounding without events. */
  async play({ playId, playable, positionMs, ...sound }: PlayOptions): Promise<void> {
    this.#opening?.abort()
    this.#reopener.drop()
    if (this.#loaded) this.#loaded.isRetired = true
    this.prepare(null)
    const opening = new AbortController()
    this.#opening = opening
    this.#hearOf(sound)
    const titles = new TitleQueue()
    const request = { startSamples: onGrid(positionMs), timbre: this.#timbreFor(playable) }
    try {
      const onTitle = (title: string) => titles.push(title)
      const onBetter = () => this.#onBetter(playId)
      const source = await this.#options.open(playable, { ...request, onTitle, onBetter }, opening.signal)
      if (opening.signal.aborted) source.close()
      opening.signal.throwIfAborted()
      titles.follow(source)
      this.#load(new ActiveTrack(playId, playable, { source, timbre: request.timbre, titles, takenFrames: 0 }))
    } catch (cause) {
      if (opening.signal.aborted) throw new Fault('conflict', 'Something else was played instead.', { cause })
      this.#unload()
      this.#telling.refused(cause)
      throw cause
    } finally {
      if (this.#opening === opening) this.#opening = null
    }
    await this.#fit()
  }

  /** What is played when the track reaches its end; null for nothing. */
  prepare(next: NextTrack | null): void {
    this.#following?.reset()
    this.#following = next && new GaplessNext(next, this.#options.open, () => this.#onBetter(next.playId))
    if (next) this.#foresee(next)
  }

  /** What is not to be heard of that play; it may have ended since. */
  setSegments(playId: number, segments: readonly Segment[]): void {
    if (this.#loaded?.playId === playId) this.#skips.set(playId, segments)
  }

  /** What fails here fails again, and is reported, when its turn has come. */
  #foresee({ playId, playable }: NextTrack): void {
    const onKept = () => {
      if (this.#following?.next.playId === playId) this.#following.keep()
    }
    this.#options.foresee?.(playable, this.#timbreFor(playable), onKept).catch(() => undefined)
  }

  stop(): void {
    this.#opening?.abort()
    this.#unload()
  }

  /** Resolves when it can be heard. */
  async setSound(sound: Sound): Promise<void> {
    const isToggled = this.#sound.paused !== sound.paused
    this.#hearOf(sound)
    if (isToggled) this.#telling.position(this.#loaded)
    this.#wake()
    await this.#fit()
  }

  /** Resolves when it plays from there; until then it plays on. */
  async seek(positionMs: number): Promise<void> {
    const loaded = this.#loaded
    if (!loaded || loaded.isRetired) throw new Fault('conflict', 'Nothing is playing whose position could change.')
    await this.#reopener.reopen(loaded, onGrid(positionMs), 'another position')
    this.#telling.position(this.#loaded)
  }

  close(): void {
    this.stop()
    this.#outflow.close()
  }

  #load(loaded: ActiveTrack): void {
    this.#unload()
    this.#loaded = loaded
    this.#telling.begin()
    if (this.#betterPlayId === loaded.playId) this.#onBetter(loaded.playId)
    this.#wake()
  }

  #unload(): void {
    this.#reopener.drop()
    this.layers.clear()
    this.#skips.clear()
    this.prepare(null)
    if (this.#loaded) this.#telling.gone(this.#loaded)
    this.#loaded?.source.close()
    this.#loaded = null
  }

  #hearOf(sound: Sound): void {
    this.#sound = sound
    this.#volume = sound.volume || this.#volume
  }

  #timbreFor(playable: Playable): FilterGraph {
    const { filters = NO_FILTERS, isLevelled = false } = this.#sound
    return { ...filterGraphOf(this.#volume, filters, isLive(playable)), isLevelled }
  }

  #mixFor(loaded: ActiveTrack): FilterGraph {
    return this.layers.over(this.#timbreFor(loaded.playable), this.#volume, loaded.timbre)
  }

  /** Opens the track again when its source sounds otherwise than is wanted. */
  async #fit(): Promise<void> {
    const loaded = this.#loaded
    if (!loaded || loaded.isRetired) return
    const { coming } = this.#reopener
    if (isSameFilterGraph((coming ?? loaded).timbre, this.#mixFor(loaded))) return coming?.done
    this.#following?.reset()
    this.#skips.reset()
    await this.#reopener.reopen(loaded, coming?.jumpTo ?? null, 'another volume, filter or layer')
  }

  /** Opened again, that play would be as loud as others, or take no encoding. */
  #onBetter(playId: number): void {
    const loaded = this.#loaded
    const isOn = loaded?.playId === playId
    if (!isOn && this.#following?.next.playId === playId && loaded && loaded.source.buffered > CHANGE_FRAMES) {
      this.#following.reset()
    } else if (!isOn || this.#reopener.coming) {
      // A splice that is on its way may have been opened before.
      this.#betterPlayId = playId
    } else if (!loaded.isRetired && (!loaded.source.isDone || loaded.source.buffered > CHANGE_FRAMES)) {
      this.#betterPlayId = null
      this.#reopener
        .reopen(loaded, null, 'its loudness was measured, or it was encoded for good')
        .catch(() => undefined)
    }
  }

  #trySplice(): void {
    const loaded = this.#loaded
    const splice = loaded && this.#reopener.swap(loaded)
    if (!loaded || !splice) return
    this.#telling.spliced(splice.why, splice.ageMs)
    const segment = this.#skips.jumped(splice)
    if (segment) this.#telling.skipped(loaded, segment)
    if (this.#betterPlayId === loaded.playId) this.#onBetter(loaded.playId)
  }

  #wake(): void {
    if (this.#loaded && !this.#sound.paused) this.#outflow.wake()
  }

  /** The frame for now; silence where the source has none; null when the track is over. */
  #next(loaded: ActiveTrack): Buffer | null {
    if (this.#skipSegment(loaded)) return null
    const feed = this.#following?.take(loaded, (playable) => this.#timbreFor(playable))
    if (feed) return this.#goOn(loaded, feed)
    if (loaded.isOver) return this.#finish(loaded)
    const { starvedMs } = loaded
    const isMuted = this.#skips.isMuted(loaded)
    const frame = loaded.take()
    if (!frame) return this.#starve(loaded)
    this.#telling.frame(loaded, starvedMs)
    this.#endLayers(loaded)
    return this.#sound.muted || this.#sound.volume === 0 || isMuted ? SILENCE : frame
  }

  /** @returns whether that was the end of the track. */
  #skipSegment(loaded: ActiveTrack): boolean {
    if (loaded.isRetired || this.#reopener.coming) return false
    const open = (to: number, why: string) => this.#reopener.prepare(loaded, onGrid(to), why)
    const step = this.#skips.step(loaded, { open, canPrepare: this.layers.isEmpty })
    if (step?.is === 'end') {
      this.#telling.skipped(loaded, step.of)
      this.#end(loaded, { type: 'trackEnded', reason: 'finished', message: null })
    } else if (step) {
      this.#reopener.takeOver(step.to).catch(() => undefined)
      this.#trySplice()
    }
    return step?.is === 'end'
  }

  #endLayers(loaded: ActiveTrack): void {
    const ended = this.layers.advance()
    if (ended.length === 0) return
    for (const layerId of ended) this.#telling.news(loaded, { type: 'layerEnded', layerId })
    // On failure the current sound continues.
    this.#fit().catch(() => undefined)
  }

  #starve(loaded: ActiveTrack): Buffer {
    this.#telling.starved(loaded)
    // What could be passed through until here has to be transcoded from here on.
    if (loaded.source.isUnfit && !this.#reopener.coming) {
      this.#reopener.reopen(loaded, loaded.cursor, 'from here on it must be encoded').catch((error: unknown) => {
        if (this.#loaded === loaded) this.#fail(loaded, error instanceof Error ? error.message : null)
      })
    }
    return SILENCE
  }

  #finish(loaded: ActiveTrack): null {
    const { failure } = loaded.source
    if (failure) this.#fail(loaded, failure.message)
    else this.#end(loaded, { type: 'trackEnded', reason: 'finished', message: null })
    return null
  }

  /** The prepared track takes over with this very frame. */
  #goOn(loaded: ActiveTrack, feed: Feed): Buffer | null {
    const { playId, playable } = this.#following!.next
    const next = new ActiveTrack(playId, playable, feed)
    this.#load(next)
    this.#telling.news(loaded, { type: 'trackEnded', reason: 'finished', message: null, followedBy: playId })
    return this.#next(next)
  }

  #fail(loaded: ActiveTrack, message: string | null): void {
    this.#end(loaded, { type: 'trackEnded', reason: 'loadFailed', message })
  }

  #end(loaded: ActiveTrack, news: TrackPlayerNews): void {
    this.#unload()
    this.#telling.news(loaded, news)
  }
}
