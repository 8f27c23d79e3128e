import type { Segment } from '../../../bot/tracks/segments.ts'
import type { TrackInfo } from '../../../bot/tracks/track.ts'
import type { TrackObject } from '../protocol/track.ts'

/** Positions come every second; where none came for longer, the sound stands still. */
const LONGEST_GUESS_MS = 1500

interface Start {
  readonly playId: number
  readonly track: TrackObject
  readonly info: TrackInfo
  readonly positionMs: number
  readonly endMs: number | null
}

/** The track that a player has on, from the request that asked for it to its end. */
export class CurrentTrack {
  readonly info: TrackInfo
  playId: number
  endMs: number | null
  /** Position at which it was last started. */
  startedAtMs: number
  /** Whether frames of it are being sent. */
  isSounding = false
  wasHeard = false
  /** Segments that are skipped. */
  segments: readonly Segment[] = []
  #track: TrackObject
  #positionMs: number
  #measuredAtMs = 0

  constructor({ playId, track, info, positionMs, endMs }: Start) {
    this.playId = playId
    this.#track = track
    this.info = info
    this.endMs = endMs
    this.startedAtMs = positionMs
    this.#positionMs = positionMs
  }

  setUserData(userData: TrackObject['userData']): void {
    this.#track = { ...this.#track, userData }
  }

  /** The track as sent over the wire, at its current position. */
  toObject(positionMs: number): TrackObject {
    return { ...this.#track, info: { ...this.#track.info, position: positionMs } }
  }

  /** Sets the position that was read, or that a jump led to. */
  measure(positionMs: number, nowMs: number): void {
    this.#positionMs = positionMs
    this.#measuredAtMs = nowMs
  }

  /** @param tempo how fast it runs; 0 while it stands still */
  positionAt(nowMs: number, tempo: number): number {
    const passedMs = this.isSounding ? Math.min(Math.max(nowMs - this.#measuredAtMs, 0), LONGEST_GUESS_MS) : 0
    // A length may be wrong; what was heard is not.
    const lastMs = Math.max(this.info.lengthMs || Infinity, this.#positionMs)
    return Math.round(Math.min(this.#positionMs + passedMs * tempo, lastMs))
  }
}
