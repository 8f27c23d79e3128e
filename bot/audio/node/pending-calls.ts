import { Fault } from '../../../lib/errors.ts'

interface Pending {
  readonly resolve: (value: unknown) => void
  readonly reject: (fault: Fault) => void
  timer: NodeJS.Timeout
}

/** Calls to an audio thread that wait for their answers. */
export class PendingCalls {
  readonly #pending = new Map<number, Pending>()
  readonly #isSilent: () => boolean
  #lastId = 0

  /** `isSilent`: the thread says nothing at all, so that it either wakes up or is ended soon. */
  constructor(isSilent: () => boolean) {
    this.#isSilent = isSilent
  }

  /**
   * Gives the call a number, posts it, and waits for its answer.
   * @throws {Fault} when there is none in time, and at the end of a thread that is silent by then.
   */
  make(post: (id: number) => void, withinMs: number): Promise<unknown> {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      const onLate = () => {
        const pending = this.#pending.get(id)
        if (pending && this.#isSilent()) pending.timer = setTimeout(onLate, withinMs)
        else this.settle(id)?.reject(late())
      }
      this.#pending.set(id, { resolve, reject, timer: setTimeout(onLate, withinMs) })
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

function late(): Fault {
  return new Fault('service_unavailable', 'The audio thread did not answer in time; try again in a moment.')
}
