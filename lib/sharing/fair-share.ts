import { Fault } from '../errors.ts'
import { createFairQueue } from './fair-queue.ts'

/** Gives a place back. A second call does nothing. */
export type Release = () => void

/** A bounded pool of places, of which each project gets a fair share. */
interface FairShare {
  /** Places in use, of all projects. */
  readonly held: number
  /** Acquisitions that wait for a place, of all projects. */
  readonly waiting: number
  /**
   * Waits for a place in the project's own line.
   * @throws `signal.reason` if aborted while waiting; {Fault} `service_unavailable` with a retry delay if the
   *   project's line is full or no place became free within `maxWaitMs`.
   */
  acquire(projectId: string, signal?: AbortSignal): Promise<Release>
  /** Returns null if the project may not take a place right now. */
  tryAcquire(projectId: string): Release | null
  /** Holds a place while `work` runs. Throws as `acquire` and `work` do. */
  run<T>(projectId: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

export interface FairShareOptions {
  /** Plural, for messages: `audio reads` makes "Your project's share of audio reads is used up." */
  readonly what: string
  /** Places of all projects together. */
  readonly total: number
  /**
   * The most places of one project. If it is less than `total`, a project also stops at half of what is free, so that
   * the next project finds a place. If it equals `total`, one project may fill the pool, and a project without a place
   * gets the next free one.
   */
  readonly share: number
  /** The most acquisitions of one project that wait; 0 refuses at once. */
  readonly maxWaiting: number
  readonly maxWaitMs: number
}

const RETRY_AFTER_MS = 2000

export function createFairShare(options: FairShareOptions): FairShare {
  const { what, total, share, maxWaiting, maxWaitMs } = options
  const queue = createFairQueue<{ readonly projectId: string; readonly grant: () => void }>()
  const places = createPlaces({ total, share, onFree: grantFree })

  function grantFree(): void {
    const next = queue.take((id) => places.isNewcomer(id)) ?? queue.take((id) => places.mayTake(id))
    if (!next) return
    next.grant()
    grantFree()
  }

  function refusal(projectId: string): Fault {
    const isOwn = places.heldOf(projectId) > 0 || queue.sizeOf(projectId) > 0
    const message = isOwn
      ? `Too many concurrent ${what} in your project. Try again when one has finished.`
      : `Too many concurrent ${what} in this service. Try again in a moment.`
    return new Fault('service_unavailable', message, { retryAfterMs: RETRY_AFTER_MS })
  }

  function wait(projectId: string, signal: AbortSignal | undefined): Promise<Release> {
    const { promise, resolve, reject } = Promise.withResolvers<Release>()
    const waiter = { projectId, grant: () => resolve(places.take(projectId)) }
    const giveUp = (reason: () => unknown) => {
      if (queue.remove(projectId, waiter)) reject(reason())
    }
    const onAbort = () => giveUp(() => signal?.reason)
    const timer = setTimeout(() => giveUp(() => refusal(projectId)), maxWaitMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    queue.add(projectId, waiter)
    return promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    })
  }

  const pool: FairShare = {
    get held() {
      return places.held
    },
    get waiting() {
      return queue.size
    },
    tryAcquire: (projectId) => (places.mayTake(projectId) ? places.take(projectId) : null),
    async acquire(projectId, signal) {
      signal?.throwIfAborted()
      if (places.mayTake(projectId)) return places.take(projectId)
      if (queue.sizeOf(projectId) >= maxWaiting) throw refusal(projectId)
      return wait(projectId, signal)
    },
    async run(projectId, work, signal) {
      const release = await pool.acquire(projectId, signal)
      return Promise.try(work).finally(release)
    },
  }
  return pool
}

interface PlacesOptions extends Pick<FairShareOptions, 'total' | 'share'> {
  readonly onFree: () => void
}

/** Counts the places that each project holds, and decides which project may take another. */
function createPlaces({ total, share, onFree }: PlacesOptions) {
  const heldBy = new Map<string, number>()
  let held = 0
  const heldOf = (projectId: string): number => heldBy.get(projectId) ?? 0
  function change(projectId: string, by: 1 | -1): void {
    held += by
    const count = heldOf(projectId) + by
    if (count === 0) heldBy.delete(projectId)
    else heldBy.set(projectId, count)
  }
  return {
    get held() {
      return held
    },
    heldOf,
    isNewcomer: (projectId: string) => held < total && heldOf(projectId) === 0,
    mayTake(projectId: string): boolean {
      const free = total - held
      return free > 0 && heldOf(projectId) < (share < total ? Math.min(share, free) : total)
    },
    take(projectId: string): Release {
      let isReleased = false
      change(projectId, 1)
      return () => {
        if (isReleased) return
        isReleased = true
        change(projectId, -1)
        onFree()
      }
    },
  }
}
