import { setTimeout as sleep } from 'node:timers/promises'
import { createMarks } from '../../../lib/sharing/marks.ts'

export interface EventBatch {
  /** The number of the first event; each has the next one. */
  readonly first: number
  readonly events: readonly string[]
  readonly changes: readonly string[]
}

interface EventQueueOptions {
  /** Resolves when the service has them. */
  readonly send: (batch: EventBatch) => Promise<void>
  /** Called when this many batches in a row did not arrive. */
  readonly onFailing: (failures: number) => void
}

const MOST_WAITING = 20_000
const MOST_AT_ONCE = 200
const MOST_CHARS = 256 * 1024
const FIRST_RETRY_MS = 50
const LONGEST_RETRY_MS = 1000

/**
 * Events on their way to one service, in order. One batch is under way at a time, and is sent again until it has arrived:
 * the receiver recognizes repeated events by their numbers.
 */
export class EventQueue {
  readonly #options: EventQueueOptions
  readonly #waiting: string[] = []
  readonly #changes = new Set<string>()
  readonly #closing = new AbortController()
  /** Number of the first waiting event. */
  #first = 1
  #failures = 0
  #working: Promise<void> | null = null
  readonly #marks = createMarks()

  constructor(options: EventQueueOptions) {
    this.#options = options
  }

  /** @returns whether there was room. */
  push(event: string): boolean {
    if (this.#waiting.length >= MOST_WAITING || this.#isClosed) return false
    this.#waiting.push(event)
    this.#working ??= this.#work()
    return true
  }

  /** Changes are told at least once, in no order. */
  pushChange(change: string): void {
    if (this.#isClosed) return
    this.#changes.add(change)
    this.#working ??= this.#work()
  }

  /** Resolves when all events so far have arrived, or one did not at the first attempt. */
  async passed(): Promise<void> {
    if (this.#failures === 0) await this.#marks.after(this.#waiting.length)
  }

  /** Resolves when nothing waits any more. */
  async flushed(): Promise<void> {
    await this.#working
  }

  close(): void {
    this.#closing.abort()
    this.#marks.release()
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted
  }

  async #work(): Promise<void> {
    // Events of one turn of the event loop go together.
    await new Promise(setImmediate)
    while (!this.#isClosed && (this.#waiting.length > 0 || this.#changes.size > 0)) {
      const batch = this.#takeBatch()
      try {
        await this.#options.send(batch)
        this.#failures = 0
        this.#waiting.splice(0, batch.events.length)
        this.#first += batch.events.length
        this.#marks.pass(batch.events.length)
      } catch {
        await this.#fail(batch)
      }
    }
    this.#working = null
  }

  #takeBatch(): EventBatch {
    let chars = 0
    const end = this.#waiting.findIndex((event, at) => at >= MOST_AT_ONCE || (chars += event.length) > MOST_CHARS)
    const events = this.#waiting.slice(0, end < 0 ? undefined : Math.max(1, end))
    const changes = [...this.#changes]
    this.#changes.clear()
    return { first: this.#first, events, changes }
  }

  async #fail({ changes }: EventBatch): Promise<void> {
    for (const change of changes) this.#changes.add(change)
    this.#failures += 1
    this.#marks.release()
    this.#options.onFailing(this.#failures)
    const pauseMs = Math.min(FIRST_RETRY_MS * 2 ** (this.#failures - 1), LONGEST_RETRY_MS)
    await sleep(pauseMs, undefined, { signal: this.#closing.signal }).catch(() => undefined)
  }
}
