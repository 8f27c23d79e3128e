import { Fault } from '../../lib/errors.ts'
import type { AudioNode, Sound } from '../audio/node/protocol.ts'
import type { PlayerNews } from '../events.ts'
import { NO_FILTERS, tempoOf, type Filters } from './audio-settings/filters.ts'
import { createSleepTimer, type SleepTimer } from './audio-settings/sleep-timer.ts'
import type { AlbumPlace } from '../sources/source.ts'
import { FULL, type Volume } from './audio-settings/volume-state.ts'
import { channelOf, isPaused, next, positionAt, type Phase, type PlayerEvent } from './phase.ts'
import type { Layer, PlayerParts, PreparedTrack, QueuedTrack, Silence } from './player-parts.ts'
import { CurrentMarks } from './position/current-marks.ts'
import { EMPTY_QUEUE, type Queue } from './queue/queue.ts'
import { toSaved } from './restore/saved-state.ts'

/** The state of one player. Its methods alone change it; everything else reads it as `PlayerState`. */
class MutablePlayerState {
  readonly parts: PlayerParts
  /** Resolved when voice is left and nothing remains. */
  readonly gone = Promise.withResolvers<void>()
  phase: Phase
  rotation: Queue<QueuedTrack> = EMPTY_QUEUE
  volume: Volume = FULL
  filters: Filters = NO_FILTERS
  /** The current track is being opened, and events have not told of its start. */
  isUnannounced = false
  /** Something that was added to it could be played, or waits. */
  isUsed = false
  /** When and where the current play became audible; distinguishes tracks that end before they start. */
  started: { readonly atMs: number; readonly positionMs: number; readonly album: AlbumPlace | null } | null = null
  /** Aborts the opening of a track that is no longer needed. */
  loading: AbortController | null = null
  /** The audio node has no voice for this player: until it has joined again, it only plans. */
  isAdrift = false
  streamTitle: string | null = null
  privacyCode: string | null = null
  /** Why Discord mutes the bot. */
  silenced: Silence | null = null
  /** Plays after the current one, ahead of the queue. */
  nextTrack: QueuedTrack | null = null
  /** The track that autoplay has chosen to play when nothing else is left. */
  suggestion: QueuedTrack | null = null
  layers: readonly Layer[] = []
  prepared: PreparedTrack | null = null
  readonly marks = new CurrentMarks()
  /** Set once the player closes; nothing new is begun then. */
  isClosing = false
  readonly sleep: SleepTimer
  /** Since when it is on its audio node. */
  placedAtMs: number
  readonly #onIdle: () => void
  #lastPlayId = 0
  /** When the last listener left. */
  #aloneSinceMs: number | null = null
  #cancelTimers: () => void = () => undefined

  constructor(parts: PlayerParts, channelId: string, { onIdle, onFade }: StateHooks) {
    this.parts = parts
    this.placedAtMs = parts.clock.nowMs()
    this.sleep = createSleepTimer(parts.clock, { onFade, onElapsed: onIdle })
    this.phase = { at: 'joining', channelId }
    this.#onIdle = onIdle
  }

  get positionMs(): number {
    const tempo = this.silenced === null ? tempoOf(this.filters) : 0
    const positionMs = positionAt(this.phase, this.parts.clock.nowMs(), tempo)
    return Math.round(Math.min(positionMs, this.rotation.current?.info.lengthMs || Infinity))
  }

  get sound(): Sound {
    const { volume, filters, parts } = this
    return {
      volume: volume.level * this.sleep.level,
      muted: volume.muted,
      paused: isPaused(this.phase),
      filters,
      isLevelled: parts.isLevelled,
      fadeMs: parts.fades.fadeMs,
    }
  }

  /** The one door through which the phase changes. Timers and the saved state follow. */
  apply(event: PlayerEvent): void {
    const before = this.phase
    this.phase = next(before, event, this.parts.clock.nowMs())
    if (this.phase === before || event.type === 'measured') return
    this.countListeners()
    this.save()
  }

