const FIRST_MS = 250
const LAST_MS = 5000

/** Tries again after a failure, each time later, until it is stopped. */
export class Reconnect {
  readonly #connect: () => void
  #timer: NodeJS.Timeout | undefined
  #failures = 0
  #isStopped = false

  constructor(connect: () => void) {
    this.#connect = connect
  }

  succeeded(): void {
    this.#failures = 0
  }

  failed(): void {
    if (this.#isStopped) return
    const delayMs = Math.min(LAST_MS, FIRST_MS * 2 ** this.#failures++)
    this.#timer = setTimeout(this.#connect, delayMs).unref()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }
}
