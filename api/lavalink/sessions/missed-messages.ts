/** So much of what a client missed is kept for it; then the oldest go. */
const MAX_MESSAGES = 1000
const MAX_CHARS = 2 * 1024 * 1024

/** What happened while a session had no socket, in order. */
export class MissedMessages {
  #texts: string[] = []
  #chars = 0

  add(text: string): void {
    this.#texts.push(text)
    this.#chars += text.length
    while (this.#texts.length > MAX_MESSAGES || this.#chars > MAX_CHARS) this.#chars -= this.#texts.shift()?.length ?? 0
  }

  /** All of them, which are forgotten. */
  take(): readonly string[] {
    const texts = this.#texts
    this.#texts = []
    this.#chars = 0
    return texts
  }
}
