import { setTimeout as sleep } from 'node:timers/promises'
import { readMachine, sizesFor } from '../../../lib/process/machine.ts'
import { createFairShare, type Release } from '../../../lib/sharing/fair-share.ts'

/** Places for ffmpeg processes that play, of which each project gets a fair share. */
export type DecoderShares = ReturnType<typeof createDecoderShares>

interface DecoderPlace {
  /** The process has made its first frames, which is most of its work, or could not. */
  readonly started: () => void
  /** The process is gone. Safe to repeat. */
  readonly release: Release
}

/** A process that waits for its source costs nothing, so that it counts as starting for no longer. */
const START_MS = 500
const WAIT_MS = 15_000

/** Creates the shares. Defaults to as many processes as the machine's cores can feed and its memory holds. */
export function createDecoderShares(bounds: Partial<{ readonly processes: number; readonly starts: number }> = {}) {
  const machine = readMachine()
  const { processes = sizesFor(machine).decoders, starts = Math.max(8, 4 * machine.cores) } = bounds
  const running = createFairShare({
    what: 'decoders',
    total: processes,
    share: Math.ceil(processes * 0.75),
    maxWaiting: 0,
    maxWaitMs: 0,
  })
  const starting = createFairShare({
    what: 'track openings',
    total: starts,
    share: Math.ceil(starts / 2),
    maxWaiting: 200,
    maxWaitMs: WAIT_MS,
  })
  return {
    /**
     * Waits for the project's turn to start a process.
     * @throws {Fault} `service_unavailable` if the project has too many, or its turn does not come in time.
     */
    async acquire(projectId: string, signal: AbortSignal): Promise<DecoderPlace> {
      const release = await running.acquire(projectId, signal)
      try {
        const started = await starting.acquire(projectId, signal)
        void sleep(START_MS, undefined, { ref: false }).then(started)
        return {
          started,
          release: () => {
            started()
            release()
          },
        }
      } catch (error) {
        release()
        throw error
      }
    },
  }
}
