import type { AudioEvent, AudioNode, PlayerRef, Sound, TrackException } from '../../../bot/audio/node/protocol.ts'
import { exceptionOf } from '../../../bot/audio/node/track-exception.ts'
import { tempoOf } from '../../../bot/player/audio-settings/filters.ts'
import type { Clock } from '../../../bot/player/timers.ts'
import type { Segment } from '../../../bot/tracks/segments.ts'
import type { TrackInfo } from '../../../bot/tracks/track.ts'
import { abortable } from '../../../lib/deadline.ts'
import type { Logger } from '../../../lib/log.ts'
import { runForProject } from '../../../lib/request-context.ts'
import type { PlayerEvent, TrackEndReason } from '../protocol/messages.ts'
import type { JsonObject, TrackObject } from '../protocol/track.ts'
import type { TrackService } from '../tracks/track-service.ts'
import { CurrentTrack } from './current-track.ts'

/** A source may take this long to say how a track is opened. */
const OPEN_TIMEOUT_MS = 10_000
/** A track that broke off after this long is opened again; one that did so earlier is broken where it is. */
const SHORTEST_RUN_MS = 2000

/** An event without its player. */
export type EventFacts = PlayerEvent extends infer E
  ? E extends PlayerEvent
    ? Omit<E, 'op' | 'guildId'>
    : never
  : never

/** A track to put on, and how. */
export interface TrackToPlay {
  readonly track: TrackObject
  readonly info: TrackInfo
  readonly positionMs: number
  readonly endMs: number | null
}

interface PlaybackParts {
  readonly ref: PlayerRef
  readonly projectId: string
  readonly node: AudioNode
  readonly tracks: Pick<TrackService, 'open'>
  readonly clock: Clock
  readonly log: Logger
  /** Returns the wanted sound at this moment. */
  readonly sound: () => Sound
  readonly emit: (event: EventFacts) => void
  /** Called when the state should be reported without delay. */
  readonly onChange: () => void
}

/** The one track of a player: put on, moved in and taken off, with Lavalink's events in Lavalink's order. */
export class Playback {
  readonly #parts: PlaybackParts
  #current: CurrentTrack | null = null
  #opening: AbortController | null = null
  #lastPlayId = 0
  /** Jumps that are not done yet; until then positions are of before. */
  #jumps = 0
  /** The audio node has this player. */
  #isReady = false

  constructor(parts: PlaybackParts) {
    this.#parts = parts
  }

  get hasTrack(): boolean {
    return this.#current !== null
  }

  get positionMs(): number {
    return this.#current?.positionAt(this.#parts.clock.nowMs(), this.tempo) ?? 0
  }

  /** The track as sources know it, another object each time that one is put on. */
  get playing(): { readonly info: TrackInfo } | null {
    return this.#current
  }

  /** Speed of the position; 0 while it stands still. */
  get tempo(): number {
    const { paused, filters = {} } = this.#parts.sound()
    return paused || this.#jumps > 0 ? 0 : tempoOf(filters)
  }

  /** The track as it goes over the wire. */
  get track(): TrackObject | null {
    return this.#current?.toObject(this.positionMs) ?? null
  }

