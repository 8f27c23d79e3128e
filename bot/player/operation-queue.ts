import { Fault } from '../../lib/errors.ts'
import { createTurns } from '../../lib/sharing/turns.ts'
import type { PlayerState } from './player-state.ts'

/** More than a person or a program can mean to ask of one player at once. */
const MOST_WAITING = 200

/** Lets one operation run at a time, in the order they came. */
export type OperationQueue = ReturnType<typeof createOperationQueue>

export function createOperationQueue() {
  const inTurn = createTurns()
  /** Includes the running operation. */
  let waiting = 0

  function runAlways<T>(operation: () => Promise<T>): Promise<T> {
    waiting += 1
    return inTurn(operation).finally(() => {
      waiting -= 1
    })
  }

  return {
    /** Whether `take` would refuse now. */
    get isFull(): boolean {
      return waiting >= MOST_WAITING
    },
    /** @throws {Fault} `service_unavailable` when far too many wait already. */
    async take<T>(operation: () => Promise<T>): Promise<T> {
      if (waiting >= MOST_WAITING) {
        throw new Fault('service_unavailable', 'Too many requests wait for this player. Try again in a moment.', {
          retryAfterMs: 1000,
        })
      }
      return runAlways(operation)
    },
    /** Like `take`, for what must happen however many wait. */
    runAlways,
  }
}

/**
 * Has a caller's operation take its turn if its result can be saved, and answers when that is saved and its events are
 * passed on; what follows does not wait for it.
 * @throws {Fault} `service_unavailable` if not: nothing has changed, unless the message says so.
 */
export async function acknowledged<T>(
  operations: OperationQueue,
  { parts: { states, events, ref } }: PlayerState,
  operation: () => Promise<T>,
): Promise<T> {
  const turn = operations.take(async () => {
    states.assertWritable()
    return operation()
  })
  const written = () => states.written(ref)
  // Changes of a refused operation are saved before it is answered, too.
  await turn.catch(() => written().catch(() => undefined))
  const result = await turn
  // A caller who gets the result also gets all its effects, even if this process ends now.
  await Promise.all([written(), events.passed()])
  return result
}
