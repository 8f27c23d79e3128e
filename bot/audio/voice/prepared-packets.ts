import type { FrameRun } from '../playback/track-player-options.ts'
import { sendDatagram, type UdpTarget } from './udp-socket.ts'

export interface PreparedOptions {
  /** Sealed packets, one behind the other. */
  readonly bytes: Buffer
  /** Where each of them ends. */
  readonly ends: readonly number[]
  readonly target: UdpTarget
  /** Asked before each of them. */
  readonly mayGo: () => boolean
  /** The system keeps one until the network takes it: the memory must stay as it is. */
  readonly onKept: () => void
  /** No further ones go out; called once. */
  readonly onEnd: (sent: number) => void
}

/** What goes out next of a session, sealed with the keys that it has now. It is ended when anything is heard of the session. */
export class PreparedPackets implements FrameRun {
  // Each object that sending looks at has to be read from memory again, for each player every 20 ms: so they are few.
  readonly #bytes: Buffer
  readonly #ends: readonly number[]
  readonly #target: UdpTarget
  readonly #mayGo: () => boolean
  readonly #options: PreparedOptions
  #at = 0
  #sent = 0
  #isOver = false

  constructor(options: PreparedOptions) {
    this.#options = options
    this.#bytes = options.bytes
    this.#ends = options.ends
    this.#target = options.target
    this.#mayGo = options.mayGo
  }

  send(): boolean {
    const end = this.#ends[this.#sent]
    if (this.#isOver || end === undefined || !this.#mayGo()) return false
    if (!sendDatagram(this.#target, this.#bytes.subarray(this.#at, end))) this.#options.onKept()
    this.#at = end
    this.#sent++
    return true
  }

  end(): number {
    if (!this.#isOver) this.#options.onEnd(this.#sent)
    this.#isOver = true
    return this.#sent
  }
}
