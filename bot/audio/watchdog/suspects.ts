import { createLru } from '../../../lib/sharing/lru.ts'
import type { Subject } from '../../../lib/workers/quarantine.ts'
import type { Audible, PlayerRef } from '../node/protocol.ts'
import { NO_MARK } from './track-marks.ts'
import { guildKey } from '../../guild-key.ts'

interface Suspect {
  readonly subject: Subject
  /** Rises with every track that begins. */
  readonly order: number
  /** Ends of the thread in a row, without a known cause, that it was there for. */
  strikes: number
}

const MARKS_MAX = 10_000
const STRIKES_MAX = 2

/** Tracks what an audio thread plays, and finds the track that ended it. */
export class Suspects {
  readonly #marked = createLru<number, Subject>(MARKS_MAX)
  readonly #playing = new Map<string, Suspect>()
  #lastMark = NO_MARK

  /** The track with a mark that the thread writes down while it works on it. */
  mark(track: Audible): Audible {
    this.#lastMark += 1
    this.#marked.set(this.#lastMark, subjectOf(track))
    return { ...track, mark: this.#lastMark }
  }

  began(player: PlayerRef, track: Audible): void {
    const key = guildKey(player)
    const subject = subjectOf(track)
    if (this.#playing.get(key)?.subject.identity === subject.identity) return
    this.#playing.set(key, { subject, order: this.#lastMark, strikes: 0 })
  }

  left(player: PlayerRef): void {
    this.#playing.delete(guildKey(player))
  }

  /**
   * The thread ended with that mark. Without one, all tracks that it played get a strike, and the youngest with two is
   * found. A thread that ran well for a while before its end (`wasHealthy`) clears its tracks first.
   */
  find(mark: number, wasHealthy: boolean): Subject | null {
    const marked = this.#marked.get(mark)
    if (marked) return marked
    for (const suspect of this.#playing.values()) suspect.strikes = (wasHealthy ? 0 : suspect.strikes) + 1
    const guilty = [...this.#playing.values()].filter(({ strikes }) => strikes >= STRIKES_MAX)
    return guilty.toSorted((one, other) => other.order - one.order)[0]?.subject ?? null
  }
}

/** Returns the quarantine's key of a track. Only hosts named by a caller are a group: a music service serves everyone. */
export function subjectOf(track: Audible): Subject {
  const address = track.kind === 'file' ? track.path : track.url
  const { identity = address } = track
  const group = identity.startsWith('http ') && track.kind !== 'file' ? URL.parse(track.url)?.host : undefined
  return { identity, ...(group !== undefined && { group }) }
}
