import type { Quarantine } from '../../../lib/workers/quarantine.ts'
import type { Logger } from '../../../lib/log.ts'
import type { Timings } from '../node/timings.ts'
import type { Audible, PlayerRef } from '../node/protocol.ts'
import { subjectOf, Suspects } from './suspects.ts'

interface WatchdogOptions {
  readonly timings: Timings
  readonly log: Logger
  readonly quarantine: Quarantine
}

/** Ends an audio thread that hangs, and keeps the track that hung or crashed it from the next one. */
export class Watchdog {
  readonly #options: WatchdogOptions
  readonly #suspects = new Suspects()
  #marked = new Int32Array(new SharedArrayBuffer(4))
  #unansweredPings = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: WatchdogOptions) {
    this.#options = options
  }

  /** A ping is overdue. */
  get isSilent(): boolean {
    return this.#unansweredPings > 1
  }

  /** A thread starts. @returns the memory in which it marks the track that it works on. */
  begin(): Int32Array {
    this.#unansweredPings = 0
    this.#marked = new Int32Array(new SharedArrayBuffer(4))
    return this.#marked
  }

  /** Unanswered pings are counted, not timed: if this thread itself was held up, nothing is wrong with the other. */
  watch(ping: () => Promise<void>, onHang: () => void): void {
    const { timings, log } = this.#options
    const { pingMs, silentMs } = timings
    this.#timer = setInterval(() => {
      if (this.#unansweredPings++ * pingMs >= silentMs) {
        log.error({ silentMs }, 'audio thread hangs')
        onHang()
      } else ping().catch(() => undefined)
    }, pingMs)
  }

  heard(): void {
    this.#unansweredPings = 0
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** The thread ended without being told to. */
  ended(livedMs: number): void {
    const { timings, log, quarantine } = this.#options
    this.stop()
    const subject = this.#suspects.find(Atomics.load(this.#marked, 0), livedMs > timings.healthyMs)
    if (!subject) return
    quarantine.add(subject)
    log.error({ identity: subject.identity }, 'track quarantined: it hung or crashed the audio thread')
  }

  /** The track with its mark. @throws {Fault} `validation_error` while it is in quarantine. */
  admit(track: Audible): Audible {
    const refusal = this.#options.quarantine.refusalOf(subjectOf(track))
    if (refusal) throw refusal
    return this.#suspects.mark(track)
  }

  began(player: PlayerRef, track: Audible): void {
    this.#suspects.began(player, track)
  }

  left(player: PlayerRef): void {
    this.#suspects.left(player)
  }
}
