import { abortable } from '../../../lib/deadline.ts'
import { Fault } from '../../../lib/errors.ts'
import type { OpenFrames } from './open-frames.ts'

/** Less than the timeout of the main thread, so that the caller learns what was slow. */
const OPEN_MS = 8500

/** Gives a track up whose first frame takes longer than that. */
export function withOpenDeadline(open: OpenFrames, ms = OPEN_MS): OpenFrames {
  return async (track, request, signal) => {
    const late = AbortSignal.timeout(ms)
    const opening = open(track, request, AbortSignal.any([signal, late]))
    try {
      const source = await abortable(opening, late)
      if (!late.aborted || source.buffered > 0) return source
    } catch (error) {
      if (!late.aborted) throw error
    }
    // Closes a source that opens too late.
    opening.then((source) => source.close()).catch(() => undefined)
    const message = `The source of this track sent no audio within ${ms / 1000} s.`
    throw new Fault('upstream_failed', message)
  }
}
