import { Fault } from '../../../lib/errors.ts'
import type { TrackPlayerOptions } from './track-player-options.ts'
import { Fader } from '../mixing/fader.ts'
import { GaplessNext, type Join } from './gapless-next.ts'
import { Layers } from './layers.ts'
import { ActiveTrack } from './active-track.ts'
import { TrackOpening } from './opening/track-opening.ts'
import { onGrid, SILENCE } from '../containers/opus.ts'
import { FrameSender } from './frame-sender.ts'
import type { Segment } from '../../tracks/segments.ts'
import type { NextTrack, PlayOptions, Sound } from '../node/protocol.ts'
import { Reopener } from './opening/reopener.ts'
import { TrackUpgrade } from './opening/track-upgrade.ts'
import { SegmentSkips } from './segments/segment-skips.ts'
import { PlaybackReporter } from './playback-reporter.ts'
import { isLive, isSameFilterGraph, type FilterGraph } from '../ffmpeg/filter-graph.ts'
import { WantedSound } from '../mixing/wanted-sound.ts'

/** One player's sound: sends a frame every 20 ms and swaps sources between two of them. */
export class TrackPlayer {
  readonly layers: Layers
  readonly #options: TrackPlayerOptions
  readonly #sound = new WantedSound()
  #lastSound: Sound | null = null
  readonly #fader: Fader
  #loaded: ActiveTrack | null = null
  #opening: TrackOpening | null = null
  #stopping = Promise.resolve()
  #following: GaplessNext | null = null
  readonly #skips = new SegmentSkips()
  readonly #reopener: Reopener
  readonly #reporter: PlaybackReporter
  readonly #upgrade: TrackUpgrade
  readonly #sender: FrameSender

