import type { Logger } from '../../../lib/log.ts'
import { EventListeners } from '../node/event-listeners.ts'
import type { AudioEvent, PlayerRef } from '../node/protocol.ts'

/** Base of all nodes on other machines, in any protocol: listeners to events, loss and return. */
export abstract class BaseNode {
  readonly id: string
  readonly isRemote = true
  readonly isAsleep = false
  protected readonly log: Logger
  readonly #events: EventListeners
  readonly #restartListeners: ((lost?: readonly PlayerRef[]) => void)[] = []
  readonly #awayListeners: (() => void)[] = []

  constructor({ id, log }: { readonly id: string; readonly log: Logger }) {
    this.id = id
    this.log = log.child({ nodeId: id })
    this.#events = new EventListeners(this.log)
  }

  onEvent(listener: (event: AudioEvent) => void): void {
    this.#events.add(listener)
  }

  onRestarted(listener: (lost?: readonly PlayerRef[]) => void): void {
    this.#restartListeners.push(listener)
  }

  onAway(listener: () => void): void {
    this.#awayListeners.push(listener)
  }

  /** No-op: the node has its own clock, and its players go silent with this service's connection. */
  holdUntil(): void {}

  protected emit(event: AudioEvent): void {
    this.#events.tell(event)
  }

  /** @param lost the players that ended; left out: all of them may have */
  protected emitRestarted(lost?: readonly PlayerRef[]): void {
    for (const listener of this.#restartListeners) listener(lost)
  }

  /** Notifies listeners that the node's players have to move. */
  protected emitAway(): void {
    for (const listener of this.#awayListeners) listener()
  }
}
