import { slices } from '../../../lib/process/slices.ts'

interface InboxOptions {
  /** Called whenever the share of a turn is spent and messages are left: nothing more is to be read meanwhile. */
  readonly onFull: () => void
  /** All are handled. */
  readonly onEmpty: () => void
}

/**
 * Queue of received packets, handled in order within the time share of a turn.
 * A packet of the network holds hundreds of guilds in compressed form, and handling one takes a tenth of a millisecond.
 */
export function createInbox({ onFull, onEmpty }: InboxOptions) {
  let waiting: (() => Promise<void>)[] = []
  let isRunning = false

  async function run(): Promise<void> {
    isRunning = true
    let isFull = false
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      for (const handle of batch) {
        if (slices.isSpent()) {
          isFull = true
          onFull()
          await nextTurn()
        }
        await Promise.race([handle(), nextTurn()])
      }
    }
    isRunning = false
    if (isFull) onEmpty()
  }

  return {
    /** @param handle never rejects, and may settle late; what comes after does not wait for more than one turn of the event loop. */
    put(handle: () => Promise<void>) {
      waiting.push(handle)
      if (!isRunning) void run()
    },
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
