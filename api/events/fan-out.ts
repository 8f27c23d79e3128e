/** Deliveries done in one turn of the event loop; a socket costs some 15 µs, so a turn stays under a millisecond. */
const SLICE = 50
/** Messages that may wait for their turn; beyond that the work is done at once, so that nothing is lost or piles up. */
const BACKLOG_LIMIT = 1000

interface Delivery<Target> {
  readonly message: Buffer
  readonly targets: readonly Target[]
  next: number
}

export interface FanOut<Target> {
  /** Hands one message to many targets, in order for each of them. */
  push(message: Buffer, targets: readonly Target[]): void
  /** Resolves when all that was handed over is delivered. */
  delivered(): Promise<void>
}

/** Spreads a message to thousands of sockets over turns of the event loop, so that audio and requests go between. */
export function createFanOut<Target>(deliver: (target: Target, message: Buffer) => void): FanOut<Target> {
  const waiting: Delivery<Target>[] = []
  let scheduled = false

  function work(): void {
    scheduled = false
    let left = SLICE
    while (left > 0) {
      const [current] = waiting
      if (!current) return
      const slice = current.targets.slice(current.next, current.next + left)
      for (const target of slice) deliver(target, current.message)
      current.next += slice.length
      left -= slice.length
      if (current.next >= current.targets.length) waiting.shift()
    }
    schedule()
  }

  function schedule(): void {
    if (scheduled || waiting.length === 0) return
    scheduled = true
    setImmediate(work)
  }

  return {
    push(message, targets) {
      if (targets.length === 0) return
      waiting.push({ message, targets, next: 0 })
      if (waiting.length === 1 && targets.length <= SLICE) {
        work()
        return
      }
      while (waiting.length > BACKLOG_LIMIT) work()
      schedule()
    },
    async delivered() {
      while (waiting.length > 0) await new Promise((resolve) => setImmediate(resolve))
    },
  }
}
