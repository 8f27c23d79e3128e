import type { Fault } from '../../../lib/errors.ts'

interface Waiter {
  readonly channelId: string
  readonly resolve: () => void
  readonly reject: (fault: Fault) => void
}

/** Callers that wait until frames can be sent to a channel. */
export class JoinWaiters {
  #waiting: readonly Waiter[] = []

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** Resolves with `serve`, rejects with `refuse`. @param onLate is called once where neither came in `withinMs`. */
  async add(channelId: string, withinMs: number, onLate: () => void): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting = [...this.#waiting, { channelId, resolve, reject }]
    const deadline = setTimeout(onLate, withinMs)
    try {
      await promise
    } finally {
      clearTimeout(deadline)
    }
  }

  serve(channelId: string): void {
    const served = this.#waiting.filter((waiter) => waiter.channelId === channelId)
    this.#waiting = this.#waiting.filter((waiter) => waiter.channelId !== channelId)
    for (const { resolve } of served) resolve()
  }

  refuse(fault: Fault): void {
    const refused = this.#waiting
    this.#waiting = []
    for (const { reject } of refused) reject(fault)
  }
}
