import { opusSamples, SAMPLES_PER_SECOND, SILENCE_FRAME } from '../opus.ts'

/** Buffer time of packets before they are due: bursts or delays of the network within it are inaudible. */
const DELAY_SAMPLES = SAMPLES_PER_SECOND / 5
/** Packets further ahead than this mean that the speaker's clock has jumped. */
const AHEAD_SAMPLES_MAX = 2 * SAMPLES_PER_SECOND
/** A speaker keeps the floor over so long a hole. */
const HOLD_SAMPLES = SAMPLES_PER_SECOND / 4
/** The shortest Opus frame: below this two positions are the same. */
const GRAIN_SAMPLES = 120
const QUEUED_MAX = 400
/** A sequence number so little behind belongs to an overtaken packet; further behind it is another stream's. */
const OVERTAKEN_MAX = 100

export interface Heard {
  readonly opus: Buffer
  readonly sequence: number
  /** RTP timestamp in samples of the speaker's clock. */
  readonly timestamp: number
}

interface Queued {
  readonly opus: Buffer
  /** Position of playback, in samples of the listener's clock. */
  readonly position: number
  readonly samples: number
}

/**
 * One speaker's packets on their way to the listener's timeline: ordered by the RTP timestamp, so that what was lost
 * leaves a hole of its own length. A speaker who was silent, or late beyond the delay, is placed again at the end of
 * the delay; a packet that was overtaken and missed its turn is dropped.
 */
export class Track {
  /** A measure of loudness that needs no decoder: Opus spends more bytes on louder and richer sound. */
  loudness = 0
  #anchor: { readonly timestamp: number; readonly position: number } | null = null
  #lastSequence: number | null = null
  #soundUntil = Number.NEGATIVE_INFINITY
  #queue: Queued[] = []

  /** `now` is the listener's clock; `written` is how far its timeline has been handed out. */
  hear({ opus, sequence, timestamp }: Heard, now: number, written: number): void {
    const samples = opusSamples(opus)
    if (samples === null) return
    this.loudness += (opus.length - this.loudness) / 16
    const expected = this.#anchor && this.#anchor.position + ((timestamp - this.#anchor.timestamp) | 0)
    const isInTime = expected !== null && expected >= written && expected <= now + AHEAD_SAMPLES_MAX
    if (!isInTime && this.#wasOvertaken(sequence)) return
    if (!isInTime && expected !== null && expected > now) this.#queue = []
    const position = isInTime ? expected : now + DELAY_SAMPLES
    this.#anchor = { timestamp, position }
    if (!this.#wasOvertaken(sequence)) this.#lastSequence = sequence
    this.#insert({ opus, position, samples })
  }

  /** Whether this speaker makes, or just made, sound at a place of the timeline. */
  isSounding(position: number): boolean {
    const head = this.#head(position)
    if (head && head.position < position + GRAIN_SAMPLES && !head.opus.equals(SILENCE_FRAME)) return true
    return position < this.#soundUntil + HOLD_SAMPLES
  }

  /** The packet that plays here, or null for a hole; what should have played before is dropped. */
  take(position: number): Queued | null {
    const head = this.#head(position)
    if (!head || head.position >= position + GRAIN_SAMPLES) return null
    this.#queue.shift()
    if (!head.opus.equals(SILENCE_FRAME)) this.#soundUntil = position + head.samples
    return head
  }

  /** Samples until the next packet is due; infinite where none is queued. */
  untilNext(position: number): number {
    return (this.#queue[0]?.position ?? Number.POSITIVE_INFINITY) - position
  }

  /** The next packet, without those whose time has passed. */
  #head(position: number): Queued | undefined {
    while (this.#queue[0] && this.#queue[0].position + this.#queue[0].samples <= position) this.#queue.shift()
    return this.#queue[0]
  }

  #wasOvertaken(sequence: number): boolean {
    if (this.#lastSequence === null) return false
    const behind = (this.#lastSequence - sequence) & 0xffff
    return behind < OVERTAKEN_MAX
  }

  #insert(packet: Queued): void {
    const after = this.#queue.findLastIndex((it) => it.position <= packet.position)
    if (this.#queue[after]?.position === packet.position) return
    this.#queue.splice(after + 1, 0, packet)
    if (this.#queue.length > QUEUED_MAX) this.#queue.shift()
  }
}
