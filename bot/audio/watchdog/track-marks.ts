import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import type { FrameOpener } from '../input/open-frames.ts'

/** Writes into shared memory which track's code runs, so that a thread that hangs or crashes leaves its mark. */
export type TrackMarks = ReturnType<typeof createTrackMarks>

/** No mark: the running work belongs to no track. */
export const NO_MARK = 0

export function createTrackMarks(cell: Int32Array) {
  const current = new AsyncLocalStorage<number>()
  createHook({
    before: () => {
      cell[0] = current.getStore() ?? NO_MARK
    },
  }).enable()
  return {
    /** Runs `work`, and all that comes of it later, as the work of the track with that mark. */
    within<T>(mark: number, work: () => T): T {
      const outer = cell[0] ?? NO_MARK
      cell[0] = mark
      const result = current.run(mark, work)
      // Not after a throw: an uncaught error ends the thread, and the mark says which track it was.
      cell[0] = outer
      return result
    },
  }
}

type Opening = Pick<FrameOpener, 'open' | 'prefetch'>

/** The same, with all work on a track marked as that track's. */
export function markOpening(opener: Opening, marks: TrackMarks): Opening {
  return {
    open: (track, ...request) => marks.within(track.mark ?? NO_MARK, () => opener.open(track, ...request)),
    prefetch: (track, ...request) => marks.within(track.mark ?? NO_MARK, () => opener.prefetch(track, ...request)),
  }
}
