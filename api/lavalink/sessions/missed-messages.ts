/** Limits on the missed messages of a client; beyond them the oldest are dropped. */
const MAX_MESSAGES = 1000
const MAX_CHARS = 2 * 1024 * 1024

/** Messages for a session from the time it has no socket, in order. */
export class MissedMessages {
  #texts: string[] = []
  #chars = 0

  add(text: string): void {
    this.#texts.push(text)
    this.#chars += text.length
    while (this.#texts.length > MAX_MESSAGES || this.#chars > MAX_CHARS) this.#chars -= this.#texts.shift()?.length ?? 0
  }

  /** Returns and clears all messages. */
  take(): readonly string[] {
    const texts = this.#texts
    this.#texts = []
    this.#chars = 0
    return texts
  }
}