  constructor(options: TrackPlayerOptions) {
    this.#options = options
    this.#fader = new Fader(options.codecs ?? null)
    this.#reopener = new Reopener({
      ...options,
      mixFor: (loaded) => this.#mixFor(loaded),
      onReady: () => void (this.#sender.isAwake || this.#trySwap()),
      onUpgrade: (playId) => this.#onUpgrade(playId),
    })
    this.#upgrade = new TrackUpgrade(this.#reopener)
    this.#reporter = new PlaybackReporter(options)
    this.#sender = new FrameSender({
      ...options,
      next: () => {
        this.#trySwap()
        const loaded = this.#loaded
        const frame = loaded && !this.#sound.isPaused ? this.#next(loaded) : null
        return frame && { frame, isNulled: this.#loaded !== null && this.#loaded.starvedMs > 0 }
      },
      isWaiting: () => this.#loaded !== null,
      onSilence: () => this.#fader.starve(),
      onRest: () => this.#trySwap(),
    })
    this.layers = new Layers({
      ...options,
      onChange: () => this.#fit(),
      isPlaying: () => this.#loaded !== null && !this.#loaded.isRetired,
    })
  }

  get positionMs(): number {
    return this.#opening?.positionMs ?? this.#loaded?.positionMs ?? 0
  }

  /** Play that is active or being opened. */
  get playId(): number | null {
    return this.#opening?.playId ?? this.#loaded?.playId ?? null
  }

  /** Resolves when the first frame is ready; until then the previous track keeps sounding without events. */
  async play({ playId, playable, positionMs, endMs, ...sound }: PlayOptions): Promise<void> {
    this.#retire()
    const opening = new TrackOpening({ playId, playable, positionMs, ...(endMs !== undefined && { endMs }) })
    this.#opening = opening
    this.#applySound(sound)
    try {
      const request = { filterGraph: this.#sound.filterGraphFor(playable), onUpgrade: () => this.#onUpgrade(playId) }
      this.#load(await opening.open(this.#options.open, request, this.#stopping))
      if (opening.positionMs > 0) this.#fader.fadeIn(this.#sound.fadeMs, true)
    } catch (cause) {
      if (opening.isAborted) throw cause
      this.#unload()
      this.#reporter.refused(cause)
      throw cause
    } finally {
      if (this.#opening === opening) this.#opening = null
    }
    await this.#fit()
  }

  prepare(next: NextTrack | null): void {
    this.#following?.reset()
    this.#following = next && new GaplessNext(next, this.#options, () => this.#onUpgrade(next.playId))
    if (next) this.#following?.prefetch(this.#sound.filterGraphFor(next.playable))
  }

  setSegments(playId: number, segments: readonly Segment[]): void {
    if (this.#loaded?.playId === playId) this.#skips.set(playId, segments)
  }

  setEnd(playId: number, endMs: number | null): void {
    if (this.playId === playId) (this.#opening ?? this.#loaded)?.setEnd(endMs)
  }

  /** Resolves when it has faded out. */
  stop(): Promise<void> {
    this.#retire()
    const loaded = this.#loaded
    const end = () => void (this.#loaded === loaded && this.#unload())
    if (this.#canFade) this.#stopping = this.#fader.fadeOut(this.#sound.fadeMs).then(end)
    else end()
    return this.#stopping
  }

  async setSound(sound: Sound): Promise<void> {
    const isToggled = this.#sound.isPaused !== sound.paused
    const isHeardAtOnce = this.#sound.isButLouder(sound) && this.#fader.canScale
    this.#lastSound = sound
    if (isToggled && sound.paused && this.#canFade) await this.#fader.fadeOut(this.#sound.fadeMs)
    // A resume after a seek waits for the new position, unless another pause overtakes it.
    if (isToggled && !sound.paused && this.#reopener.isJumping) await this.#reopener.jumped()
    if (!sound.paused && this.#lastSound !== sound) return
    this.#applySound(sound)
    if (isToggled) this.#reporter.position(this.#loaded)
    if (isToggled && !sound.paused) this.#fader.fadeIn(this.#sound.fadeMs, true)
    if (this.#loaded && !sound.paused) this.#sender.wake()
    const fitted = this.#fit()
    return isHeardAtOnce ? void fitted.catch((error: unknown) => this.#reporter.refused(error)) : fitted
  }

  async seek(positionMs: number): Promise<void> {
    const loaded = this.#loaded
    if (this.#opening) return this.#opening.seek(positionMs)
    if (!loaded || loaded.isRetired) throw new Fault('conflict', 'Nothing is playing, so there is no position to set.')
    if (loaded.isEndedAt(positionMs)) return void this.#end(loaded)
    await this.#reopener.reopen(loaded, onGrid(positionMs), 'seek')
    this.#reporter.position(this.#loaded)
  }

  close(): void {
    this.#retire()
    this.#unload()
    this.#sender.close()
  }

  /** Something else is wanted: nothing more comes of what plays, or was to. */
  #retire(): void {
    this.#opening?.abort()
    this.#opening = null
    this.#reopener.drop()
    if (this.#loaded) this.#loaded.isRetired = true
    this.prepare(null)
  }

  get #canFade(): boolean {
    const { fadeMs, isPaused } = this.#sound
    return fadeMs > 0 && this.#loaded !== null && !isPaused && this.#sender.isAwake && this.#options.outlet.isSendable
  }

  /** @param overlapFrames of the previous track, which sound below it. */
  #load(loaded: ActiveTrack, overlapFrames = 0): void {
    this.#unload(overlapFrames)
    this.#loaded = loaded
    this.#fader.madeAt = loaded.filterGraph.volume ?? 100
    this.#reporter.begin()
    if (this.#upgrade.isFor(loaded)) this.#onUpgrade(loaded.playId)
    if (!this.#sound.isPaused) this.#sender.wake()
  }

  #unload(overlapFrames = 0): void {
    this.#reopener.drop()
    this.layers.clear()
    this.#skips.clear()
    this.prepare(null)
    const loaded = this.#loaded
    this.#loaded = null
    if (loaded) this.#reporter.gone(loaded)
    if (loaded && overlapFrames > 0) return this.#fader.overlap(loaded.source, overlapFrames)
    loaded?.source.close()
    this.#fader.reset()
  }

  #applySound(sound: Sound): void {
    this.#sound.set(sound)
    this.#fader.follow(this.#sound)
  }

  #mixFor(loaded: ActiveTrack): FilterGraph {
    return this.layers.over(this.#sound.filterGraphFor(loaded.playable), this.#sound.volume, loaded.filterGraph)
  }

  /** Reopens the track if its source has other volume, filters or layers than wanted. */
  async #fit(): Promise<void> {
    const loaded = this.#loaded
    if (!loaded || loaded.isRetired) return
    const { pendingSwap } = this.#reopener
    if (isSameFilterGraph((pendingSwap ?? loaded).filterGraph, this.#mixFor(loaded))) return pendingSwap?.done
    this.#following?.reset()
    this.#skips.reset()
    await this.#reopener.reopen(loaded, pendingSwap?.jumpTo ?? null, 'change of volume, filters or layers')
  }

  #onUpgrade(playId: number): void {
    this.#upgrade.offer(playId, this.#loaded, this.#following)
  }

  #trySwap(mayFade = true): void {
    const loaded = this.#loaded
    if (!loaded) return
    const { fadeMs } = this.#sound
    if (!this.#reopener.pendingSwap) return this.#fader.fadeInAfterJump(fadeMs)
    const isFaded = mayFade && this.#reopener.pendingSwap.canJump && this.#canFade && !isLive(loaded.playable)
    if (isFaded && !this.#fader.fadeOutForJump(fadeMs)) return
    const swap = this.#reopener.swap(loaded)
    if (!this.#reopener.pendingSwap) this.#fader.fadeInAfterJump(fadeMs)
    if (!swap) return
    this.#reporter.spliced(swap.why, swap.ageMs)
    this.#reporter.skipped(loaded, this.#skips.jumped(swap))
    this.#fader.madeAt = loaded.filterGraph.volume ?? 100
    if (swap.jumpTo !== null) this.#fader.cut()
    if (this.#upgrade.isFor(loaded)) this.#onUpgrade(loaded.playId)
  }

  /** The next frame; silence if the source has none; null when the track is over. */
  #next(loaded: ActiveTrack): Buffer | null {
    if (this.#skipSegment(loaded)) return null
    const join = loaded.isRetired ? null : this.#following?.take(loaded, this.#sound, this.#fader.canOverlap)
    if (join) return this.#startGapless(loaded, join)
    if (loaded.isOver) return this.#end(loaded, loaded.isEndedAt(loaded.positionMs) ? null : loaded.source.failure)
    const { starvedMs } = loaded
    const isMuted = this.#skips.isMuted(loaded) || this.#sound.isMuted
    const frame = loaded.take()
    if (!frame) return this.#starve(loaded)
    this.#reporter.frame(loaded, starvedMs)
    for (const layerId of this.layers.advance()) this.#reporter.news(loaded, { type: 'layerEnded', layerId })
    return isMuted ? SILENCE : this.#fader.pass(frame, loaded)
  }

  #skipSegment(loaded: ActiveTrack): boolean {
    if (this.#skips.isEmpty || loaded.isRetired || this.#reopener.pendingSwap) return false
    const open = (to: number, why: string) => this.#reopener.prepare(loaded, onGrid(to), why)
    const step = this.#skips.step(loaded, { open, canPrepare: this.layers.isEmpty })
    if (step?.is === 'end') {
      this.#reporter.skipped(loaded, step.of)
      this.#end(loaded)
    } else if (step) {
      this.#reopener.takeOver(step.to).catch(() => undefined)
      this.#trySwap(false)
    }
    return step?.is === 'end'
  }

  #starve(loaded: ActiveTrack): Buffer {
    this.#reporter.starved(loaded)
    this.#fader.starve()
    // The track can no longer pass through and needs transcoding.
    if (loaded.source.needsTranscode && !this.#reopener.pendingSwap) {
      this.#reopener.reopen(loaded, loaded.cursor, 'encoding needed from here on').catch((error: unknown) => {
        if (this.#loaded === loaded) this.#end(loaded, error ?? new Error('The track broke off.'))
      })
    }
    return SILENCE
  }

  #startGapless(loaded: ActiveTrack, { feed, overlapFrames }: Join): Buffer | null {
    const { playId, playable } = this.#following!.next
    const next = new ActiveTrack(playId, playable, feed)
    this.#load(next, overlapFrames)
    this.#reporter.ended(loaded, null, playId)
    return this.#next(next)
  }

  /** @param failure why it broke off; null if it is over. */
  #end(loaded: ActiveTrack, failure: unknown = null): null {
    this.#unload()
    this.#reporter.ended(loaded, failure)
    return null
  }
}
