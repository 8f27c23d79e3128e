import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenFrames } from '../../input/open-frames.ts'

const LEAST_MS = 250

/** Opens at most one source in 250 ms. Of those that wait for their turn, the aborted ones are never opened. */
export function paceOpening(open: OpenFrames): OpenFrames {
  let lastMs = -Infinity
  return async (track, request, signal) => {
    const delayMs = lastMs + LEAST_MS - performance.now()
    if (delayMs > 0) await sleep(delayMs, undefined, { signal })
    signal.throwIfAborted()
    lastMs = performance.now()
    return open(track, request, signal)
  }
}
