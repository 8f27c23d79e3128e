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
  /** Where it was put on for the last time. */
  startedAtMs: number
  /** Frames of it go out. */
  isSounding = false
  wasHeard = false
  /** What of it is passed over. */
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

  /** As it goes over the wire, where it is now. */
  toObject(positionMs: number): TrackObject {
    return { ...this.#track, info: { ...this.#track.info, position: positionMs } }
  }

  /** Its position was read, or set by a jump. */
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
