import { abortable } from '../../lib/deadline.ts'
import { Fault } from '../../lib/errors.ts'
import type { AlbumPlace } from '../sources/source.ts'
import type { QueuedTrack } from './player-parts.ts'
import { audible, type PlayerState } from './player-state.ts'
import { openSound } from './position/skip-segments.ts'

/** A source may take this long to say how a track is opened. */
const OPEN_TIMEOUT_MS = 10_000

/** A play whose first frame is ready. */
export interface OpenedPlay {
  /** The position after the segments skipped there. */
  readonly positionMs: number
  readonly album: AlbumPlace | null
}

interface Opening {
  readonly playId: number
  readonly positionMs: number
  /** The address that it was opened by does not do any more. */
  readonly isRenewed?: boolean
}

/**
 * Has the audio node open a track for a play. Resolves when the first frame is ready.
 * @throws {Fault} when the source or the node cannot open it; the reason of `interrupted` when that aborts.
 */
export async function openPlay(state: PlayerState, track: QueuedTrack, opening: Opening, interrupted: AbortSignal) {
  const signal = AbortSignal.any([interrupted, AbortSignal.timeout(OPEN_TIMEOUT_MS)])
  const sound = await abortable(openSound(state, track, opening, signal), signal)
  const { node, ref } = state.parts
  const play = node.play({ ...ref, ...audible(state, state.sound), playId: opening.playId, ...sound })
  await abortable(play, interrupted)
  return { positionMs: sound.positionMs, album: sound.playable.album ?? null }
}

/** The track of a player that comes back, opened while it joins its channel. */
export type EarlyPlay = ReturnType<typeof openEarly>

interface TakenPlay {
  readonly playId: number
  /** Null if it failed: it is opened once more then, as if it had not been tried. */
  readonly opened: Promise<OpenedPlay | null>
}

/** @param positionMs where the current track goes on. */
export function openEarly(state: PlayerState, positionMs: number) {
  const interrupted = new AbortController()
  let early: (TakenPlay & { readonly track: QueuedTrack }) | null = null
  return {
    /** The audio node knows the player by now, which has no voice yet. Never throws. */
    begin() {
      const { current: track } = state.rotation
      // A stream goes on meanwhile, and would be heard late.
      if (early || track === null || track.info.isStream || state.isAdrift) return
      const playId = state.reservePlay()
      const opened = openPlay(state, track, { playId, positionMs }, interrupted.signal).catch(() => null)
      early = { track, playId, opened }
    },
    /**
     * The play that was opened for this track, once. The one that takes it ends it.
     * @returns null if there is none, or none that can be used.
     */
    take(track: QueuedTrack): TakenPlay | null {
      const taken = early?.track === track && !interrupted.signal.aborted ? early : null
      early = null
      return taken
    },
    /** Gives it up. Leaving voice ends what the node has of it. */
    abort: (): void => interrupted.abort(new Fault('conflict', 'The player is no longer joining.')),
  }
}
