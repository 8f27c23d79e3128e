import type { Logger } from '../../../lib/log.ts'
import type { AudioEvent } from './protocol.ts'

/** Listeners to the events of one node. A failing listener does not affect the others. */
export class EventListeners {
  readonly #log: Logger
  readonly #listeners: ((event: AudioEvent) => void)[] = []

  constructor(log: Logger) {
    this.#log = log
  }

  add(listener: (event: AudioEvent) => void): void {
    this.#listeners.push(listener)
  }

  tell(event: AudioEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event)
      } catch (err) {
        this.#log.error({ err, type: event.type }, 'audio event handler failed')
      }
    }
  }
}
