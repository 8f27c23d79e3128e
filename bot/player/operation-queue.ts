import { Fault } from '../../lib/errors.ts'
import type { PlayerState } from './player-state.ts'

/** More than a person or a program can mean to ask of one player at once. */
const MOST_WAITING = 200

/** Lets one operation run at a time, in the order they came. */
export interface OperationQueue {
  /** Whether `take` would refuse now. */
  readonly isFull: boolean
  /** @throws {Fault} `service_unavailable` when far too many wait already. */
  take<T>(operation: () => Promise<T>): Promise<T>
  /** Like `take`, for what must happen however many wait. */
  runAlways<T>(operation: () => Promise<T>): Promise<T>
}

/** Not p-queue: it would run an operation in the request context of the previous one, with that one's log fields and budget. */
export function createOperationQueue(): OperationQueue {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  function runAlways<T>(operation: () => Promise<T>): Promise<T> {
    waiting += 1
    const mine = last.then(operation).finally(() => {
      waiting -= 1
    })
    // The next operation runs even if this one failed; its caller gets the error.
    last = mine.catch(() => undefined)
    return mine
  }

  return {
    get isFull() {
      return waiting >= MOST_WAITING
    },
    async take(operation) {
      if (waiting >= MOST_WAITING) {
        throw new Fault('service_unavailable', 'Too many requests wait for this player. Try again in a moment.', {
          retryAfterMs: 1000,
        })
      }
      return runAlways(operation)
    },
    runAlways,
  }
}

/**
 * Runs a caller's operation if its result can be saved.
 * @throws {Fault} `service_unavailable` if not: nothing has changed, unless the message says so.
 */
export async function acknowledged<T>(state: PlayerState, operation: () => Promise<T>): Promise<T> {
  state.parts.states.assertWritable()
  const result = await operation()
  if (state.isUnsaved) throw notSaved()
  return result
}

export function notSaved(): Fault {
  const what = 'The change took effect but is not saved: the disk is full, or the database is locked.'
  return new Fault(
    'service_unavailable',
    `${what} The service saves it as soon as possible. A restart before then loses it.`,
  )
}
