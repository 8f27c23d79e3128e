import { Fault } from '../../errors.ts'

interface Pending {
  readonly resolve: (value: unknown) => void
  readonly reject: (fault: Fault) => void
  readonly timer: NodeJS.Timeout
}

/** Calls to an audio thread that wait for their answers. */
export class PendingCalls {
  readonly #pending = new Map<number, Pending>()
  #lastId = 0

  /** Gives the call a number, posts it, and waits for its answer. @throws {Fault} when there is none in time. */
  make(post: (id: number) => void, withinMs: number): Promise<unknown> {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      const late = 'The audio thread did not answer in time; try again in a moment.'
      const timer = setTimeout(() => {
        this.#pending.delete(id)
        reject(new Fault('service_unavailable', late))
      }, withinMs)
      this.#pending.set(id, { resolve, reject, timer })
      post(id)
    })
  }

  /** Takes the call out; undefined when it has been given up. */
  settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    clearTimeout(pending?.timer)
    return pending
  }

  rejectAll(fault: Fault): void {
    for (const id of this.#pending.keys()) this.settle(id)?.reject(fault)
  }
}