  /** Puts a track on in place of what plays, which sounds on until the first frame of the new one is there. */
  play({ track, info, positionMs, endMs }: TrackToPlay): void {
    this.#end('replaced')
    const playId = ++this.#lastPlayId
    const current = new CurrentTrack({ playId, track, info, positionMs, endMs })
    this.#current = current
    this.#jumps = 0
    this.announce()
    if (this.#isReady) void this.#open(current)
  }

  /** Tells of the track that was put on. */
  announce(): void {
    if (!this.#current) return
    this.#parts.emit({ type: 'TrackStartEvent', track: this.track! })
    this.#parts.onChange()
  }

  /** Takes the track off. */
  stop(reason: TrackEndReason): void {
    if (!this.#current) return
    this.#end(reason)
    void this.#ask('stop', () => this.#parts.node.stop(this.#parts.ref))
  }

  setUserData(userData: JsonObject): void {
    this.#current?.setUserData(userData)
  }

  seek(positionMs: number): void {
    const current = this.#current
    if (!current || current.info.isStream) return
    const { node, ref, clock } = this.#parts
    current.measure(Math.min(positionMs, current.info.lengthMs || Infinity), clock.nowMs())
    this.#parts.onChange()
    if (!this.#isReady || this.#opening) return
    this.#jumps++
    void this.#ask('seek', async () => {
      await node.seek(ref, positionMs).finally(() => {
        if (this.#current === current) this.#jumps--
      })
    })
  }

  /** Sets the end of the track; null: the end of its sound. */
  setEnd(endMs: number | null): void {
    const current = this.#current
    if (!current) return
    current.endMs = endMs
    const { node, ref } = this.#parts
    if (this.#isReady && !this.#opening) void this.#ask('setEnd', () => node.setEnd(ref, current.playId, endMs))
  }

  /** Replaces the segments of the track that are skipped. */
  setSegments(segments: readonly Segment[]): void {
    const current = this.#current
    if (!current) return
    current.segments = segments
    const { node, ref } = this.#parts
    const { playId } = current
    if (this.#isReady && !this.#opening) void this.#ask('setSegments', () => node.setSegments(ref, playId, segments))
  }

  /** Another volume, filters, or a pause. */
  renewSound(): void {
    const { node, ref, sound, clock } = this.#parts
    // So that a pause stands where it began.
    this.#current?.measure(this.positionMs, clock.nowMs())
    if (this.#isReady) void this.#ask('setSound', () => node.setSound(ref, sound()))
  }

  /** The audio node has the player, perhaps again: what is on plays where it was. */
  begin(): void {
    this.#isReady = true
    const current = this.#current
    if (!current) return
    current.playId = ++this.#lastPlayId
    void this.#open(current)
  }

  /** The audio node has nothing of this player any more: the track waits where it is. */
  interrupt(): void {
    this.#isReady = false
    this.#opening?.abort()
    const current = this.#current
    if (!current) return
    current.measure(this.positionMs, this.#parts.clock.nowMs())
    current.isSounding = false
  }

  close(): void {
    this.#opening?.abort()
    this.#isReady = false
  }

  /** Updates the position from the audio node. */
  measure(playId: number | null, positionMs: number): void {
    if (this.#current?.playId === playId && this.#jumps === 0) {
      this.#current.measure(positionMs, this.#parts.clock.nowMs())
    }
  }

  /** @returns whether it is about the track that is on. */
  hear(event: AudioEvent): boolean {
    const current = this.#current
    if (!current || !('playId' in event) || event.playId !== current.playId) return false
    const nowMs = this.#parts.clock.nowMs()
    if (event.type === 'trackStarted') {
      current.isSounding = true
      current.wasHeard = true
      current.measure(current.positionAt(nowMs, 0), nowMs)
    } else if (event.type === 'position') {
      this.measure(event.playId, event.positionMs)
    } else if (event.type === 'trackStuck' && event.waitedMs < 2 * event.thresholdMs) {
      // The audio node repeats it each threshold; Lavalink tells a stall once.
      this.#parts.emit({ type: 'TrackStuckEvent', track: this.track!, thresholdMs: event.thresholdMs })
      this.#parts.onChange()
    } else if (event.type === 'trackCleanedUp') this.#end('cleanup')
    else if (event.type === 'trackEnded') this.#onEnded(current, event)
    return true
  }

  #onEnded(current: CurrentTrack, { reason, exception }: Extract<AudioEvent, { type: 'trackEnded' }>): void {
    if (reason === 'finished') return this.#end('finished')
    const { positionMs } = this
    if (positionMs - current.startedAtMs >= SHORTEST_RUN_MS) {
      // Addresses of sound expire, and connections break: listeners hear a gap at most.
      this.#parts.log.info({ guildId: this.#parts.ref.guildId, positionMs }, 'track reopened')
      current.playId = ++this.#lastPlayId
      void this.#open(current, true)
      return
    }
    this.#fail(exception ?? exceptionOf(null))
  }

  async #open(current: CurrentTrack, isFresh?: boolean): Promise<void> {
    const { node, ref, projectId, tracks, sound, clock } = this.#parts
    const { info, playId } = current
    this.#opening?.abort()
    const opening = new AbortController()
    this.#opening = opening
    const isOver = () => opening.signal.aborted || this.#current !== current
    try {
      const signal = AbortSignal.any([opening.signal, AbortSignal.timeout(OPEN_TIMEOUT_MS)])
      const found = runForProject(projectId, () => tracks.open(info, signal, isFresh))
      const playable = await abortable(found, signal)
      if (isOver()) return
      this.#opening = null
      const positionMs = info.isStream ? 0 : current.positionAt(clock.nowMs(), 0)
      current.startedAtMs = positionMs
      const identity = `${info.sourceName} ${info.identifier}`
      const audible = { ...playable, identity }
      const end = current.endMs === null ? {} : { endMs: current.endMs }
      await node.play({ ...ref, ...sound(), playId, playable: audible, positionMs, ...end })
      const { segments } = current
      if (segments.length > 0 && !isOver()) await node.setSegments(ref, playId, segments)
    } catch (err) {
      // If the node is to blame, it plays the track again after its restart.
      if (isOver() || current.playId !== playId || !node.isAlive) return
      this.#fail(exceptionOf(err))
      // The track before it may still sound.
      void this.#ask('stop', () => node.stop(ref))
    } finally {
      if (this.#opening === opening) this.#opening = null
    }
  }

  #fail(exception: TrackException): void {
    const { log, ref, emit } = this.#parts
    const current = this.#current!
    const { uri, sourceName } = current.info
    log.warn({ guildId: ref.guildId, uri, sourceName, why: exception.cause }, 'track failed')
    const { cause } = exception
    // The stack trace of our code helps no client.
    const told = { ...exception, causeStackTrace: cause }
    emit({ type: 'TrackExceptionEvent', track: this.track!, exception: told })
    this.#end(current.wasHeard ? 'finished' : 'loadFailed')
  }

  #end(reason: TrackEndReason): void {
    const { track } = this
    if (!track) return
    this.#opening?.abort()
    this.#current = null
    this.#parts.emit({ type: 'TrackEndEvent', track, reason })
  }

  /** Calls the node. A failure was reported already, or the player is gone: the client need not know. */
  async #ask(what: string, call: () => Promise<void>): Promise<void> {
    await call().catch((err: unknown) =>
      this.#parts.log.debug({ guildId: this.#parts.ref.guildId, err, what }, 'audio node refused'),
    )
  }
}