  /** Counts the listeners, and sets the timers that close an idle player. */
  countListeners(): void {
    const { clock, rules } = this.parts
    this.#cancelTimers()
    const channelId = channelOf(this.phase)
    if (channelId === null || this.phase.at === 'joining') return
    const nowMs = clock.nowMs()
    this.#aloneSinceMs = this.parts.countListeners(channelId) > 0 ? null : (this.#aloneSinceMs ?? nowMs)
    const aloneAtMs = this.#aloneSinceMs === null ? Infinity : this.#aloneSinceMs + rules.aloneMs
    const idleAtMs = this.phase.at === 'idle' ? this.phase.sinceMs + rules.idleMs : Infinity
    const closesAtMs = Math.min(aloneAtMs, idleAtMs)
    this.#cancelTimers =
      closesAtMs === Infinity ? () => undefined : clock.after(Math.max(closesAtMs - nowMs, 0), this.#onIdle)
  }

  /** Saves the whole state, unless the player is not open. A failing disk does not stop the music. */
  save(): void {
    const saved = toSaved(this)
    if (saved !== null) this.parts.states.save(saved)
  }

  /** Sets what a restart has interrupted, before the first join. */
  putBack(saved: Pick<MutablePlayerState, 'volume' | 'rotation' | 'filters' | 'nextTrack'>): void {
    const { volume, rotation, filters, nextTrack } = saved
    Object.assign(this, { volume, rotation, filters, nextTrack })
    this.isUsed = true
  }

  get isUnused(): boolean {
    const { current, queue } = this.rotation
    return !this.isUsed && !this.isClosing && current === null && queue.length === 0
  }

  /** Sets what nothing else follows from. */
  set(change: Partial<Settable>): void {
    Object.assign(this, change)
  }

  setRotation(rotation: Queue<QueuedTrack>): void {
    this.rotation = rotation
    this.save()
  }

  setSound(volume: Volume, filters: Filters): void {
    this.volume = volume
    this.filters = filters
  }

  reservePlay = (): number => ++this.#lastPlayId

  /** A play begins, which the audio node does not send yet. @param playId one that was reserved. @returns its id. */
  beginLoading(loading: AbortController, positionMs: number, paused: boolean, playId = this.reservePlay()): number {
    this.layers = []
    this.prepared = null
    this.apply({ type: 'loading', playId, positionMs, paused })
    if (!this.isAdrift) this.loading = loading
    return playId
  }

  /** The first frame of the current track is there. */
  beginPlay(playId: number, positionMs: number, album: AlbumPlace | null): void {
    this.isUnannounced = false
    this.started = { atMs: this.parts.clock.nowMs(), positionMs, album }
    this.apply({ type: 'started', playId })
    this.apply({ type: 'measured', playId, positionMs })
  }

  /** The current track is over; `after` is what plays and waits from now on. */
  leaveTrack(after: Queue<QueuedTrack>): void {
    this.rotation = after
    this.isUnannounced = false
    this.started = null
    this.layers = []
    this.prepared = null
    this.suggestion = null
    this.streamTitle = null
    this.marks.clear()
  }

  /** Sets the gapless next track. @returns it with the id of its play. */
  setPrepared(track: QueuedTrack | null): PreparedTrack | null {
    this.prepared = track && { playId: this.reservePlay(), track, album: null }
    return this.prepared
  }

  setPreparedAlbum(album: AlbumPlace | null): void {
    if (this.prepared) this.prepared = { ...this.prepared, album }
  }

  addLayer(layer: Layer): void {
    this.layers = [...this.layers, layer]
  }

  setLayerVolume(id: string, volume: number): void {
    this.layers = this.layers.map((layer) => (layer.id === id ? { ...layer, volume } : layer))
  }

  removeLayer(id: string): void {
    this.layers = this.layers.filter((layer) => layer.id !== id)
  }

  setNode(node: AudioNode): void {
    this.parts.node = node
    this.placedAtMs = this.parts.clock.nowMs()
  }

  /** The audio node has nothing of this player any more: everything waits until it has voice again. */
  loseVoice(): void {
    this.apply({ type: 'voiceRestoring' })
    this.isAdrift = true
    this.loading?.abort()
  }

  regainVoice(channelId: string): void {
    this.isAdrift = false
    this.apply({ type: 'voiceReady', channelId })
  }

  /** The last that is written of a player that joined, and the end of its timers. */
  endSaving(isSavedForRestart: boolean): void {
    const { states, ref, projectId } = this.parts
    this.#cancelTimers()
    this.marks.clear()
    if (!isSavedForRestart) this.sleep.set(null)
    if (isSavedForRestart) this.save()
    else if (this.phase.at !== 'joining') states.remove(projectId, ref.botId, ref.guildId)
  }
}

type Settable = Pick<
  MutablePlayerState,
  | 'isClosing'
  | 'isUnannounced'
  | 'isUsed'
  | 'loading'
  | 'nextTrack'
  | 'privacyCode'
  | 'silenced'
  | 'streamTitle'
  | 'suggestion'
>

export type PlayerState = Readonly<MutablePlayerState>

interface StateHooks {
  /** The player is no longer needed. */
  readonly onIdle: () => void
  /** The sound becomes quieter before the sleep timer ends it, or as loud as it was since that was called off. */
  readonly onFade: () => void
}

export function createPlayerState(parts: PlayerParts, channelId: string, hooks: StateHooks): PlayerState {
  return new MutablePlayerState(parts, channelId, hooks)
}

export function emit({ parts: { projectId, ref, events } }: PlayerState, event: PlayerNews): void {
  events.emit({ projectId, event: { ...event, ...ref } })
}

/** Whether the audio node pauses it: unheard tracks wait. */
export function audible(state: PlayerState, sound: Sound): Sound {
  return state.silenced === null ? sound : { ...sound, paused: true }
}

export function noPlayer(guildId: string): Fault {
  return new Fault('not_found', `There is no player in server ${guildId}. POST …/play starts one.`)
}

/** @throws {Fault} `not_found` when the player has closed while the caller waited for its turn. */
export function assertOpen(state: PlayerState): void {
  if (state.isClosing || state.phase.at === 'closed') throw noPlayer(state.parts.ref.guildId)
}

/** @throws {Fault} `service_unavailable` while the audio node is being restarted. */
export function assertNode(state: PlayerState): void {
  const { node } = state.parts
  if (node.isAlive) return
  throw new Fault('service_unavailable', `The audio node ${node.id} restarts. Try again in a moment.`, {
    retryAfterMs: 2000,
  })
}
